internal import EditorKit
package import MarketModel
import Observation

/// Registering, editing and deleting: from what a seller sets out to do to the market's answer.
///
/// What may come in any order is decided by the pure machines of the intent; this shell runs the calls
/// and brings their answers back with the number of the intent they belong to.
@Observable
package final class SellingModel {
  package let account: SellerAccountBook
  package let drafts: DraftBook
  package let opening: FormOpening
  private let waiting: WaitingDrafts
  /// Edits of this run that can be taken back, the latest last.
  package private(set) var edits = FinishedEdits()

  private let services: SellingServices
  private let running: RunningIntent
  private let watch: EditWatch
  private weak let delegate: (any SellingDelegate)?
  /// How many wrong passwords in a row were given for products in this run.
  @ObservationIgnored private var wrongTries: [Product.ID: Int] = [:]
  /// Where the last photo was chosen from.
  @ObservationIgnored var pickedFolder: String?

  /// Opens forms and dialogs on `stack`, and holds the program around weakly.
  package init(
    _ services: SellingServices, on stack: LayerStack, delegate: any SellingDelegate
  ) {
    self.services = services
    self.delegate = delegate
    running = RunningIntent(layers: SellingLayers(on: stack), makeToken: services.makeToken)
    watch = EditWatch(running, repository: services.repository)
    account = SellerAccountBook(services, delegate: delegate)
    drafts = DraftBook(services.drafts, account: account)
    opening = FormOpening(running, services: services, drafts: drafts, on: stack)
    waiting = WaitingDrafts(
      running, services: services, drafts: drafts, opening: opening, on: stack)
    opening.delegate = self
    waiting.delegate = self
  }

  /// The form that is open; nil without one.
  package var form: FormModel? { running.form }

  /// Whether a seller has begun something here that has not ended.
  package var isBusy: Bool { isActive || running.intent != nil }

  private var isActive: Bool { !running.layers.isEmpty }

  /// Learns who sells here, where something was sold before.
  package func start() async { await account.start() }

  /// Writes the draft of the form as it is now.
  package func save() async { await form?.save() }

  // MARK: Beginning

  /// `e`: asks for the password of a product first.
  package func beginEdit(of product: ListedProduct) { askPassword(to: .edit, product) }

  /// `D`: asks for the password of a product first.
  package func beginDeletion(of product: ListedProduct) { askPassword(to: .deletion, product) }

  /// Whether there is an edit that can be taken back.
  package var hasEdits: Bool { edits.last != nil }

  /// `u`: takes the latest edit back, which needs the password again.
  package func beginUndo() {
    guard let last = edits.last else { return announce(.hint(.nothingToUndo)) }
    guard !last.undoing().isEmpty else { return announce(.hint(.photosGone)) }
    askPassword(to: .undo, ListedProduct(last.after.product))
  }

  /// `N`: asks for another name to sell under, and how to be reached.
  package func beginRenaming() {
    guard !isActive, let seller = account.seller, let intent = running.begin(.renaming)
    else { return }
    askName(SellerLineModel.nameEditor(seller.name), intent)
  }

  // MARK: Password

  /// Asks for the password of what is being changed: none was given, the one that was is gone, or it
  /// was right before and is not now.
  private func askPassword(after error: RepositoryError? = nil) {
    guard let intent = running.intent, let product = intent.product else { return }
    intent.password?.wipe()
    running.intent?.password = nil
    let prompt = PasswordModel(
      purpose: intent.purpose, product: product, wrongCount: wrongTries[product.id] ?? 0,
      after: error
    ) { [self] password throws(RepositoryError) in
      let author = await account.current().author
      try await services.repository.verify(password, for: product.id, by: author)
    } didEnd: { [self] password in
      guard let password else { return running.leaveDialog() }
      running.intent?.password = password
      didOpenGate(to: product)
    }
    prompt.didChangeTries = { [self] in wrongTries[product.id] = $0 }
    running.show(prompt)
    Task.immediate {
      let sample = await services.samplePassword(product.id)
      let limit = (try? await services.repository.capabilities())?.passwordTries
      prompt.learn(tryLimit: limit, samplePassword: sample)
    }
  }

  func askPassword(
    to purpose: SellingIntent.Purpose, _ product: ListedProduct, draft: Draft? = nil
  ) {
    guard !isActive, running.begin(purpose, of: product, draft: draft) != nil else { return }
    askPassword()
  }

  /// What the right password opens.
  private func didOpenGate(to product: ListedProduct) {
    guard let intent = running.intent else { return }
    switch intent.purpose {
    case .deletion: ask(.deletion(product))
    case .undo:
      guard let last = edits.last else { return running.end() }
      ask(.undo(product, last.undoneChanges, losesPhotos: last.losesPhotos))
    case .edit:
      guard let form else {
        Task.immediate { await opening.openEdit(intent) }
        return
      }
      running.layers.closeDialog()
      form.submit()
    case .registration, .renaming: break
    }
  }

  // MARK: Name

  private func askName(_ editor: LineEditor, _ intent: SellingIntent) {
    running.show(
      SellerLineModel(.name(isChange: form == nil), editor) { [self] name in
        guard let name else { return running.leaveDialog() }
        askContact(
          SellerLineModel.contactEditor(account.seller?.contact), after: name, intent)
      })
  }

  /// Asks how the seller is reached; the way back leads to the name.
  private func askContact(_ editor: LineEditor, after name: LineEditor, _ intent: SellingIntent) {
    running.show(
      SellerLineModel(.contact, editor) { [self] contact in
        guard let contact else { return askName(name, intent) }
        introduce(name, contact, intent)
      })
  }

  /// Tells the market who sells; a registration that waited for it goes on to its question.
  private func introduce(_ name: LineEditor, _ contact: LineEditor, _ intent: SellingIntent) {
    let waiting = showSending(intent)
    running.ask { [self] in
      do throws(RepositoryError) {
        try await account.change(
          SellerChange(
            name: name.text.trimmed, contact: SellerChange.Contact(entered: contact.text)))
        guard running.isCurrent(intent), running.layers.dialog === waiting else { return }
        didRename(intent)
      } catch {
        guard running.isCurrent(intent), running.layers.dialog === waiting else { return }
        askContact(contact, after: name, intent)
        announce(.notSent(error, keepsForm: false))
      }
    }
  }

  private func didRename(_ intent: SellingIntent) {
    if intent.purpose == .renaming {
      running.end()
      if let seller = account.seller { delegate?.sellerDidChange(seller.id) }
      announce(.sold(.renaming))
    } else {
      running.layers.closeDialog()
      form?.submit()
    }
  }

  // MARK: Sending

  private func askToSubmit(_ intent: SellingIntent) async {
    let name = await account.current().name
    guard running.isCurrent(intent), let form = form?.form, running.layers.dialog == nil else {
      return
    }
    switch intent.purpose {
    case .registration where name == nil && form.capabilities.queriesBySeller:
      askName(SellerLineModel.nameEditor(), intent)
    case .registration where intent.isConfirmed:
      _ = running.intent?.flow.ask()
      send()
    case .registration:
      ask(.registration(name: form.name.text, photoCount: form.photos.photos.count))
    case .edit where intent.password == nil: askPassword()
    case .edit:
      ask(.edit(name: form.name.text, form.changes))
    case .deletion, .undo, .renaming: break
    }
  }

  /// Asks the one question before something is sent.
  private func ask(_ subject: QuestionModel.Subject) {
    guard running.intent?.flow.ask() == true else { return }
    running.show(
      QuestionModel(subject) { [self] answer in
        if answer == .yes { return send() }
        running.intent?.flow.decline()
        running.leaveDialog()
      })
  }

  /// Begins one attempt after the question was answered with yes.
  private func send() {
    guard let message = running.intent?.message(form?.form, undoing: edits.last),
      let attempt = running.intent?.flow.confirm()
    else { return }
    running.intent?.wasSent = true
    guard let intent = running.intent else { return }
    showSending(intent)
    running.ask { [self] in
      // On disk before the first byte goes: whoever finds the draft knows that it may have come
      // through.
      if intent.purpose == .registration { await save() }
      if intent.purpose == .edit { await keepRemovedPhotos(intent) }
      do throws(RepositoryError) {
        let author = await account.current().author
        didSucceed(try await message.deliver(to: services.repository, by: author), intent)
      } catch {
        didFail(error, attempt: attempt, intent)
      }
    }
  }

  /// Reads the photos that an edit is about to remove, so that it can be taken back.
  private func keepRemovedPhotos(_ intent: SellingIntent) async {
    guard let form = form?.form else { return }
    let removed = await opening.reading.photos(removedBy: form, besides: intent.removed)
    if running.isCurrent(intent) { running.intent?.removed = removed }
  }

  @discardableResult private func showSending(_ intent: SellingIntent) -> SendingModel {
    let model = SendingModel(intent.purpose) { [self] in cancelSending() }
    running.show(model)
    return model
  }

  /// Stops waiting for an answer; what was typed stays, and so does the draft.
  private func cancelSending() {
    running.cancelAsking()
    running.intent?.flow.cancel()
    running.leaveDialog()
    announce(.hint(.sendingCancelled))
  }

  /// Learns how much of a form was sent.
  package func didUpload(_ progress: UploadProgress) {
    (running.layers.dialog as? SendingModel)?.didUpload(progress)
  }
}

