internal import MarketModel

/// Operation of a seller, as dialogs and notices name it.
package nonisolated enum SellingPurpose: Hashable, Sendable {
  case registration
  case edit
  case deletion
  case undo
  /// Redo of an edit that was undone.
  case redo
  /// Change of the seller's name or contact.
  case renaming
  case step(SaleStep)
  case question, answer
  /// Only an own question can be sent again.
  case questionDeletion(isOwn: Bool)
}

/// Request of a seller that must take effect at most once: all attempts have the same idempotency
/// key.
package final class Submission {
  let purpose: SellingPurpose
  /// Product of the request; nil for a registration.
  let product: ListedProduct?
  /// Id under which the form is saved as a draft.
  private(set) var draftID: Draft.ID
  var key: IdempotencyKey
  /// Whether an attempt was sent whose outcome is unknown.
  var wasSent: Bool
  /// Whether the form is queued until the market can be reached.
  var isWaiting: Bool
  /// Whether the form is saved as a draft even if it is unchanged, as one made from a template.
  var isUnderWay: Bool { wasSent || isWaiting }
  /// Wiped when the flow ends, and when the market's cached password is cleared.
  var password: Password?
  /// Form that is sent without being shown; nil if a shown form, or none, is sent.
  var form: ProductForm?
  /// Files of photos that an edit removes, read before it is sent.
  var removed: [FormPhoto.ID: [UInt8]] = [:]
  /// Whether an attempt has succeeded.
  var isDone = false

  /// Begins a submission, or continues that of a draft; nil for a new one.
  init(
    _ purpose: SellingPurpose, _ product: ListedProduct? = nil, draft: Draft? = nil,
    makeToken: () -> String
  ) {
    let token = draft == nil ? makeToken() : ""
    self.purpose = purpose
    self.product = product
    draftID = draft?.id ?? Draft.ID(rawValue: token)
    key = draft?.key ?? IdempotencyKey(rawValue: token)
    wasSent = draft?.wasSent ?? false
    isWaiting = draft?.isWaiting ?? false
  }

  /// Continues the submission of a draft.
  func resume(_ draft: Draft) {
    (draftID, key) = (draft.id, draft.key)
    (wasSent, isWaiting) = (draft.wasSent, draft.isWaiting)
  }
}

/// Message of one attempt.
enum SellingMessage {
  case registration(ProductRegistration, IdempotencyKey)
  case change(of: ProductDetail, ProductPatch, Password)
  case deletion(Product.ID, Password)
  case question(NewQuestion, about: Product.ID, IdempotencyKey)
  case answer(Question.ID, NewAnswer, Password?)
  case questionDeletion(Question, Password?)

  fileprivate func deliver(
    to repository: any ProductRepository, by author: Author
  ) async throws(RepositoryError) -> SellingOutcome {
    switch self {
    case .registration(let registration, let key):
      defer { registration.password.wipe() }
      return .registered(try await repository.register(registration, by: author, key: key))
    case .change(let base, let patch, let password):
      return .changed(
        try await repository.update(
          base.id, with: patch, password: password, by: author, expecting: base.version))
    case .deletion(let id, let password):
      return .deleted(try await repository.delete(id, password: password, by: author).id)
    case .question(let question, let product, let key):
      guard case .seller(let asker) = author else { throw .notOwner }
      let asked = try await repository.ask(question, about: product, by: asker, key: key)
      return .question(.asked, asked, nil)
    case .answer(let id, let answer, let password):
      let answered = try await repository.answer(id, with: answer, by: author, password: password)
      let reserved = answer.reserves ? try? await repository.detail(of: answered.product) : nil
      return .question(.answered, answered, reserved)
    case .questionDeletion(let question, let password):
      try await repository.deleteQuestion(question.id, by: author, password: password)
      return .question(.deleted, question, nil)
    }
  }
}

// MARK: Sending

extension SellingModel {
  /// Result of one attempt.
  enum Attempt {
    /// The attempt succeeded, or the flow has ended.
    case done
    /// The user left the dialog; the request may still succeed.
    case left
    case failed(RepositoryError)
  }

  /// Sends a message that needs a product's password, which is asked for until it is right, after the
  /// confirmation `question`; nil for none.
  ///
  /// - Returns: the error; nil on success, or if the user cancelled.
  func send(
    _ purpose: SellingPurpose, _ product: ListedProduct,
    after question: ConfirmationModel.Subject? = nil, sending form: ProductForm? = nil,
    from draft: Draft? = nil, in flow: Flow, message: (Password) -> SellingMessage
  ) async -> RepositoryError? {
    let submission = submission(to: purpose, product, from: draft)
    submission.form = form
    var refusal: RepositoryError?
    while let password = await passwords.password(to: purpose, product, after: refusal, in: flow) {
      defer { password.wipe() }
      if let question, await flow.present(ConfirmationModel(question)) != true { return nil }
      // A password that was wiped in the meantime is asked for again.
      guard password.byteCount > 0 else { continue }
      switch await send(message(password), of: submission, in: flow) {
      case .done, .left: return nil
      case .failed(let error) where error.refusesPassword: refusal = error
      case .failed(.conflict(let current)) where form?.isContained(in: current) == true:
        // An earlier attempt has succeeded after all.
        didSucceed(.changed(current), of: submission, nil, in: flow)
        return nil
      case .failed(let error): return error
      }
    }
    return nil
  }

