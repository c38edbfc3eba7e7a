internal import EditorKit
package import MarketModel
import Observation

/// Registering, editing and deleting: from what a seller sets out to do to the market's answer.
///
/// It says what comes next; each step is a part with its own dialogs: forms open, passwords and names
/// are asked for, and what was confirmed is delivered.
@Observable
package final class SellingModel {
  package let account: SellerAccountModel
  package let drafts: DraftCollection
  /// The password that proved right last.
  package let passwordCache: PasswordCache
  /// Changes of several products at once.
  let several: BulkEditing
  package let opening: FormPresenter
  private let waiting: Outbox
  private let prompt: PasswordPrompt
  private let introduction: SellerOnboarding
  private let delivery: SubmissionModel

  private let services: SellingServices
  private let running: ActiveIntent
  private let watch: EditConflictMonitor
  private weak let delegate: (any SellingDelegate)?
  /// Where the last photo was chosen from.
  @ObservationIgnored var pickedFolder: String?

  /// Opens forms and dialogs on `stack`, and holds the program around weakly.
  package init(
    _ services: SellingServices, on stack: LayerStack, delegate: any SellingDelegate
  ) {
    self.services = services
    self.delegate = delegate
    running = ActiveIntent(layers: SellingDialogs(on: stack), makeToken: services.makeToken)
    watch = EditConflictMonitor(running, repository: services.repository)
    account = SellerAccountModel(services, delegate: delegate)
    drafts = DraftCollection(services, account: account)
    opening = FormPresenter(running, services: services, drafts: drafts, on: stack)
    waiting = Outbox(
      running, services: services, drafts: drafts, opening: opening, on: stack)
    passwordCache = PasswordCache(clock: services.clock)
    prompt = PasswordPrompt(
      running, services: services, account: account, passwordCache: passwordCache)
    introduction = SellerOnboarding(running, account: account, delegate: delegate)
    delivery = SubmissionModel(
      running, services: services, account: account, drafts: drafts, opening: opening,
      prompt: prompt, passwordCache: passwordCache,
      delegate: delegate)
    several = BulkEditing(
      services: services, account: account, prompt: prompt, passwordCache: passwordCache, on: stack,
      delegate: delegate)
    opening.givenPassword = { [account, passwordCache] in
      passwordCache.password(by: account.identifier)
    }
    opening.delegate = self
    waiting.delegate = self
    prompt.didVerify = { [weak self] product in self?.didOpen(to: product) }
    passwordCache.didForget = { [running] in running.form?.forgetGivenPassword() }
    several.didChange = { [delivery] product, texts, run in
      delivery.edits.append(product, texts: texts, ofRun: run)
    }
    several.didDelete = { [delivery] in delivery.edits.removeAll(of: $0) }
    running.didCancel = { [weak self] in self?.announce(.hint(.sendingCancelled)) }
  }

  /// Edits of this run that can be taken back, the latest last.
  package var edits: FinishedEdits { delivery.edits }

  /// The form that is open; nil without one.
  package var form: FormModel? { running.form }

  /// Whether a seller has begun something here that has not ended.
  package var isBusy: Bool { isActive || running.intent != nil || several.isRunning }

  private var isActive: Bool { !running.layers.isEmpty }

  /// Learns who sells here, where something was sold before.
  package func start(namingSeller: Bool = true) async {
    await account.start(namingSeller: namingSeller)
  }

  /// Writes the draft of the form as it is now, and what is new about who sells; what could not be
  /// kept, for the program is about to end.
  package func save() async -> [Notice.Hint] {
    var unsaved: [Notice.Hint] = []
    if await form?.save() == false { unsaved.append(.draftNotSaved) }
    if await !account.saveAgain() { unsaved.append(.accountNotSaved) }
    return unsaved
  }

  // MARK: Beginning

  /// `e`: asks for the password of a product first.
  package func beginEdit(of product: ListedProduct) { askPassword(to: .edit, product) }

  /// `D`: asks for the password of a product first.
  package func beginDeletion(of product: ListedProduct) { askPassword(to: .deletion, product) }

  /// Whether there is an edit that can be taken back.
  package var hasEdits: Bool { !edits.isEmpty }

  /// `u`: takes the latest edit back, or the latest change of several products as a whole, which needs
  /// the password unless it is kept.
  package func beginUndo() {
    if let last = edits.lastOfSeveral {
      guard !isBusy else { return }
      return several.begin(.restoring(last.texts), of: last.products) { [delivery] product in
        delivery.edits.remove(product, ofRun: last.run)
      }
    }
    guard let last = edits.last else { return announce(.hint(.nothingToUndo)) }
    guard !last.undoing().isEmpty else { return announce(.hint(.photosGone)) }
    askPassword(to: .undo, ListedProduct(last.after.product))
  }

  /// `N`: asks for another name to sell under, and how to be reached.
  package func beginRenaming() {
    guard !isActive, let seller = account.seller, let intent = running.begin(.renaming)
    else { return }
    introduction.begin(intent, from: seller.name)
  }

  // MARK: Password

  func askPassword(
    to purpose: SellingIntent.Purpose, _ product: ListedProduct, draft: Draft? = nil
  ) {
    guard !isActive, running.begin(purpose, of: product, draft: draft) != nil else { return }
    prompt.ask()
  }

  /// What the right password opens.
  private func didOpen(to product: ListedProduct) {
    guard let intent = running.intent else { return }
    switch intent.purpose {
    case .deletion: delivery.ask(.deletion(product))
    case .undo: delivery.askToUndo(product)
    case .edit:
      guard let form else {
        // With a password that was kept nothing lies over the list while the product is read.
        return running.wait { [self] in await opening.openEdit(intent) }
      }
      running.layers.closeDialog()
      form.submit()
    case .registration, .renaming: break
    }
  }

  // MARK: Sending

  /// Asks for what a form needs before it is sent.
  private func askToSubmit(_ intent: SellingIntent) async {
    let account = intent.purpose == .registration ? await account.current() : nil
    guard running.isCurrent(intent), let form = form?.form, running.layers.dialog == nil else {
      return
    }
    switch intent.purpose {
    case .registration where account == nil:
      announce(.hint(.accountNotMade))
    case .registration where account?.name == nil && form.capabilities.queriesBySeller:
      introduction.begin(intent)
    case .registration where intent.isConfirmed:
      delivery.sendConfirmed()
    case .registration:
      delivery.ask(.registration(form.values))
    case .edit where intent.password == nil: prompt.ask()
    case .edit:
      delivery.ask(.edit(name: form.name.text, form.changes))
    case .deletion, .undo, .renaming: break
    }
  }

  /// Learns how much of a form was sent.
  package func didUpload(_ progress: UploadProgress) {
    (running.layers.dialog as? SendingModel)?.didUpload(progress)
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

extension SellingModel: FormOpeningDelegate, OutboxDelegate {
  func announce(_ notice: Notice) { delegate?.announce(notice) }

  func didSubmit(_ form: FormModel) {
    guard let intent = running.intent, intent.flow.phase == .resting else { return }
    if intent.purpose == .edit, form.form.patch().isEmpty {
      drafts.discard(intent.draftID)
      running.end()
      return announce(.hint(.nothingChanged))
    }
    if intent.purpose == .registration, form.waitsForMarket || form.isGuessed {
      return waiting.check(form, intent, showing: running.showSending(intent))
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
    leave(form, intent, saying: .draftSaved)
  }

  /// Closes the form and keeps a draft of it; where that fails, the form comes back.
  func leave(_ form: ProductForm, _ intent: SellingIntent, saying hint: Notice.Hint) {
    let draft = form.draft(for: intent, now: services.now())
    running.end()
    Task.immediate {
      if await keep(draft) {
        announce(.hint(hint))
      } else {
        opening.reopen(form, of: intent)
      }
    }
  }

  func keep(_ form: ProductForm, at now: Timestamp) async -> Bool {
    guard let intent = running.intent else { return false }
    return await keep(form.draft(for: intent, now: now))
  }

  func saveTemplate(_ form: ProductForm, named name: String) async -> Bool {
    guard let intent = running.intent else { return false }
    return await drafts.keep(form.draft(for: intent, now: services.now()), asTemplate: name) != nil
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
