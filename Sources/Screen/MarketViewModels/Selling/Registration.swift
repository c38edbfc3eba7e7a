internal import EditorKit
internal import MarketModel

extension SellingModel {
  /// `n`: lists drafts and templates if there are any, else opens an empty form.
  package func sell() {
    guard !isOpening else { return }
    startFlow { [self] flow in
      let found = await flow.work { [drafts] in
        (await drafts.all().filter { $0.target == .registration }, await drafts.templates())
      }
      guard case .success((let left, let templates)) = found else { return }
      if left.isEmpty, templates.isEmpty {
        await openForm(resuming: nil, in: flow)
      } else {
        await offer(left, templates, in: flow)
      }
    }
  }

  /// Opens a form with the values of a product or template, or the currency of the last sale; a draft
  /// is saved after the first change.
  func sell(from source: FormSource) {
    if !isOpening { startFlow { [self] flow in await openForm(from: source, in: flow) } }
  }

  /// Lists all drafts and templates, or announces that there are none.
  func showDrafts() {
    startFlow { [self] flow in
      let found = await flow.work { [drafts] in (await drafts.all(), await drafts.templates()) }
      guard case .success((let left, let templates)) = found else { return }
      if left.isEmpty, templates.isEmpty { return announce(.hint(.nothingSold)) }
      await offer(left, templates, in: flow)
    }
  }

  /// Opens the draft that is selected above the own products.
  package func openDraft() {
    guard let draft = drafts.list.selectedDraft else { return }
    startFlow { [self] flow in await open(draft, in: flow) }
  }

  /// Deletes the draft that is selected above the own products, after a confirmation.
  package func removeDraft() {
    guard let draft = drafts.list.selectedDraft else { return }
    startFlow { [self] flow in
      let asked = ConfirmationModel(.draftRemoval(draft))
      if await flow.present(asked) == true { drafts.discard(draft.id) }
    }
  }

  /// Saves the draft that is selected above the own products as a template, under a name that is
  /// asked for.
  package func keepDraftAsTemplate() {
    guard let draft = drafts.list.selectedDraft, draft.target == .registration else { return }
    startFlow { [self] flow in
      guard let name = await flow.present(PromptModel.templateName(draft.values.name)) else {
        return
      }
      drafts.outliving.run { [self] in await didKeep(drafts.keep(draft, asTemplate: name)) }
    }
  }

  private func didKeep(_ template: Draft?) {
    announce(.hint(template == nil ? .templateNotSaved : .templateSaved))
  }

  // MARK: Drafts

  /// Lists drafts and templates until one of them or a new form is opened.
  private func offer(_ left: [Draft], _ templates: [Draft], in flow: Flow) async {
    let list = DraftsModel(left, templates, photos: services.photos)
    flow.open(list)
    while let wish = await flow.next(of: list) {
      switch wish {
      case .open(let draft): return await open(draft, in: flow)
      case .remove(let draft):
        let subject =
          draft.templateName.map { ConfirmationModel.Subject.templateRemoval(name: $0) }
          ?? .draftRemoval(draft)
        guard await flow.present(ConfirmationModel(subject)) == true else { continue }
        list.remove(draft.id)
        drafts.discard(draft.id)
      case .keep(let draft):
        guard let name = await flow.present(PromptModel.templateName(draft.values.name)) else {
          continue
        }
        replaceTemplates(
          of: list, after: Task.immediate { await drafts.keep(draft, asTemplate: name) })
      case .rename(let template):
        let name = await flow.present(PromptModel.templateName(template.templateName ?? ""))
        guard let name else { continue }
        replaceTemplates(
          of: list, after: Task.immediate { await drafts.rename(template, to: name) })
      }
    }
  }

  private func replaceTemplates(of list: DraftsModel, after saving: Task<Draft?, Never>) {
    drafts.outliving.run { [self] in
      let saved = await saving.value
      list.replace(templates: await drafts.templates())
      didKeep(saved)
    }
  }

  /// Opens a draft, nil for a new form.
  ///
  /// An edit needs the product's password; a queued draft that `isConfirmed` is sent without another
  /// confirmation.
  func open(_ draft: Draft?, isConfirmed: Bool = false, in flow: Flow) async {
    if let draft, draft.isTemplate { return await openForm(from: .template(draft), in: flow) }
    guard let draft else { return await openForm(resuming: nil, in: flow) }
    let id: Product.ID
    switch draft.target {
    case .registration: return await openForm(resuming: draft, in: flow)
    case .question(let product):
      return await ask(about: product, from: draft, isConfirmed: isConfirmed, in: flow)
    case .answer(let question):
      return await answer(question, from: draft, isConfirmed: isConfirmed, in: flow)
    case .edit(let product): id = product
    }
    let read = await flow.work { [services] () async throws(RepositoryError) in
      try await services.repository.detail(of: id).product
    }
    switch read {
    case .success(let product):
      flow.closeBase()
      await edit(ListedProduct(product), from: draft, isConfirmed: isConfirmed, in: flow)
    case .failure(let error): announce(.notSent(error, keepsForm: false))
    case nil: return
    }
  }

