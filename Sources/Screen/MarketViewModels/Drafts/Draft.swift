package import MarketModel

/// A form as it is kept on disk until it has been sent: everything but the password.
package nonisolated struct Draft: Hashable, Sendable, Identifiable {
  package struct ID: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
      self.rawValue = rawValue
    }
  }

  /// Purpose of the form.
  package enum Target: Hashable, Sendable {
    case registration
    case edit(Product.ID)
    case question(Product.ID)
    /// What is needed of a question to answer it, so that its draft opens without the market.
    case answer(Question)

    /// The product that is asked about; nil for a form of a product itself.
    package var asked: Product.ID? {
      switch self {
      case .question(let product): product
      case .answer(let question): question.product
      case .registration, .edit: nil
      }
    }

    /// Whether its form says something about the same as that of another one.
    func isAboutSame(as other: Target) -> Bool {
      if case (.answer(let question), .answer(let same)) = (self, other) {
        return question.id == same.id
      }
      return self == other
    }
  }

  package let id: ID
  package let target: Target
  /// Marks the registration that this draft is to become, however often it is sent.
  package let key: IdempotencyKey
  /// The state of the product in which its edit began; nil for a registration.
  package let version: ProductVersion?
  /// Whether it was sent and nobody knows with which outcome.
  package var wasSent: Bool
  /// Whether it is to be sent as soon as the market can be reached, after one question.
  package var isWaiting: Bool
  /// With the photos that are kept or ready.
  package var values: FormValues
  /// The fields that an edit changes; the others follow the product.
  package var changedFields: Set<ProductField>
  package var focus: ProductField
  /// Places of the caret, in characters.
  package var carets: [ProductField: Int]
  package var changed: Timestamp
  /// The name under which new forms are filled from it; nil for a draft that is sent itself.
  package var templateName: String?

  package var isTemplate: Bool { templateName != nil }

  /// What is kept of a form: all but its password and the photos that are not ready; the submission
  /// names the draft and the registration it becomes.
  @MainActor init(of form: ProductForm, for submission: Submission, at now: Timestamp) {
    var values = form.values
    values.photos.removeAll { !$0.isReady }
    let (target, version): (Target, ProductVersion?) =
      switch form.purpose {
      case .registration: (.registration, nil)
      case .edit(let detail): (.edit(detail.id), detail.version)
      case .question(let detail, _): (.question(detail.id), nil)
      case .answer(let question, _): (.answer(question), nil)
      }
    self.init(
      id: submission.draftID, target: target, key: submission.key, version: version,
      wasSent: submission.wasSent, isWaiting: submission.isWaiting, values: values,
      changedFields: form.changedFields, focus: form.focus, carets: form.carets, changed: now)
  }

  package init(
    id: ID, target: Target, key: IdempotencyKey, version: ProductVersion? = nil,
    wasSent: Bool = false, isWaiting: Bool = false, templateName: String? = nil,
    values: FormValues,
    changedFields: Set<ProductField> = [], focus: ProductField = .name,
    carets: [ProductField: Int] = [:], changed: Timestamp
  ) {
    self.id = id
    self.target = target
    self.key = key
    self.version = version
    self.wasSent = wasSent
    self.isWaiting = isWaiting
    self.values = values
    self.changedFields = changedFields
    self.focus = focus
    self.carets = carets
    self.changed = changed
    self.templateName = templateName
  }
}

/// The port to the drafts on disk.
package nonisolated protocol DraftStore: Sendable {
  /// All drafts and templates, the one that was changed last first; what cannot be read is left out.
  func drafts() async -> [Draft]

  /// Keeps a draft in place of an earlier state of it, on disk when this returns; false where that
  /// failed, as on a full disk.
  func save(_ draft: Draft) async -> Bool

  /// Forgets a draft for good; a save of it that comes later keeps nothing.
  func delete(_ id: Draft.ID) async
}