// MARK: Answers

extension SellingModel {
  /// An attempt came through; that is told and shown even where nobody waits any more.
  private func didSucceed(_ outcome: SellingOutcome, _ intent: SellingIntent) {
    let edit = running.isCurrent(intent) ? finishedEdit(outcome) : nil
    if running.isCurrent(intent) {
      guard running.intent?.flow.didSucceed() == true else { return }
      running.end()
    }
    drafts.discard(intent.draftID)
    switch outcome {
    case .registered(let detail): account.didRegister(detail)
    case .changed where intent.purpose == .undo: edits.removeLast()
    case .changed: if let edit { edits.append(edit) }
    case .deleted(let id): edits.removeAll(of: id)
    }
    delegate?.didFinish(outcome)
    announce(.sold(intent.purpose))
  }

  private func finishedEdit(_ outcome: SellingOutcome) -> FinishedEdit? {
    guard case .changed(let after) = outcome, let form = form?.form,
      case .edit(let before) = form.purpose
    else { return nil }
    return FinishedEdit(
      before: before, after: after, capabilities: form.capabilities,
      removed: running.intent?.removed ?? [:])
  }

  private func didFail(_ error: RepositoryError, attempt: Int, _ intent: SellingIntent) {
    guard running.isCurrent(intent), running.intent?.flow.didFail(attempt) == true else { return }
    // An attempt that was answered leaves nothing to look for.
    if !error.isTransient { running.intent?.wasSent = false }
    // What was sent before has come through; what the form says now is something else.
    if error == .keyReused {
      running.intent?.key = IdempotencyKey(rawValue: services.makeToken())
    }
    switch error {
    case .invalid(let errors) where form != nil:
      running.layers.closeDialog()
      form?.refuse(errors)
    case .conflict(let current): didMeet(current, intent)
    case .notFound where intent.purpose == .deletion:
      // Somebody was quicker: what is gone leaves the list as well.
      running.end()
      if let id = intent.product?.id { delegate?.didFinish(.deleted(id)) }
      announce(.notSent(error, keepsForm: false))
    case .wrongPassword, .tooManyAttempts: askPassword(after: error)
    default:
      running.leaveDialog()
      announce(.notSent(error, keepsForm: form != nil))
    }
  }

