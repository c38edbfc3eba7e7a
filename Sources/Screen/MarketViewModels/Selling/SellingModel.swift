internal import EditorKit
package import MarketModel

/// Selling on one market: what the flows of a seller share, and the one that is going on.
///
/// Each flow is a function in a file of its own: `sell`, `edit`, `delete`, `undo`, `rename` and `change`
/// of several products.
package final class SellingModel {
  package let account: SellerAccountModel
  package let drafts: DraftCollection
  /// The password that proved right last, and those that are in use.
  package let passwordCache: PasswordCache
  let services: SellingServices
  let stack: LayerStack
  let passwords: PasswordPrompt
  /// Edits of this run that can be taken back, the latest last.
  @Observed package internal(set) var edits = FinishedEdits()
  /// The question that was taken back last, with what it was about, until something else is done.
  @Observed var takenBack: (question: Question, product: ListedProduct)?
  /// Registrations that wait for their market.
  var outbox = Outbox()
  /// Where the last photo was chosen from.
  let pickedFolder = PickedFolder()
  /// Counts the changes of several products, by which what belongs to one of them is known.
  var runs = 0

  /// What is going on; nil or ended between two.
  @Observed private var flow: Flow?
  /// What the flow sends.
  private var submission: Submission?
  private weak let delegate: (any SellingDelegate)?

  /// Opens forms and dialogs on `stack`, and holds the program around weakly.
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

  /// Learns the account here, where something was sold before, and which drafts were left.
  package func start(namingSeller: Bool = true) async {
    await account.start(namingSeller: namingSeller)
    await drafts.load()
  }

  /// Writes the draft of the form as it is now, and what is new about who sells; what could not be
  /// kept, for the program is about to end.
  package func save() async -> [Notice.Hint] {
    var unsaved: [Notice.Hint] = []
    await drafts.outliving.finish()
    if await form?.save() == false { unsaved.append(.draftNotSaved) }
    if await !account.saveAgain() { unsaved.append(.accountNotSaved) }
    return unsaved
  }

  // MARK: What is going on

  private var current: Flow? { flow.flatMap { $0.isEnded ? nil : $0 } }

  /// The form that is open; nil without one.
  package var form: FormModel? { current?.base as? FormModel }

  /// Whether a seller has begun something here that has not ended.
  package var isBusy: Bool { current != nil }

  /// Whether a form was asked for and has not come.
  package var isOpening: Bool { current?.isOpening == true }

  /// `Esc`: waits no longer for a form.
  package func cancelOpening() { if isOpening { current?.end() } }

  /// Begins a flow, also in the place of one whose form has not come yet; while another one goes on
  /// nothing happens.
  func begin(_ body: @escaping @MainActor (Flow) async -> Void) {
    guard !isBusy || isOpening else { return }
    current?.end()
    submission = nil
    let flow = Flow(on: stack)
    self.flow = flow
    flow.run(body)
  }

  /// What a flow sends from now on.
  func submission(
    to purpose: SellingPurpose, _ product: ListedProduct? = nil, from draft: Draft? = nil
  ) -> Submission {
    let submission = Submission(purpose, product, draft: draft, makeToken: services.makeToken)
    self.submission = submission
    return submission
  }

  // MARK: What came of it

  func announce(_ notice: Notice) { delegate?.announce(notice) }

  func tell(_ outcome: SellingOutcome) { delegate?.didFinish(outcome) }

  func tellOther(_ seller: Seller.ID) { delegate?.sellerDidChange(seller) }

  func showRegistered(_ detail: ProductDetail) { delegate?.didRegister(detail) }

  /// Learns how much of a form was sent.
  package func didUpload(_ progress: UploadProgress) {
    (current?.dialog as? SendingModel)?.didUpload(progress)
  }

  /// Learns of a change by others, which may be of what is being edited or deleted.
  package func didSee(_ change: ProductChange) {
    guard let current, let submission, submission.product?.id == change.id else { return }
    (current.dialog as? PasswordModel)?.didSee(change.kind == .deleted ? .deleted : .changed)
    // What is being sent is told by the answer.
    if !(current.dialog is SendingModel) { form?.didSee(change) }
  }

  // MARK: Forms

  /// Opens a form in the place of all that the flow shows.
  func open(
    _ form: ProductForm, of submission: Submission, isGuessed: Bool = false,
    savedAt: Timestamp? = nil, in flow: Flow
  ) -> FormModel {
    let model = FormModel(
      form, of: submission, isGuessed: isGuessed, savedAt: savedAt, in: flow, services: services,
      drafts: drafts, pickedFolder: pickedFolder, delegate: delegate)
    passwordCache.form = model
    flow.open(model)
    if isGuessed { announce(.hint(.formOffline)) }
    model.announceDropped()
    return model
  }

  /// Has a form filled in and sent, until it has come through or is left.
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

  /// Shows both versions of a product that others changed, and goes on with what was chosen.
  func compare(_ form: FormModel, with theirs: ProductDetail, in flow: Flow) async {
    let conflict = Conflict(mine: form.form, theirs: theirs)
    if conflict.rows.isEmpty {
      form.replace(with: conflict.resolved())
      return announce(.hint(.sameByNow))
    }
    if let resolved = await flow.present(ConflictModel(conflict)) { form.replace(with: resolved) }
  }

  /// Closes a form and keeps a draft of it; where that fails, the form comes back.
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

  /// Opens a form again of which no draft could be kept, and asks whether to leave it all the same.
  private func reopen(_ form: ProductForm, of submission: Submission) {
    guard !isBusy else { return announce(.hint(.draftNotSaved)) }
    begin { [self] flow in
      let model = open(form, of: submission, in: flow)
      let asked = ConfirmationModel(.abandonment(name: form.name.text))
      if await flow.present(asked) != true { await fillIn(model, in: flow) }
    }
  }
}

/// Folder from which the last photo was chosen; nil before the first.
final class PickedFolder {
  var path: String?
}
