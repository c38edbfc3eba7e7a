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
      Task.immediate { await services.drafts.delete(intent.draftID) }
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
      show(.sellerName(LineEditor(limit: StorageRules.sellerNameLength.upperBound)))
    case .registration:
      ask(.registration(name: form.name.text, photoCount: form.photos.photos.count))
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
    guard let attempt = intent?.flow.confirm() else { return }
    intent?.wasSent = true
    guard let intent else { return }
    upload = nil
    show(.sending(intent.purpose))
    sending = Task.immediate {
      // On disk before the first byte goes: whoever finds the draft knows that it may have come
      // through.
      if intent.purpose == .registration { await save() }
      do throws(RepositoryError) {
        let outcome = try await call(for: intent)
        didSucceed(outcome, intent)
      } catch {
        didFail(error, attempt: attempt, intent)
      }
    }
  }

  private func call(for intent: SellingIntent) async throws(RepositoryError) -> Outcome {
    let repository = services.repository
    switch intent.purpose {
    case .registration:
      guard let registration = form?.registration() else { throw .cancelled }
      defer { registration.password.wipe() }
      let author = await sellingAccount().author
      return .registered(
        try await repository.register(registration, by: author, key: intent.key))
    case .edit:
      guard let form, case .edit(let base) = form.purpose else { throw .cancelled }
      return try await update(base, with: form.patch(), intent)
    case .undo:
      guard let last = edits.last else { throw .cancelled }
      return try await update(last.after, with: last.undoing(), intent)
    case .renaming: throw .cancelled
    case .deletion:
      guard let product = intent.product, let password = intent.password else {
        throw .cancelled
      }
      let author = await author(of: product)
      let gone = try await repository.delete(product.id, password: password, by: author)
      return .deleted(gone.id)
    }
  }

  private func update(
    _ base: ProductDetail, with patch: ProductPatch, _ intent: SellingIntent
  ) async throws(RepositoryError) -> Outcome {
    guard let password = intent.password else { throw .wrongPassword }
    let author = await author(of: ListedProduct(base.product))
    return .changed(
      try await services.repository.update(
        base.id, with: patch, password: password, by: author, expecting: base.version))
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
    let base = form.flatMap { form -> ProductDetail? in
      if case .edit(let detail) = form.purpose { detail } else { nil }
    }
    if isCurrent(intent.number) {
      guard self.intent?.flow.didSucceed() == true else { return }
      end()
    }
    Task.immediate { await services.drafts.delete(intent.draftID) }
    switch outcome {
    case .registered(let detail): remember(detail)
    case .changed where intent.purpose == .undo: _ = edits.popLast()
    case .changed(let after):
      if let base { edits.append(FinishedEdit(before: base, after: after)) }
    case .deleted(let id): edits.removeAll { $0.after.id == id }
    }
    didFinish(outcome)
    didAnnounce(.sold(intent.purpose))
  }

  private func remember(_ detail: ProductDetail) {
    // Where nobody has a name, everybody sells as the same guest.
    if seller == nil, detail.product.seller.id != Seller.guest.id {
      seller = detail.product.seller
    }
    guard var account else { return }
    account.registered.append(detail.id)
    self.account = account
    Task.immediate { await services.accounts.save(account) }
  }

  private func didFail(_ error: RepositoryError, attempt: Int, _ intent: SellingIntent) {
    guard isCurrent(intent.number), self.intent?.flow.didFail(attempt) == true else { return }
    // An attempt that was answered leaves nothing to look for.
    if !error.isTransient { self.intent?.wasSent = false }
    switch error {
    case .invalid(let errors) where form != nil:
      form?.refuse(errors)
      show(nil)
      didAnnounce(.failed(error))
    case .conflict(let current): didMeet(current, intent)
    case .wrongPassword, .tooManyAttempts:
      askPasswordAgain(error)
    default:
      if form == nil { end() } else { show(nil) }
      didAnnounce(.failed(error))
    }
  }

  /// The product is not what was edited: either an earlier attempt came through after all, or
  /// someone else changed it.
  private func didMeet(_ current: ProductDetail, _ intent: SellingIntent) {
    guard let form else {
      end()
      return didAnnounce(.failed(.conflict(current: current)))
    }
    if form.isContained(in: current) {
      _ = self.intent?.flow.ask()
      _ = self.intent?.flow.confirm()
      return didSucceed(.changed(current), intent)
    }
    show(.conflict(ConflictModel(mine: form, theirs: current)))
  }
}
