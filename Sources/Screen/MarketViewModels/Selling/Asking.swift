internal import EditorKit
package import MarketModel

extension SellingModel {
  /// `a`: opens the form of a question about a product, with the draft of one if there is any.
  package func ask(about product: Product.ID) {
    startFlow { [self] flow in await ask(about: product, from: nil, in: flow) }
  }

  /// Opens the form of the answer to a question; the market accepts changes of an answer for ten
  /// minutes.
  package func answer(_ question: Question) {
    startFlow { [self] flow in await answer(question, from: nil, in: flow) }
  }

  /// Deletes a question: an own one at once, because `u` sends it again; any other after a
  /// confirmation.
  package func delete(_ question: Question, about product: ListedProduct) {
    startFlow { [self] flow in
      let asked = ConfirmationModel(.questionDeletion(question))
      if !question.isOwn, await flow.present(asked) != true { return }
      let error = await send(
        submission(to: .questionDeletion(isOwn: question.isOwn), product),
        needsPassword: !question.isOwn && product.product.seller.id != account.seller?.id, in: flow
      ) { .questionDeletion(question, $0) }
      if let error { announce(.notSent(error, keepsForm: false)) }
    }
  }

  /// Sends a deleted own question again.
  func askAgain(_ question: Question, about product: ListedProduct) {
    let again = NewQuestion(text: question.text, offerHundredths: question.offer?.hundredths)
    startFlow { [self] flow in
      let submission = submission(to: .question, product)
      let error = await send(submission, needsPassword: false, in: flow) { _ in
        .question(again, about: product.id, submission.key)
      }
      if let error { announce(.notSent(error, keepsForm: false)) }
    }
  }

  // MARK: Forms

  func ask(
    about product: Product.ID, from draft: Draft?, isConfirmed: Bool = false, in flow: Flow
  ) async {
    await fillIn(.question(product), from: draft, isConfirmed, in: flow) {
      [self] detail in
      let refusal = Question.refusal(about: detail, by: account.seller?.id)
      return (
        .question(detail, asksName: account.known?.name == nil),
        account.isOwn(detail.product) ? .ownProduct : refusal
      )
    }
  }

  func answer(
    _ question: Question, from draft: Draft?, isConfirmed: Bool = false, in flow: Flow
  ) async {
    await fillIn(.answer(question), from: draft, isConfirmed, in: flow) { [services] detail in
      let limit = (question.answer?.given.seconds ?? .max / 2) + Question.editableSeconds
      return (.answer(question, detail), services.now().seconds > limit ? .tooLate : nil)
    }
  }

  /// Reads a product, from the cache if the market cannot be reached, and opens the form of a
  /// question or answer about it.
  private func fillIn(
    _ target: Draft.Target, from draft: Draft?, _ isConfirmed: Bool, in flow: Flow,
    as purpose: @escaping @MainActor (ProductDetail) -> (ProductForm.Purpose, QuestionRefusal?)
  ) async {
    guard let product = target.asked else { return }
    let read = await flow.work { [services] () async throws(RepositoryError) in
      let left = await services.drafts.drafts().first { $0.target.isAboutSame(as: target) }
      let draft = draft ?? left
      let reader = DetailReader(repository: services.repository, seen: services.seen)
      let (purpose, refusal) = purpose(try await reader.fetch(product))
      // A question that was sent before may have been accepted, which only the market can tell.
      if let refusal, draft?.wasSent != true { throw .questionRefused(refusal) }
      return (ProductForm(purpose, capabilities: .full), draft)
    }
    switch read {
    case .success((var form, let draft)):
      guard let product = form.purpose.asked?.product else { return }
      if let draft { form.restore(draft) }
      let purpose: SellingPurpose = target == .question(product.id) ? .question : .answer
      let submission = submission(to: purpose, ListedProduct(product), from: draft)
      let model = open(form, of: submission, savedAt: draft?.changed, in: flow)
      if isConfirmed, model.isReady() { await sendQuestion(model, in: flow) }
      await fillIn(model, in: flow)
    case .failure(.questionRefused(let refusal)): announce(.hint(.questionRefused(refusal)))
    case .failure(let error): announce(.notSent(error, keepsForm: false))
    case nil: return
    }
  }

  // MARK: Sending

  /// Sends the question or answer of a form; if the market cannot be reached, it is queued as a
  /// draft.
  func sendQuestion(_ model: FormModel, in flow: Flow) async {
    let (form, submission) = (model.form, model.submission)
    var error: RepositoryError?
    switch form.purpose {
    case .question(let detail, _):
      guard await knownAccount(for: .question, in: flow) != nil else { return }
      let name = form.values[.place].trimmed
      if !name.isEmpty {
        let named = await flow.work(showing: SendingModel(.question)) {
          [account] () async throws(RepositoryError) in
          _ = try await account.change(SellerChange(name: name))
        }
        guard let named else { return }
        if case .failure(let failure) = named { error = failure }
      }
      if error == nil {
        error = await send(submission, form: model, needsPassword: false, in: flow) { _ in
          .question(form.question, about: detail.id, submission.key)
        }
      }
    case .answer(let question, let detail):
      let needsPassword = form.answer.reserves || detail.product.seller.id != account.seller?.id
      error = await send(submission, form: model, needsPassword: needsPassword, in: flow) {
        .answer(question.id, form.answer, $0)
      }
    case .registration, .edit: return
    }
    switch error {
    case nil: return
    case .unreachable?:
      if let error { services.reach.didFail(error) }
      submission.isWaiting = true
      leave(form, of: submission, saying: .draftIsQueued, in: flow)
    case .invalid(let errors)?: model.refuse(errors)
    case let error?: announce(.notSent(error, keepsForm: true))
    }
  }

  /// Sends a message, with a product's password if `needsPassword`, asked for until it is right.
  ///
  /// - Returns: the error; nil on success, or if the user cancelled.
  private func send(
    _ submission: Submission, form: FormModel? = nil, needsPassword: Bool, in flow: Flow,
    message: (Password?) -> SellingMessage
  ) async -> RepositoryError? {
    guard let product = submission.product else { return nil }
    var refusal: RepositoryError?
    while true {
      let password =
        needsPassword
        ? await passwords.password(to: submission.purpose, product, after: refusal, in: flow) : nil
      if needsPassword, password == nil { return nil }
      defer { password?.wipe() }
      switch await send(message(password), of: submission, form: form, in: flow) {
      case .done, .left: return nil
      case .failed(let error) where needsPassword && error.refusesPassword: refusal = error
      case .failed(let error): return error
      }
    }
  }
}
