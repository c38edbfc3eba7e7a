package import MarketModel

/// Form on disk until it has been sent, without its password.
package nonisolated struct Draft: Hashable, Sendable, Identifiable {
  package struct ID: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
      self.rawValue = rawValue
    }
  }

  /// Form of the draft.
  package enum Target: Hashable, Sendable {
    case registration
    case edit(Product.ID)
    case question(Product.ID)
    /// Answer to a question, which is part of the draft so that the form opens without the market.
    case answer(Question)

    /// Product of a question or answer; nil for a form of a product.
    package var asked: Product.ID? {
      switch self {
      case .question(let product): product
      case .answer(let question): question.product
      case .registration, .edit: nil
      }
    }

    /// Whether two targets are the same, or answers to the same question.
    func isAboutSame(as other: Target) -> Bool {
      if case (.answer(let question), .answer(let same)) = (self, other) {
        return question.id == same.id
      }
      return self == other
    }
  }

  package let id: ID
  package let target: Target
  /// Idempotency key of all attempts to send the draft.
  package let key: IdempotencyKey
  /// Version of the product at which the edit began; nil for other targets, or if unknown.
  package let version: ProductVersion?
  /// Whether an attempt was sent whose outcome is unknown.
  package var wasSent: Bool
  /// Whether the draft is queued, to be sent after a confirmation as soon as the market can be reached.
  package var isWaiting: Bool
  /// Values of the form, with those photos that are kept or ready.
  package var values: FormValues
  /// Fields that an edit changes; the others follow the product.
  package var changedFields: Set<ProductField>
  package var focus: ProductField
  /// Positions of the carets, in characters.
  package var carets: [ProductField: Int]
  package var changed: Timestamp
  /// Name of a template; nil for a draft.
  package var templateName: String?

  package var isTemplate: Bool { templateName != nil }

  /// Draft of a form without its password and photos in progress; the submission determines its ids.
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

/// Port to the drafts on disk.
package nonisolated protocol DraftStore: Sendable {
  /// All drafts and templates, the last changed first; unreadable ones are left out.
  func drafts() async -> [Draft]

  /// Writes a draft to disk, in place of its earlier state; false if that failed, as on a full disk.
  func save(_ draft: Draft) async -> Bool

  /// Deletes a draft; a later save of it has no effect.
  func delete(_ id: Draft.ID) async

  /// Records a registration without a draft before it is sent; `endRegistration` must follow.
  ///
  /// The returned key is that of an equal registration of the last hour that was not answered, unless
  /// `again` is true, else `key`.
  func beginRegistration(
    _ registration: ProductRegistration, by author: Author, key: IdempotencyKey, again: Bool
  ) async -> IdempotencyKey

  /// Ends a registration, whose record is deleted if the market answered it.
  func endRegistration(_ key: IdempotencyKey, isAnswered: Bool) async
}