  /// The product is not what was edited: either an earlier attempt came through after all, or
  /// someone else changed it.
  private func didMeet(_ current: ProductDetail, _ intent: SellingIntent) {
    guard let form = form?.form else {
      running.end()
      announce(.notSent(.conflict(current: current), keepsForm: false))
      return
    }
    if form.isContained(in: current) {
      _ = running.intent?.flow.ask()
      _ = running.intent?.flow.confirm()
      return didSucceed(.changed(current), intent)
    }
    opening.show(Conflict(mine: form, theirs: current))
  }
}

// MARK: Changes by others

extension SellingModel {
  /// Learns of a change by others, which may be of what is being edited or deleted.
  package func didSee(_ change: ProductChange) { watch.didSee(change) }

  func didAskToCompare(_ form: FormModel, with theirs: ProductDetail) {
    guard running.form === form else { return }
    let conflict = Conflict(mine: form.form, theirs: theirs)
    guard conflict.rows.isEmpty else { return opening.show(conflict) }
    form.replace(with: conflict.resolved())
    announce(.hint(.sameByNow))
  }
}

// MARK: The open form

extension SellingModel: FormOpeningDelegate, WaitingDraftsDelegate {
  func announce(_ notice: Notice) { delegate?.announce(notice) }

  func didSubmit(_ form: FormModel) {
    guard let intent = running.intent, intent.flow.phase == .resting else { return }
    if intent.purpose == .edit, form.form.patch().isEmpty {
      drafts.discard(intent.draftID)
      running.end()
      return announce(.hint(.nothingChanged))
    }
    if intent.purpose == .registration, form.waitsForMarket || form.isGuessed {
      return waiting.check(form, intent, showing: showSending(intent))
    }
    // A yes counts for one sending: what goes wrong with that is asked about again.
    running.intent?.isConfirmed = false
    Task.immediate { await askToSubmit(intent) }
  }

  func didLeave(_ form: FormModel) {
    guard let intent = running.intent else { return }
    let form = form.form
    guard !form.isUntouched else {
      drafts.discard(intent.draftID)
      return running.end()
    }
    leave(form, intent, saying: .draftKept)
  }

  /// Closes the form and keeps a draft of it; where that fails, the form comes back.
  func leave(_ form: ProductForm, _ intent: SellingIntent, saying hint: Notice.Hint) {
    let draft = form.draft(for: intent, now: services.now())
    running.end()
    Task.immediate {
      if await keep(draft) {
        announce(.hint(hint))
      } else {
        opening.bringBack(form, of: intent)
      }
    }
  }

  func keep(_ form: ProductForm, at now: Timestamp) async -> Bool {
    guard let intent = running.intent else { return false }
    return await keep(form.draft(for: intent, now: now))
  }

  private func keep(_ draft: Draft) async -> Bool {
    let isSaved = await drafts.save(draft)
    if !isActive { await drafts.load() }
    return isSaved
  }

  func editExternally(_ text: String, then take: (EditorOutcome) -> Void) async {
    guard let delegate else { return take(.none) }
    await delegate.editExternally(text, then: take)
  }
}
