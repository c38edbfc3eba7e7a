internal import EditorKit
internal import MarketModel

extension SellingModel {
  /// `e`: opens the form of a product, after its password.
  package func edit(_ product: ListedProduct) {
    startFlow { [self] flow in await edit(product, from: nil, in: flow) }
  }

  /// Opens the form of a product, with a draft of an edit; nil for none.
  func edit(
    _ product: ListedProduct, from draft: Draft?, isConfirmed: Bool = false, in flow: Flow
  ) async {
    let submission = submission(to: .edit, product, from: draft)
    guard let password = await passwords.password(to: .edit, product, in: flow) else { return }
    submission.password = password
    defer { submission.password?.wipe() }
    let opened = await flow.work { [services] () async throws(RepositoryError) in
      try await FormDataLoader(services: services).edit(of: product.id)
    }
    switch opened {
    case .success((let form, let left)):
      let model = await openForm(form, of: submission, from: draft, left: left, in: flow)
      guard let model else { return }
      // A queued edit was confirmed, unless it changes other fields of the current product.
      if submission.isWaiting {
        let isSame = model.form.changedFields == draft?.changedFields
        await sendEdit(model, isConfirmed: isConfirmed && isSame, in: flow)
      }
      await fillIn(model, in: flow)
    case .failure(let error): announce(.notSent(error, keepsForm: false))
    case nil: return
    }
  }

  /// Opens the form of a product, with `draft`, or with `left` if the user wants it; nil if the user
  /// cancels.
  private func openForm(
    _ form: ProductForm, of submission: Submission, from draft: Draft?, left: Draft?, in flow: Flow
  ) async -> FormModel? {
    if let draft { return await resume(draft, in: form, of: submission, flow) }
    let model = open(form, of: submission, in: flow)
    guard let left else { return model }
    switch await flow.present(ConfirmationModel(.draft(left))) {
    case true?: return await resume(left, in: form, of: submission, flow)
    case false?: return model
    case nil: return nil
    }
  }

  /// Opens the form with the draft of an edit, which is saved under the same id from then on; a
  /// conflict with the current product is resolved first.
  private func resume(
    _ draft: Draft, in form: ProductForm, of submission: Submission, _ flow: Flow
  ) async -> FormModel? {
    guard case .edit(let detail) = form.purpose else { return nil }
    submission.resume(draft)
    if let conflict = Conflict(draft: draft, form: form, theirs: detail) {
      flow.closeBase()
      guard let resolved = await flow.present(ConflictModel(conflict)) else { return nil }
      return open(resolved, of: submission, in: flow)
    }
    var form = form
    form.restore(draft)
    return open(form, of: submission, savedAt: draft.changed, in: flow)
  }

  /// Sends the changes of a form, after a confirmation unless `isConfirmed`.
  ///
  /// Depending on the result the form stays open, the conflict dialog opens, or the password is asked
  /// for again.
  func sendEdit(_ model: FormModel, isConfirmed: Bool = false, in flow: Flow) async {
    let submission = model.submission
    guard let product = submission.product else { return }
    guard !model.form.patch().isEmpty else {
      drafts.discard(submission.draftID)
      flow.end()
      return announce(.dropped(by: model.form) ?? .hint(.nothingChanged))
    }
    var refusal: RepositoryError?
    while case .edit(let base) = model.form.purpose {
      if refusal != nil || submission.password?.byteCount ?? 0 == 0 {
        guard
          let password = await passwords.password(to: .edit, product, after: refusal, in: flow)
        else { return }
        submission.password?.wipe()
        submission.password = password
      }
      if !isConfirmed {
        let asked = ConfirmationModel(.edit(name: model.form.name.text, model.form.changes))
        guard await flow.present(asked) == true else { return }
      }
      guard let password = submission.password else { return }
      // A password that was wiped in the meantime is asked for again.
      guard password.byteCount > 0 else { continue }
      let message = SellingMessage.change(of: base, model.form.patch(), password)
      switch await send(message, of: submission, form: model, in: flow) {
      case .done, .left: return
      case .failed(let error) where error.refusesPassword:
        password.wipe()
        refusal = error
      case .failed(.invalid(let errors)): return model.refuse(errors)
      case .failed(.conflict(let current)):
        // An earlier attempt has succeeded after all, or others changed the product.
        if model.form.isContained(in: current) {
          return didSucceed(.changed(current), of: submission, model, in: flow)
        }
        let conflict = Conflict(mine: model.form, theirs: current)
        if let resolved = await flow.present(ConflictModel(conflict)) {
          model.replace(with: resolved)
        }
        return
      case .failed(let error): return announce(.notSent(error, keepsForm: true))
      }
    }
  }
}
