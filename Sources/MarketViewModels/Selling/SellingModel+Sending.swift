internal import EditorKit
internal import MarketModel

/// From the question to the answer of the market.
extension SellingModel {
  /// `Ctrl-S`: checks everything, then asks once.
  package func submit() {
    guard var form, let intent, dialog == nil, intent.flow.phase == .resting else { return }
    let isFit = form.checkAll()
    self.form = form
    guard isFit else { return didAnnounce(.hint(.formHasProblems)) }
    guard !form.photos.isBusy else {
      submitsWhenReady = true
      return didAnnounce(.hint(.photosBusy))
    }
    if intent.purpose == .edit, form.patch().isEmpty {
      discard(intent.draftID)
      end()
      return didAnnounce(.hint(.nothingChanged))
    }
    Task.immediate { await askToSubmit(intent) }
  }

  private func askToSubmit(_ intent: SellingIntent) async {
    let account = await sellingAccount()
    guard isCurrent(intent.number), let form, dialog == nil else { return }
    switch intent.purpose {
    case .registration where account.name == nil && form.capabilities.queriesBySeller:
      show(.sellerName(LineEditor(limit: TextLimit.sellerName.characters.upperBound)))
    case .registration:
      ask(.registration(name: form.name.text, photoCount: form.photos.photos.count))
    case .edit where intent.password == nil: askPassword()
    case .edit:
      let changed = form.changedFields
      ask(.edit(name: form.name.text, fields: form.fields.filter(changed.contains)))
    case .deletion, .undo, .renaming: break
    }
  }

  func ask(_ subject: SellingQuestion.Subject) {
    guard intent?.flow.ask() == true else { return }
    show(.question(SellingQuestion(subject)))
  }

  /// Begins one attempt after the question was answered with yes.
  func send() {
    guard let message, let attempt = intent?.flow.confirm() else { return }
    intent?.wasSent = true
    guard let intent else { return }
    upload = nil
    show(.sending(intent.purpose))
    sending = Task.immediate {
      // On disk before the first byte goes: whoever finds the draft knows that it may have come
      // through.
      if intent.purpose == .registration { await save() }
      if intent.purpose == .edit { await keepRemovedPhotos(intent) }
      do throws(RepositoryError) {
        let outcome = try await deliver(message)
        didSucceed(outcome, intent)
      } catch {
        didFail(error, attempt: attempt, intent)
      }
    }
  }

  /// What one attempt sends.
  private enum Message {
    case registration(ProductRegistration, IdempotencyKey)
    case change(of: ProductDetail, ProductPatch, Password)
    case deletion(Product.ID, Password)
  }

  /// What the intent has come to; nil where something is missing that the question waits for.
  private var message: Message? {
    guard let intent else { return nil }
    switch intent.purpose {
    case .registration:
      return form?.registration().map { .registration($0, intent.key) }
    case .edit:
      guard let form, case .edit(let base) = form.purpose, let password = intent.password
      else { return nil }
      return .change(of: base, form.patch(), password)
    case .undo:
      guard let last = edits.last, let password = intent.password else { return nil }
      return .change(of: last.after, last.undoing(), password)
    case .deletion:
      guard let product = intent.product, let password = intent.password else { return nil }
      return .deletion(product.id, password)
    case .renaming: return nil
    }
  }

  private func deliver(_ message: Message) async throws(RepositoryError) -> Outcome {
    let repository = services.repository
    let author = await sellingAccount().author
    switch message {
    case .registration(let registration, let key):
      defer { registration.password.wipe() }
      return .registered(try await repository.register(registration, by: author, key: key))
    case .change(let base, let patch, let password):
      return .changed(
        try await repository.update(
          base.id, with: patch, password: password, by: author, expecting: base.version))
    case .deletion(let id, let password):
      return .deleted(try await repository.delete(id, password: password, by: author).id)
    }
  }

