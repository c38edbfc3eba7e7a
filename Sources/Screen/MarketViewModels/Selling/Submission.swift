internal import MarketModel

/// What a seller sets out to do.
package nonisolated enum SellingPurpose: Hashable, Sendable {
  case registration
  case edit
  case deletion
  case undo
  /// An edit that was taken back is made again.
  case redo
  /// Another name for the seller.
  case renaming
  case step(SaleStep)
  case question, answer
  /// Only an own question can be asked again.
  case questionDeletion(isOwn: Bool)
}

/// What a seller sends, asked for once and done at most once: all attempts carry one key, and the
/// answer to any of them is the answer to it.
package final class Submission {
  let purpose: SellingPurpose
  /// The product it is about; nil for a registration.
  let product: ListedProduct?
  /// Under which name what is typed is kept.
  private(set) var draftID: Draft.ID
  var key: IdempotencyKey
  /// Whether an attempt left this computer and nobody knows with which outcome.
  var wasSent: Bool
  /// Whether what is typed waits for the market to be reached.
  var isWaiting: Bool
  /// Whether it was asked for: what it is of is kept also where nothing was typed, as of a template.
  var isUnderWay: Bool { wasSent || isWaiting }
  /// Wiped when the flow ends, and with the one that its market keeps.
  var password: Password?
  /// The form that is sent without being shown; nil where one is filled in, or none is sent.
  var form: ProductForm?
  /// The files of photos that an edit removes, read before it is sent.
  var removed: [FormPhoto.ID: [UInt8]] = [:]
  /// Whether an attempt came through.
  var isDone = false

  /// Something new, or what a draft has begun.
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

  /// Goes on with what a draft has begun.
  func resume(_ draft: Draft) {
    (draftID, key) = (draft.id, draft.key)
    (wasSent, isWaiting) = (draft.wasSent, draft.isWaiting)
  }
}

/// Message that one attempt sends to the market.
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
    /// It came through, or the flow has ended: nothing is left to do.
    case done
    /// Nobody waits for it any more; it may come through all the same.
    case left
    case failed(RepositoryError)
  }

  /// Sends what needs a product's password and at most one question, as often as the password is
  /// refused.
  ///
  /// - Returns: why it was not done; nil where it was, or one left.
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
      // Where it was wiped meanwhile it is asked for again.
      guard password.byteCount > 0 else { continue }
      switch await send(message(password), of: submission, in: flow) {
      case .done, .left: return nil
      case .failed(let error) where error.refusesPassword: refusal = error
      case .failed(.conflict(let current)) where form?.isContained(in: current) == true:
        // An earlier attempt came through after all.
        didSucceed(.changed(current), of: submission, nil, in: flow)
        return nil
      case .failed(let error): return error
      }
    }
    return nil
  }

  /// Sends a message once, with a dialog over what is open.
  ///
  /// An attempt that comes through counts also where nobody waits for it any more: what comes of it
  /// belongs to this model, and ends the flow where that still goes on.
  func send(
    _ message: SellingMessage, of submission: Submission, form: FormModel? = nil, in flow: Flow
  ) async -> Attempt {
    submission.wasSent = true
    let sending = SendingModel(submission.purpose)
    let result = await flow.work(showing: sending) { [self] () async throws(RepositoryError) in
      // On disk before the first byte goes: whoever finds the draft knows that it may have come
      // through.
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
    // An attempt that was answered leaves nothing to look for.
    if !error.isTransient { submission.wasSent = false }
    // What was sent before has come through; what the form says now is something else.
    if error == .keyReused { submission.key = IdempotencyKey(rawValue: services.makeToken()) }
    return .failed(error)
  }

  /// Reads the photos that an edit is about to remove, so that it can be taken back.
  private func readRemovedPhotos(by form: ProductForm, of submission: Submission) async {
    submission.removed = await FormDataLoader(services: services).photos(
      removedBy: form, besides: submission.removed)
  }

  /// An attempt came through; that is told and shown even where nobody waits any more.
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
    case .changed(let now): note(submission, now)
    case .deleted(let id): edits.removeAll(of: id)
    case .question(let kind, let question, _):
      if kind == .deleted, question.isOwn, let product = submission.product {
        takenBack = (question, product)
      }
    }
    tell(outcome)
    if case .registered(let detail) = outcome {
      announce(.registered(ListedProduct(detail.product), .shown))
      if isAwaited { showRegistered(detail) }
    } else {
      announce(.sold(submission.purpose))
    }
  }

  /// What was changed without being shown can be taken back; what was taken back can be made again.
  private func note(_ submission: Submission, _ now: ProductDetail) {
    guard let form = submission.form, case .edit(let before) = form.purpose else { return }
    let edit = FinishedEdit(
      before: before, after: now, capabilities: form.capabilities, removed: submission.removed)
    if submission.purpose == .undo { edits.didUndo(by: edit) } else { edits.append(edit) }
  }

  /// A password counts from its last use that was right; that of a registration is one.
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
  /// Whether the password has to be asked for again.
  nonisolated var refusesPassword: Bool {
    switch self {
    case .wrongPassword, .tooManyAttempts: true
    default: false
    }
  }
}
