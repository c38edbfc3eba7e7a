internal import EditorKit
package import MarketModel

/// Selling on one market: the running flow, and the state that flows share.
///
/// Each flow is a function in a file of its own: `sell`, `edit`, `delete`, `undo`, `rename` and
/// `change`, the bulk edit.
package final class SellingModel {
  package let account: SellerAccountModel
  package let drafts: DraftCollection
  /// Cache of the last correct password, and of those in use.
  package let passwordCache: PasswordCache
  package let services: SellingServices
  let stack: LayerStack
  let passwords: PasswordPrompt
  /// Edits of this run that can be undone, oldest first.
  @Observed package internal(set) var edits = FinishedEdits()
  /// The last deleted own question with its product; nil after another operation.
  @Observed var takenBack: (question: Question, product: ListedProduct)?
  var outbox = Outbox()
  /// Number of bulk edits so far, from which each gets its own number.
  var runs = 0

  /// The last flow; nil before the first.
  @Observed private var flow: Flow?
  /// Submission of the running flow; nil if it has none.
  private var submission: Submission?
  private weak let delegate: (any SellingDelegate)?

  /// Opens forms and dialogs on `stack`; `delegate` is held weakly.
  package init(
    _ services: SellingServices, on stack: LayerStack, delegate: any SellingDelegate
  ) {
    self.services = services
    self.stack = stack
    self.delegate = delegate
    account = SellerAccountModel(services, delegate: delegate)
    drafts = DraftCollection(services, account: account)
    passwordCache = PasswordCache(clock: services.clock)
    passwords = PasswordPrompt(services, account: account, cache: passwordCache)
    watchOutbox()
  }

  /// Loads the account, with `namingSeller` from the market too, and the drafts.
  package func start(namingSeller: Bool = true) async {
    await account.start(namingSeller: namingSeller)
    await drafts.load()
  }

  /// Saves the draft of the open form and a changed account, before the program ends.
  /// - Returns: hints for those that could not be saved.
  package func save() async -> [Notice.Hint] {
    var unsaved: [Notice.Hint] = []
    await drafts.outliving.finish()
    if await form?.save() == false { unsaved.append(.draftNotSaved) }
    if await !account.saveAgain() { unsaved.append(.accountNotSaved) }
    return unsaved
  }

  // MARK: The running flow

  private var current: Flow? { flow.flatMap { $0.isEnded ? nil : $0 } }

  /// The open form; nil if there is none.
  package var form: FormModel? { current?.base as? FormModel }

  /// Whether a flow is running.
  package var isBusy: Bool { current != nil }

  /// Whether a form is being loaded.
  package var isOpening: Bool { current?.isOpening == true }

  /// `Esc`: cancels the loading of a form.
  package func cancelOpening() { if isOpening { current?.end() } }

  /// Begins a flow, also in place of one whose form is still loading; does nothing while another one
  /// runs.
  func startFlow(_ body: @escaping @MainActor (Flow) async -> Void) {
    guard !isBusy || isOpening else { return }
    current?.end()
    submission = nil
    let flow = Flow(on: stack)
    self.flow = flow
    flow.run(body)
  }

  /// Makes the submission of the running flow.
  func submission(
    to purpose: SellingPurpose, _ product: ListedProduct? = nil, from draft: Draft? = nil
  ) -> Submission {
    let submission = Submission(purpose, product, draft: draft, makeToken: services.makeToken)
    self.submission = submission
    return submission
  }

  // MARK: Results

  func announce(_ notice: Notice) { delegate?.announce(notice) }

  func report(_ outcome: SellingOutcome) { delegate?.didFinish(outcome) }

  func reportSellerChange(_ seller: Seller.ID) { delegate?.sellerDidChange(seller) }

  func showRegistered(_ detail: ProductDetail) { delegate?.didRegister(detail) }

  /// Shows the progress of an upload in its dialog.
  package func didUpload(_ progress: UploadProgress) {
    (current?.dialog as? SendingModel)?.didUpload(progress)
  }

  /// Passes a change by others to the dialog or form of the same product.
  package func didSee(_ change: ProductChange) {
    guard let current, let submission, submission.product?.id == change.id else { return }
    (current.dialog as? PasswordModel)?.didSee(change.kind == .deleted ? .deleted : .changed)
    // The response of a running request covers this change.
    if !(current.dialog is SendingModel) { form?.didSee(change) }
  }

  // MARK: Forms

  /// Opens a form in place of all layers of the flow.
  func open(
    _ form: ProductForm, of submission: Submission, isGuessed: Bool = false,
    savedAt: Timestamp? = nil, in flow: Flow
  ) -> FormModel {
    let model = FormModel(
      form, of: submission, isGuessed: isGuessed, savedAt: savedAt, in: flow, services: services,
      drafts: drafts, delegate: delegate)
    passwordCache.form = model
    flow.open(model)
    if isGuessed { announce(.hint(.formOffline)) }
    model.announceDropped()
    return model
  }

  /// Shows a form until it is sent or left.
  func fillIn(_ form: FormModel, in flow: Flow) async {
    defer { form.submission.password?.wipe() }
    while let wish = await flow.next(of: form) {
      switch wish {
      case .submit where form.form.purpose.asked != nil: await sendQuestion(form, in: flow)
      case .submit where form.submission.purpose == .registration: await register(form, in: flow)
      case .submit: await sendEdit(form, in: flow)
      case .compare(let theirs): await compare(form, with: theirs, in: flow)
      case .leave: leave(form.form, of: form.submission, saying: .draftSaved, in: flow)
      }
    }
  }

  /// Shows both versions of a changed product and takes the chosen values over.
  func compare(_ form: FormModel, with theirs: ProductDetail, in flow: Flow) async {
    let conflict = Conflict(mine: form.form, theirs: theirs)
    if conflict.rows.isEmpty {
      form.replace(with: conflict.resolved())
      return announce(.hint(.sameByNow))
    }
    if let resolved = await flow.present(ConflictModel(conflict)) { form.replace(with: resolved) }
  }

  /// Closes a form and saves its draft; if that fails, the form opens again.
  func leave(
    _ form: ProductForm, of submission: Submission, saying hint: Notice.Hint, in flow: Flow
  ) {
    flow.end()
    guard submission.isUnderWay || !form.isUntouched else {
      return drafts.discard(submission.draftID)
    }
    drafts.outliving.run { [self] in
      if await drafts.save(Draft(of: form, for: submission, at: services.now())) {
        if !isBusy { await drafts.load() }
        announce(.hint(hint))
      } else {
        reopen(form, of: submission)
      }
    }
  }

  /// Opens a form again whose draft could not be saved, and asks whether to discard it.
  private func reopen(_ form: ProductForm, of submission: Submission) {
    guard !isBusy else { return announce(.hint(.draftNotSaved)) }
    startFlow { [self] flow in
      let model = open(form, of: submission, in: flow)
      let asked = ConfirmationModel(.abandonment(name: form.name.text))
      if await flow.present(asked) != true { await fillIn(model, in: flow) }
    }
  }
}