  /// Reads the photos that an edit is about to remove, so that it can be taken back.
  private func keepRemovedPhotos(_ intent: SellingIntent) async {
    guard let form, case .edit(let base) = form.purpose else { return }
    let kept = Set(form.photos.photos.map(\.id))
    for picture in base.pictures {
      let id = FormPhoto.ID(of: picture)
      guard !kept.contains(id), self.intent?.removed[id] == nil,
        let bytes = try? await services.pictures.bytes(of: picture, .original),
        isCurrent(intent.number)
      else { continue }
      self.intent?.removed[id] = bytes
    }
  }

  /// Stops waiting for an answer; what was typed stays, and so does the draft.
  package func cancelSending() {
    guard case .sending = dialog else { return }
    sending?.cancel()
    intent?.flow.cancel()
    if form == nil { end() } else { show(nil) }
    didAnnounce(.hint(.sendingCancelled))
  }
}

// MARK: Answers

extension SellingModel {
  /// An attempt came through; that is told and shown even where nobody waits any more.
  private func didSucceed(_ outcome: Outcome, _ intent: SellingIntent) {
    let edit = isCurrent(intent.number) ? finishedEdit(outcome) : nil
    if isCurrent(intent.number) {
      guard self.intent?.flow.didSucceed() == true else { return }
      end()
    }
    discard(intent.draftID)
    switch outcome {
    case .registered(let detail): remember(detail)
    case .changed where intent.purpose == .undo: edits.removeLast()
    case .changed: if let edit { edits.append(edit) }
    case .deleted(let id): edits.removeAll(of: id)
    }
    didFinish(outcome)
    didAnnounce(.sold(intent.purpose))
  }

  private func finishedEdit(_ outcome: Outcome) -> FinishedEdit? {
    guard case .changed(let after) = outcome, let form, case .edit(let before) = form.purpose
    else { return nil }
    return FinishedEdit(
      before: before, after: after, capabilities: form.capabilities,
      removed: intent?.removed ?? [:])
  }

  private func remember(_ detail: ProductDetail) {
    guard var account else { return }
    account.didRegister(detail)
    seller = account.seller ?? seller
    let changed = account
    Task.immediate { await keep(changed) }
  }

  private func didFail(_ error: RepositoryError, attempt: Int, _ intent: SellingIntent) {
    guard isCurrent(intent.number), self.intent?.flow.didFail(attempt) == true else { return }
    // An attempt that was answered leaves nothing to look for.
    if !error.isTransient { self.intent?.wasSent = false }
    // What was sent before has come through; what the form says now is something else.
    if error == .keyReused {
      self.intent?.key = IdempotencyKey(rawValue: services.makeToken())
    }
    switch error {
    case .invalid(let errors) where form != nil:
      form?.refuse(errors)
      show(nil)
      didAnnounce(.hint(.formHasProblems))
    case .conflict(let current): didMeet(current, intent)
    case .notFound where intent.purpose == .deletion:
      // Somebody was quicker: what is gone leaves the list as well.
      end()
      if let id = intent.product?.id { didFinish(.deleted(id)) }
      didAnnounce(.notSent(error, keepsForm: false))
    case .wrongPassword, .tooManyAttempts:
      askPassword(after: error)
    default:
      if form == nil { end() } else { show(nil) }
      didAnnounce(.notSent(error, keepsForm: form != nil))
    }
  }

  /// The product is not what was edited: either an earlier attempt came through after all, or
  /// someone else changed it.
  private func didMeet(_ current: ProductDetail, _ intent: SellingIntent) {
    guard let form else {
      end()
      return didAnnounce(.notSent(.conflict(current: current), keepsForm: false))
    }
    if form.isContained(in: current) {
      _ = self.intent?.flow.ask()
      _ = self.intent?.flow.confirm()
      return didSucceed(.changed(current), intent)
    }
    show(.conflict(ConflictModel(mine: form, theirs: current)))
  }
}