  /// Sends a message once, under a dialog.
  ///
  /// A success counts also if the user left the dialog: its effects are applied, and the flow is
  /// ended if it still runs.
  func send(
    _ message: SellingMessage, of submission: Submission, form: FormModel? = nil, in flow: Flow
  ) async -> Attempt {
    submission.wasSent = true
    let sending = SendingModel(submission.purpose)
    let result = await flow.work(showing: sending) { [self] () async throws(RepositoryError) in
      // The draft is on disk before the first byte is sent: a draft found later then shows that the
      // request may have succeeded.
      if [.registration, .question, .answer].contains(submission.purpose) {
        await Task.immediate { _ = await form?.save() }.value
      }
      let edited = submission.purpose == .edit ? form?.form : submission.form
      if let edited { await readRemovedPhotos(by: edited, of: submission) }
      let author = await account.author()
      let outcome = try await message.deliver(to: services.repository, by: author)
      didSucceed(outcome, of: submission, form, in: flow)
    }
    if flow.isEnded { return .done }
    guard let result else {
      announce(.hint(.sendingCancelled))
      return .left
    }
    guard case .failure(let error) = result else { return .done }
    // An answered attempt has a known outcome.
    if !error.isTransient { submission.wasSent = false }
    // The earlier attempt has succeeded; the changed form is a new registration.
    if error == .keyReused { submission.key = IdempotencyKey(rawValue: services.makeToken()) }
    return .failed(error)
  }

  /// Reads the photos that an edit removes, so that it can be undone.
  private func readRemovedPhotos(by form: ProductForm, of submission: Submission) async {
    submission.removed = await FormDataLoader(services: services).photos(
      removedBy: form, besides: submission.removed)
  }

  /// Applies and announces a success, also if the user left the dialog.
  func didSucceed(
    _ outcome: SellingOutcome, of submission: Submission, _ form: FormModel?, in flow: Flow
  ) {
    guard !submission.isDone else { return }
    submission.isDone = true
    let isAwaited = !flow.isEnded
    if isAwaited {
      keepPassword(of: outcome, form)
      if case .changed(let after) = outcome, let form, case .edit(let before) = form.form.purpose {
        edits.append(
          FinishedEdit(
            before: before, after: after, capabilities: form.form.capabilities,
            removed: submission.removed))
      }
      flow.end()
    }
    drafts.discard(submission.draftID)
    takenBack = nil
    switch outcome {
    case .registered(let detail): account.didRegister(detail)
    case .changed(let now): makeUndoable(submission, now)
    case .deleted(let id): edits.removeAll(of: id)
    case .question(let kind, let question, _):
      if kind == .deleted, question.isOwn, let product = submission.product {
        takenBack = (question, product)
      }
    }
    report(outcome)
    if case .registered(let detail) = outcome {
      announce(.registered(ListedProduct(detail.product), .shown))
      if isAwaited { showRegistered(detail) }
    } else {
      announce(.sold(submission.purpose))
    }
  }

  /// Makes an edit that was sent without a form undoable, and an undo redoable.
  private func makeUndoable(_ submission: Submission, _ now: ProductDetail) {
    guard let form = submission.form, case .edit(let before) = form.purpose else { return }
    let edit = FinishedEdit(
      before: before, after: now, capabilities: form.capabilities, removed: submission.removed)
    if submission.purpose == .undo { edits.didUndo(by: edit) } else { edits.append(edit) }
  }

  /// Caches the password of a registration, and renews the cache time of a correct password.
  private func keepPassword(of outcome: SellingOutcome, _ form: FormModel?) {
    switch outcome {
    case .registered(let detail):
      guard let form else { return }
      let password = Password(form.form.password)
      defer { password.wipe() }
      passwordCache.keep(password, for: detail.id, by: account.identifier)
    case .changed(let detail): passwordCache.didUse(for: detail.id)
    case .deleted, .question: break
    }
  }
}

extension RepositoryError {
  /// Whether the password has to be entered again.
  nonisolated var refusesPassword: Bool {
    switch self {
    case .wrongPassword, .tooManyAttempts: true
    default: false
    }
  }
}
