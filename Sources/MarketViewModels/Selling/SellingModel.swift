internal import EditorKit
internal import MarketModel
import Observation

/// Registering, editing and deleting: what a seller has set out to do, and what is on its way.
///
/// What may come in any order is decided by the pure machines of the intent; this shell runs the calls
/// and brings their answers back with the number of the intent they belong to.
@Observable
package final class SellingModel {
  package let account: SellerAccountBook
  package let drafts: DraftBook
  /// Edits of this session that can be taken back, the latest last.
  package private(set) var edits = FinishedEdits()
  /// Whether the market was asked for what a form needs and has not answered; nothing lies over the
  /// list meanwhile.
  package private(set) var isOpening = false

  private let services: SellingServices
  private let reading: FormReading
  private let stack: LayerStack
  private let layers: SellingLayers
  private weak let delegate: (any SellingDelegate)?
  @ObservationIgnored private var intent: SellingIntent?
  @ObservationIgnored private var intents = 0
  @ObservationIgnored private var sending: Task<Void, Never>?
  /// Where the last photo was chosen from.
  @ObservationIgnored var pickedFolder: String?

  /// - Parameters:
  ///   - services: everything outside that selling needs.
  ///   - stack: where forms and dialogs open.
  ///   - delegate: the program around, held weakly.
  package init(
    _ services: SellingServices, on stack: LayerStack, delegate: any SellingDelegate
  ) {
    self.services = services
    self.stack = stack
    self.delegate = delegate
    reading = FormReading(services: services)
    layers = SellingLayers(on: stack)
    account = SellerAccountBook(services, delegate: delegate)
    drafts = DraftBook(services.drafts, account: account)
  }

  /// The form that is open; nil without one.
  package var form: FormModel? { layers.form }

  package var isActive: Bool { !layers.isEmpty }

  /// Learns who sells here, where something was sold before.
  package func start() async { await account.start() }

  /// Writes the draft of the form as it is now.
  package func save() async { await form?.save() }

  // MARK: Intents

  /// Begins something new, also where a form was asked for that has not come; nil while something else
  /// is going on.
  private func begin(
    _ purpose: SellingIntent.Purpose, of product: ListedProduct? = nil, draft: Draft? = nil
  ) -> SellingIntent? {
    if isOpening { end() }
    guard intent == nil else { return nil }
    intents += 1
    let token = services.makeToken()
    let intent = SellingIntent(
      number: intents, purpose: purpose, product: product, draft: draft,
      draftID: draft?.id ?? Draft.ID(rawValue: token),
      key: draft?.key ?? IdempotencyKey(rawValue: token), wasSent: draft?.wasSent ?? false)
    self.intent = intent
    return intent
  }

  /// Ends what is going on: nothing of it stays on the screen, and passwords are wiped.
  private func end() {
    sending?.cancel()
    sending = nil
    intent?.password?.wipe()
    intent = nil
    isOpening = false
    layers.closeAll()
  }

  /// Leaves a dialog: back to the form, or to nothing.
  private func leaveDialog() {
    if form == nil { end() } else { layers.closeDialog() }
  }

  private func isCurrent(_ intent: SellingIntent) -> Bool { self.intent?.number == intent.number }

  private func show(_ dialog: any Layer) {
    layers.show(dialog)
    isOpening = false
  }

  private func open(_ form: ProductForm, savedAt: Timestamp? = nil) {
    isOpening = false
    layers.open(
      FormModel(form, savedAt: savedAt, services: services, layers: layers, delegate: self))
  }

  // MARK: Opening

  /// `n`: offers the drafts there are, else opens an empty form.
  package func beginRegistration() {
    guard !isActive, !isOpening, let intent = begin(.registration) else { return }
    waitForForm {
      let drafts = await self.drafts.all().filter { $0.target == .registration }
      guard self.isCurrent(intent) else { return }
      if drafts.isEmpty { return await self.openRegistration(intent) }
      self.offer(drafts)
    }
  }

  /// `e`: asks for the password of a product first.
  package func beginEdit(of product: ListedProduct) { openPrompt(.edit, product) }

  /// `D`: asks for the password of a product first.
  package func beginDeletion(of product: ListedProduct) { openPrompt(.deletion, product) }

  /// `u`: takes the latest edit back, which needs the password again.
  package func beginUndo() {
    guard let last = edits.last else { return announce(.nothingToUndo) }
    guard !last.undoing().isEmpty else { return announce(.photosGone) }
    openPrompt(.undo, ListedProduct(last.after.product))
  }

  /// `N`: asks for another name to sell under.
  package func beginRenaming() {
    guard !isActive, let seller = account.seller, let intent = begin(.renaming) else { return }
    askName(SellerNameModel.editor(seller.name), intent)
  }

  /// `Esc`: waits no longer for a form.
  package func cancelOpening() {
    if isOpening { end() }
  }

  /// Runs what a form waits for, which may take as long as the market likes.
  private func waitForForm(_ body: @escaping () async -> Void) {
    isOpening = !isActive
    sending = Task.immediate { await body() }
  }

  private func openRegistration(_ intent: SellingIntent) async {
    do throws(RepositoryError) {
      let form = try await reading.registration(from: intent.draft)
      if isCurrent(intent) { open(form, savedAt: intent.draft?.changed) }
    } catch {
      fail(intent, error)
    }
  }

  /// Reads the product anew and opens its form, or offers the draft that was left of it.
  private func openEdit(_ intent: SellingIntent) async {
    guard let product = intent.product else { return }
    do throws(RepositoryError) {
      let (form, left) = try await reading.edit(of: product.id)
      guard isCurrent(intent) else { return }
      if let draft = intent.draft { return resume(draft, in: form) }
      open(form)
      if let left { offer(left, in: form) }
    } catch {
      fail(intent, error)
    }
  }

  private func fail(_ intent: SellingIntent, _ error: RepositoryError) {
    guard isCurrent(intent) else { return }
    end()
    delegate?.announce(.notSent(error, keepsForm: false))
  }

  // MARK: Password

  private func openPrompt(
    _ purpose: SellingIntent.Purpose, _ product: ListedProduct, draft: Draft? = nil
  ) {
    guard !isActive, begin(purpose, of: product, draft: draft) != nil else { return }
    askPassword()
  }

  /// Asks for the password of what is being changed: none was given, the one that was is gone, or it
  /// was right before and is not now.
  private func askPassword(after error: RepositoryError? = nil) {
    guard let intent, let product = intent.product else { return }
    intent.password?.wipe()
    self.intent?.password = nil
    let prompt = PasswordModel(purpose: intent.purpose, product: product, after: error) {
      [self] password throws(RepositoryError) in
      let author = await account.current().author
      try await services.repository.verify(password, for: product.id, by: author)
    } didEnd: { [self] password in
      guard let password else { return leaveDialog() }
      self.intent?.password = password
      didOpenGate(to: product)
    }
    show(prompt)
  }

  /// What the right password opens.
  private func didOpenGate(to product: ListedProduct) {
    guard let intent else { return }
    switch intent.purpose {
    case .deletion: ask(.deletion(product))
    case .undo: ask(.undo(product, losesPhotos: edits.last?.losesPhotos == true))
    case .edit:
      guard let form else { Task.immediate { await openEdit(intent) }; return }
      layers.closeDialog()
      form.submit()
    case .registration, .renaming: break
    }
  }

  // MARK: Name

  private func askName(_ editor: LineEditor, _ intent: SellingIntent) {
    show(
      SellerNameModel(editor, isChange: form == nil) { [self] editor in
        guard let editor else { return leaveDialog() }
        rename(editor, intent)
      })
  }

  /// Takes the name on; a registration that waited for it goes on to its question.
  private func rename(_ editor: LineEditor, _ intent: SellingIntent) {
    let waiting = showSending(intent)
    sending = Task.immediate {
      do throws(RepositoryError) {
        try await account.rename(to: editor.text.trimmed)
        guard isCurrent(intent), layers.dialog === waiting else { return }
        didRename(intent)
      } catch {
        guard isCurrent(intent), layers.dialog === waiting else { return }
        askName(editor, intent)
        delegate?.announce(.notSent(error, keepsForm: false))
      }
    }
  }

  private func didRename(_ intent: SellingIntent) {
    if intent.purpose == .renaming {
      end()
      delegate?.announce(.sold(.renaming))
    } else {
      layers.closeDialog()
      form?.submit()
    }
  }

  // MARK: Sending

  private func askToSubmit(_ intent: SellingIntent) async {
    let name = await account.current().name
    guard isCurrent(intent), let form = form?.form, layers.dialog == nil else { return }
    switch intent.purpose {
    case .registration where name == nil && form.capabilities.queriesBySeller:
      askName(SellerNameModel.editor(), intent)
    case .registration:
      ask(.registration(name: form.name.text, photoCount: form.photos.photos.count))
    case .edit where intent.password == nil: askPassword()
    case .edit:
      let changed = form.changedFields
      ask(.edit(name: form.name.text, fields: form.fields.filter(changed.contains)))
    case .deletion, .undo, .renaming: break
    }
  }

  /// Asks the one question before something is sent.
  private func ask(_ subject: QuestionModel.Subject) {
    guard intent?.flow.ask() == true else { return }
    show(
      QuestionModel(subject) { [self] answer in
        if answer == .yes { return send() }
        intent?.flow.decline()
        leaveDialog()
      })
  }

  /// Begins one attempt after the question was answered with yes.
  private func send() {
    guard let message = intent?.message(form?.form, undoing: edits.last),
      let attempt = intent?.flow.confirm()
    else { return }
    intent?.wasSent = true
    guard let intent else { return }
    showSending(intent)
    sending = Task.immediate {
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
    let removed = await reading.photos(removedBy: form, besides: intent.removed)
    if isCurrent(intent) { self.intent?.removed = removed }
  }

  @discardableResult private func showSending(_ intent: SellingIntent) -> SendingModel {
    let model = SendingModel(intent.purpose) { [self] in cancelSending() }
    show(model)
    return model
  }

  /// Stops waiting for an answer; what was typed stays, and so does the draft.
  private func cancelSending() {
    sending?.cancel()
    intent?.flow.cancel()
    leaveDialog()
    announce(.sendingCancelled)
  }

  /// Learns how much of a form was sent.
  package func didUpload(_ progress: UploadProgress) {
    (layers.dialog as? SendingModel)?.didUpload(progress)
  }

  private func announce(_ hint: Notice.Hint) { delegate?.announce(.hint(hint)) }
}

// MARK: Answers

extension SellingModel {
  /// An attempt came through; that is told and shown even where nobody waits any more.
  private func didSucceed(_ outcome: SellingOutcome, _ intent: SellingIntent) {
    let edit = isCurrent(intent) ? finishedEdit(outcome) : nil
    if isCurrent(intent) {
      guard self.intent?.flow.didSucceed() == true else { return }
      end()
    }
    drafts.discard(intent.draftID)
    switch outcome {
    case .registered(let detail): account.didRegister(detail)
    case .changed where intent.purpose == .undo: edits.removeLast()
    case .changed: if let edit { edits.append(edit) }
    case .deleted(let id): edits.removeAll(of: id)
    }
    delegate?.didFinish(outcome)
    delegate?.announce(.sold(intent.purpose))
  }

  private func finishedEdit(_ outcome: SellingOutcome) -> FinishedEdit? {
    guard case .changed(let after) = outcome, let form = form?.form,
      case .edit(let before) = form.purpose
    else { return nil }
    return FinishedEdit(
      before: before, after: after, capabilities: form.capabilities,
      removed: intent?.removed ?? [:])
  }

  private func didFail(_ error: RepositoryError, attempt: Int, _ intent: SellingIntent) {
    guard isCurrent(intent), self.intent?.flow.didFail(attempt) == true else { return }
    // An attempt that was answered leaves nothing to look for.
    if !error.isTransient { self.intent?.wasSent = false }
    // What was sent before has come through; what the form says now is something else.
    if error == .keyReused {
      self.intent?.key = IdempotencyKey(rawValue: services.makeToken())
    }
    switch error {
    case .invalid(let errors) where form != nil:
      layers.closeDialog()
      form?.refuse(errors)
    case .conflict(let current): didMeet(current, intent)
    case .notFound where intent.purpose == .deletion:
      // Somebody was quicker: what is gone leaves the list as well.
      end()
      if let id = intent.product?.id { delegate?.didFinish(.deleted(id)) }
      delegate?.announce(.notSent(error, keepsForm: false))
    case .wrongPassword, .tooManyAttempts: askPassword(after: error)
    default:
      leaveDialog()
      delegate?.announce(.notSent(error, keepsForm: form != nil))
    }
  }

  /// The product is not what was edited: either an earlier attempt came through after all, or
  /// someone else changed it.
  private func didMeet(_ current: ProductDetail, _ intent: SellingIntent) {
    guard let form = form?.form else {
      end()
      delegate?.announce(.notSent(.conflict(current: current), keepsForm: false))
      return
    }
    if form.isContained(in: current) {
      _ = self.intent?.flow.ask()
      _ = self.intent?.flow.confirm()
      return didSucceed(.changed(current), intent)
    }
    show(ConflictModel(mine: form, theirs: current))
  }

  /// Shows both versions, and goes on in the form over the one that is there now.
  private func show(_ conflict: ConflictModel) {
    show(
      ConflictLayer(conflict) { [self] resolved in
        guard let resolved else { return leaveDialog() }
        guard let form else { return open(resolved) }
        layers.closeDialog()
        form.replace(with: resolved)
      })
  }
}

// MARK: Drafts

extension SellingModel {
  /// Lists all drafts, where there are no products to stand above; false without any.
  func offerDrafts() async -> Bool {
    let drafts = await self.drafts.all()
    guard !drafts.isEmpty, !isActive, begin(.registration) != nil else { return false }
    offer(drafts)
    return true
  }

  private func offer(_ list: [Draft]) {
    show(
      DraftsModel(list, on: stack) { [self] answer in
        switch answer {
        case .open(let draft): open(draft)
        case .remove(let id): drafts.discard(id)
        case .none: end()
        }
      })
  }

  /// Asks whether an edit that was left goes on in its form.
  private func offer(_ draft: Draft, in form: ProductForm) {
    show(
      QuestionModel(.draft(draft)) { [self] answer in
        switch answer {
        case .yes: resume(draft, in: form)
        case .no: layers.closeDialog()
        case .none: end()
        }
      })
  }

  /// Goes on with a draft, or with a new form; the draft of an edit needs the product's password.
  private func open(_ draft: Draft?) {
    if let draft, case .edit(let id) = draft.target {
      if isActive { end() }
      return openEdit(of: id, with: draft)
    }
    intent = nil
    guard let intent = begin(.registration, draft: draft) else { return }
    waitForForm { await self.openRegistration(intent) }
  }

  /// Asks for the password of the product that a draft is about, if it still exists.
  private func openEdit(of id: Product.ID, with draft: Draft) {
    guard let intent = begin(.edit, draft: draft) else { return }
    waitForForm {
      do throws(RepositoryError) {
        let product = try await self.services.repository.detail(of: id).product
        guard self.isCurrent(intent) else { return }
        self.end()
        self.openPrompt(.edit, ListedProduct(product), draft: draft)
      } catch {
        self.fail(intent, error)
      }
    }
  }

  /// Puts the draft of an edit into its form, and keeps it from then on; where the product is
  /// another by now, both versions are shown first.
  private func resume(_ draft: Draft, in form: ProductForm) {
    guard let current = intent, case .edit(let detail) = form.purpose else { return }
    intent = nil
    guard begin(.edit, of: current.product, draft: draft) != nil else { return }
    intent?.password = current.password
    if let conflict = ConflictModel(draft: draft, form: form, theirs: detail) {
      show(conflict)
      return layers.closeForm()
    }
    var form = form
    form.restore(draft)
    open(form, savedAt: draft.changed)
  }

  /// Opens a form again of which no draft could be kept, and asks whether to leave it all the same.
  private func bringBack(_ form: ProductForm, of intent: SellingIntent) {
    guard !isActive, begin(intent.purpose, of: intent.product, draft: intent.draft) != nil else {
      return announce(.draftNotKept)
    }
    open(form)
    show(
      QuestionModel(.abandonment(name: form.name.text)) { [self] answer in
        if answer == .yes { end() } else { layers.closeDialog() }
      })
  }

  private func keep(_ draft: Draft) async -> Bool {
    let isSaved = await drafts.save(draft)
    if !isActive { await drafts.load() }
    return isSaved
  }

  // MARK: Above the products

  package func openFromShelf() {
    guard !isActive, let draft = drafts.shelf.selectedDraft else { return }
    open(draft)
  }

  package func askToRemoveFromShelf() {
    guard !isActive, let draft = drafts.shelf.selectedDraft else { return }
    show(
      QuestionModel(.draftRemoval(name: draft.values.name)) { [self] answer in
        layers.closeDialog()
        if answer == .yes { drafts.discard(draft.id) }
      })
  }
}

// MARK: The open form

extension SellingModel: FormDelegate {
  func announce(_ notice: Notice) { delegate?.announce(notice) }

  func didSubmit(_ form: FormModel) {
    guard let intent, intent.flow.phase == .resting else { return }
    if intent.purpose == .edit, form.form.patch().isEmpty {
      drafts.discard(intent.draftID)
      end()
      return announce(.nothingChanged)
    }
    Task.immediate { await askToSubmit(intent) }
  }

  func didLeave(_ form: FormModel) {
    guard let intent else { return }
    let form = form.form
    guard !form.isUntouched else {
      drafts.discard(intent.draftID)
      return end()
    }
    let draft = form.draft(for: intent, now: services.now())
    end()
    Task.immediate {
      if await keep(draft) { announce(.draftKept) } else { bringBack(form, of: intent) }
    }
  }

  func keep(_ form: ProductForm, at now: Timestamp) async -> Bool {
    guard let intent else { return false }
    return await keep(form.draft(for: intent, now: now))
  }

  func editExternally(_ text: String) async -> EditorOutcome {
    await delegate?.editExternally(text) ?? EditorOutcome.none
  }
}