  // MARK: The form

  /// Opens the form of a new product with the values of a draft; nil for an empty form.
  private func openForm(resuming draft: Draft?, in flow: Flow) async {
    let submission = submission(to: .registration, from: draft)
    let opened = await flow.work { [services] () async throws(RepositoryError) in
      try await FormDataLoader(services: services).registration(from: draft)
    }
    switch opened {
    case .success((let form, let isGuessed)):
      let model = open(
        withCachedPassword(form), of: submission, isGuessed: isGuessed, savedAt: draft?.changed,
        in: flow)
      await fillIn(model, in: flow)
    case .failure(let error): announce(.notSent(error, keepsForm: false))
    case nil: return
    }
  }

  /// Opens the form of a new product with the values of a source.
  private func openForm(from source: FormSource, in flow: Flow) async {
    let submission = submission(to: .registration)
    let read = await flow.work { [services] () async throws(RepositoryError) in
      try await FormDataLoader(services: services).registration(from: source)
    }
    switch read {
    case .success(let opened):
      let model = open(
        withCachedPassword(opened.form), of: submission, isGuessed: opened.isGuessed, in: flow)
      if !opened.lostPhotos.isEmpty { announce(.photosNotCopied(numbers: opened.lostPhotos)) }
      await fillIn(model, in: flow)
    case .failure(let error): announce(.notSent(error, keepsForm: false))
    case nil: return
    }
  }

  /// The form with the cached password, if there is one.
  private func withCachedPassword(_ form: ProductForm) -> ProductForm {
    var form = form
    if let password = passwordCache.password(by: account.identifier) {
      password.withBytes { form.fillPassword($0) }
      password.wipe()
    }
    return form
  }

  // MARK: Sending

  /// Registers the product of a form, after the seller's name if the form has it: checks the
  /// connection, and asks for a confirmation unless `isConfirmed`.
  func register(_ model: FormModel, isConfirmed: Bool = false, in flow: Flow) async {
    var isConfirmed = isConfirmed
    if model.waitsForMarket || model.isGuessed {
      guard await reachMarket(for: model, in: flow) else { return }
      isConfirmed = false
    }
    if !isConfirmed {
      let asked = ConfirmationModel(.registration(model.form.values))
      // A cached password may have expired in the meantime.
      guard await flow.present(asked) == true, model.isReady() else { return }
    }
    guard await knownAccount(for: .registration, in: flow) != nil else { return }
    if let change = model.form.sellerChange {
      guard await introduce(change, for: model, in: flow), model.isReady() else { return }
    }
    let submission = model.submission
    guard let registration = model.form.registration() else { return }
    let message = SellingMessage.registration(registration, submission.key)
    switch await send(message, of: submission, form: model, in: flow) {
    case .done, .left: return
    case .failed(.invalid(let errors)): model.refuse(errors)
    case .failed(let error): announce(.notSent(error, keepsForm: true))
    }
  }

  /// Sends name and contact of a form's seller to the market; false if that failed, which the form
  /// shows, or if the user cancelled.
  private func introduce(
    _ change: SellerChange, for model: FormModel, in flow: Flow
  ) async -> Bool {
    switch await sent(change, to: .registration, in: flow) {
    case .success(.some): return true
    case .success(nil): announce(.hint(.accountNotMade))
    case .failure(.invalid(let errors)):
      model.refuse(errors.map { FieldError(.sellerName, $0.problem) })
    case .failure(let error): announce(.notSent(error, keepsForm: true))
    case nil: if !flow.isEnded { announce(.hint(.sendingCancelled)) }
    }
    return false
  }

  /// The seller's account, created if necessary; nil if it could not be saved, which is announced.
  func knownAccount(for purpose: SellingPurpose, in flow: Flow) async -> SellerAccount? {
    if let known = account.known { return known }
    let made = await flow.work(showing: SendingModel(purpose)) { [account] in
      await account.current()
    }
    guard case .success(let made) = made else { return nil }
    if made == nil { announce(.hint(.accountNotMade)) }
    return made
  }

  /// Checks whether the market answers; if not, the form is closed and its draft is queued.
  private func reachMarket(for model: FormModel, in flow: Flow) async -> Bool {
    let asked = await flow.work(showing: SendingModel(.registration)) {
      [services] () async throws(RepositoryError) in
      _ = try await services.repository.page(PageRequest(size: 1))
      return try await services.repository.capabilities()
    }
    switch asked {
    case .success(let capabilities):
      services.reach.didAnswer()
      model.learn(capabilities)
      flow.dismiss()
      return model.isReady()
    case .failure(let error):
      guard case .unreachable = error else {
        announce(.notSent(error, keepsForm: true))
        return false
      }
      services.reach.didFail(error)
      model.submission.isWaiting = true
      leave(model.form, of: model.submission, saying: .draftIsQueued, in: flow)
      return false
    case nil:
      if !flow.isEnded { announce(.hint(.sendingCancelled)) }
      return false
    }
  }
}
