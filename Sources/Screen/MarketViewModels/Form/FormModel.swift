internal import EditorKit
package import MarketModel

/// Open form: its fields and photos, its draft on disk, and changes by others.
package final class FormModel: Dialog {
  /// Answer of the form, which stays open meanwhile.
  package enum Wish: Sendable {
    /// The form is valid and is to be sent.
    case submit
    /// Both versions of a product that others changed are to be shown.
    case compare(ProductDetail)
    case leave
  }

  package let reply = Reply<Wish>()
  @Observed package private(set) var form: ProductForm
  /// Time at which the draft was last saved; nil if it was not.
  @Observed package private(set) var savedAt: Timestamp?
  /// Whether the market's capabilities could not be read.
  @Observed private(set) var isGuessed: Bool
  /// Change by others since the form was opened; nil if none is known.
  @Observed package private(set) var meanwhile: ConcurrentChange?

  let submission: Submission
  let photos: FormPhotoCache
  private let flow: Flow
  private let services: SellingServices
  private let drafts: DraftCollection
  private weak let delegate: (any SellingDelegate)?
  private let monitor: EditConflictMonitor
  private var saving: Task<Void, Never>?
  /// Whether the form is sent as soon as its photos are ready.
  private var submitsWhenReady = false
  private var isClosed = false

  /// Delay from a change to the save of the draft; further changes do not extend it.
  private static let saveDelay = Duration.milliseconds(300)

  init(
    _ form: ProductForm, of submission: Submission, isGuessed: Bool = false,
    savedAt: Timestamp? = nil, in flow: Flow, services: SellingServices, drafts: DraftCollection,
    delegate: (any SellingDelegate)?
  ) {
    self.form = form
    self.submission = submission
    self.isGuessed = isGuessed
    self.savedAt = savedAt
    self.flow = flow
    self.services = services
    self.drafts = drafts
    self.delegate = delegate
    monitor = EditConflictMonitor(repository: services.repository)
    photos = FormPhotoCache(services.photos)
    photos.show(form.photos.photos)
  }

  package func didClose() {
    isClosed = true
    saving?.cancel()
    form.wipePassword()
    photos.release()
  }

  /// Whether a dialog covers the form, which then takes no input.
  private var isCovered: Bool { isClosed || flow.dialog != nil }

  // MARK: Text

  /// Changes the form and schedules a save of its draft.
  package func edit(_ change: (inout ProductForm) -> Void) {
    guard !isCovered else { return }
    submitsWhenReady = false
    change(&form)
    didEdit()
  }

  /// Pastes a text into the focused field; if it is cut, the field or the bottom bar says so.
  package func paste(_ text: String) {
    edit { form in
      let isWhole = form.paste(text)
      if !isWhole, form.cut[form.focus] == nil { delegate?.announce(.hint(.textCut)) }
    }
  }

  /// `Ctrl-E`: opens the description in the user's editor and takes its text over.
  package func openEditor() {
    guard !isCovered else { return }
    // The form is not sent while the editor is open.
    submitsWhenReady = false
    Task.immediate {
      await delegate?.editExternally(form.description.text) { apply($0) }
    }
  }

  private func apply(_ outcome: EditorOutcome) {
    guard !isClosed else { return }
    switch outcome {
    case .text(let text): edit { $0.replaceDescription(with: text) }
    case .failed: delegate?.announce(.hint(.editorFailed))
    case .none: delegate?.announce(.hint(.editorMissing))
    }
  }

  /// Opens the choices of the focused field, or switches the flag of an answer.
  package func openChoices() {
    if form.purpose.asked != nil { return edit { $0.toggle() } }
    guard !isCovered, case .choice(let chosen) = form[form.focus], form.choices.contains(chosen)
    else { return }
    flow.ask(ChoiceModel(form.choices, selected: chosen, of: .field(form.focus))) { [self] choice in
      edit { $0.choose(choice) }
    }
  }

  /// `F7`: asks for a name and saves the form as a template.
  package func keepAsTemplate() {
    guard !isCovered, form.purpose == .registration else { return }
    flow.ask(PromptModel.templateName(form.name.text)) { [self] name in
      Task.immediate {
        let draft = Draft(of: form, for: submission, at: services.now())
        let isSaved = await drafts.keep(draft, asTemplate: name) != nil
        announce(isSaved ? .templateSaved : .templateNotSaved)
      }
    }
  }

  /// Shows or hides the typed password.
  package func togglePassword() { if !isCovered { form.togglePassword() } }

  package func didCover() { form.hidePassword() }

  /// Clears a password that came from the cache; called when the cache is cleared.
  func forgetGivenPassword() {
    guard form.password.isGiven else { return }
    form.wipePassword()
    didEdit()
  }

  // MARK: Sending and leaving

  /// `Ctrl-S`: checks the form and answers `.submit` if it is valid.
  package func submit() {
    if !isCovered, isReady() { reply.give(.submit) }
  }

  /// Whether the form can be sent now; if not, its problems are shown, or it is sent when its photos
  /// are ready.
  ///
  /// A form that will be queued needs no password.
  func isReady() -> Bool {
    guard form.checkAll(but: waitsForMarket ? .password : nil) else {
      refuse()
      return false
    }
    guard !form.photos.isBusy else {
      submitsWhenReady = true
      announce(.photosBusy)
      return false
    }
    return true
  }

  /// Whether a registration would be queued, because the market cannot be reached.
  var waitsForMarket: Bool { form.purpose == .registration && services.reach.isAway }

  /// Sets the capabilities of a form that was opened without them.
  func learn(_ capabilities: RepositoryCapabilities) {
    form.learn(capabilities)
    isGuessed = false
    announceDropped()
  }

  /// Announces the filled fields that the market does not have.
  func announceDropped() {
    if let notice = Notice.dropped(by: form) { delegate?.announce(notice) }
  }

  /// Shows the errors of the market at their fields.
  func refuse(_ errors: [FieldError]) {
    form.refuse(errors)
    refuse()
  }

  private func refuse() { announce(.formHasProblems) }

  /// Checks a change event of the form's product.
  func didSee(_ change: ProductChange) {
    guard case .edit(let base) = form.purpose, !change.led(to: base.version) else { return }
    if change.kind == .deleted { didSee(.deleted) } else { monitor.check(self) }
  }

  /// Sets the change by others, unless the form is closed.
  func didSee(_ meanwhile: ConcurrentChange) { if !isClosed { self.meanwhile = meanwhile } }

  /// Answers `.compare` if others changed the product.
  package func compare() {
    guard !isCovered, case .changed(let theirs) = meanwhile else { return }
    submitsWhenReady = false
    reply.give(.compare(theirs))
  }

  /// Replaces the form by the result of a conflict.
  func replace(with form: ProductForm) {
    self.form = form
    meanwhile = nil
    photos.release(except: form.photos.photos)
    didEdit()
  }

  /// `Esc`: answers `.leave`; a draft is saved.
  package func leave() {
    if !isCovered { reply.give(.leave) }
  }

  /// Saves the draft; false if that failed, which is announced.
  @discardableResult package func save() async -> Bool {
    guard !isClosed, submission.isUnderWay || !form.isUntouched else { return true }
    let now = services.now()
    let isSaved = await drafts.save(Draft(of: form, for: submission, at: now))
    guard !isClosed else { return true }
    if isSaved { savedAt = now } else { announce(.draftNotSaved) }
    return isSaved
  }

  /// Schedules a save of the draft.
  private func didEdit() {
    guard saving == nil else { return }
    saving = Task.immediate {
      guard (try? await services.clock.sleep(for: Self.saveDelay)) != nil else { return }
      saving = nil
      await save()
    }
  }

  func announce(_ hint: Notice.Hint) { delegate?.announce(.hint(hint)) }
}

// MARK: Photos

extension FormModel {
  /// Changes the selection or order of the photos.
  package func editPhotos(_ change: (inout PhotoList) -> Void) {
    edit { $0.editPhotos(change) }
  }

  /// Whether a typed path names a file; a guest's photos are uploaded.
  package var typesPaths: Bool { services.waiting == nil }

  /// Opens the line for a photo's path, or adds the uploaded photos of a guest.
  package func openPhotoPath(beginning start: String = "") {
    guard !isCovered, canAddPhotos() else { return }
    if let waiting = services.waiting {
      let names = waiting.names().filter { !hasPhoto(from: $0) }
      return names.isEmpty ? announce(.noWaitingPhotos) : addPhotos(at: names)
    }
    flow.interject { [self] in
      let line = PhotoPathModel(start, files: services.photos, home: services.home)
      switch await flow.present(line) {
      case .paths(let text): addPhotos(named: text)
      case .folder(let folder):
        // The folder of the line, else that of the last choice, else the home folder.
        let folder = folder ?? services.viewStates.viewState.photoFolder ?? services.home
        _ = await flow.present(PickerModel(folder: folder, form: self, services: services))
      case nil: break
      }
    }
  }

  /// Adds files that were chosen in the picker.
  func addPicked(_ paths: [String]) {
    guard let last = paths.last else { return }
    let folder = String(last.prefix(upTo: last.lastIndex(of: "/") ?? last.endIndex))
    services.viewStates.choose(folder, for: \.photoFolder)
    addPhotos(at: paths)
  }

  /// Number of photos that can be added.
  var photoRoom: Int {
    changesPhotos ? FormRules.photoCount.upperBound - form.photos.photos.count : 0
  }

  /// Whether a file was added as a photo.
  func hasPhoto(from path: String) -> Bool {
    form.photos.photos.contains { photos.paths[$0.id]?.isSamePath(as: path) == true }
  }

  /// Whether photos can come from a telephone.
  package var hasReceiver: Bool { services.receiver != nil }

  /// `p`: opens the page for a telephone's photos.
  package func openTelephone() {
    guard !isCovered, let receiver = services.receiver, canAddPhotos() else { return }
    flow.interject { [self] in
      _ = await flow.present(TelephoneModel(for: self, from: receiver, clock: services.clock))
    }
  }

  /// Adds a telephone's photo; `didEnd` is told whether the form has it.
  func receive(_ photo: UploadedPhoto, then didEnd: @escaping (Bool) -> Void) {
    guard !isClosed, canAddPhotos() else { return didEnd(false) }
    addPhoto(.bytes(photo.bytes), named: photo.name, then: didEnd)
  }

  /// Selects another photo below the layer of a telephone's photos.
  func movePhotoSelection(by distance: Int) {
    let last = form.photos.photos.count - 1
    form.editPhotos { $0.select(($0.selected + distance).clamped(to: 0...max(0, last))) }
  }

  /// Moves the selected photo below that layer, or makes it the cover.
  package func moveSelectedPhoto(by distance: Int) {
    guard form.photos.mayMoveSelected(by: distance) else { return }
    form.editPhotos { $0.moveSelected(by: distance) }
    didEdit()
  }

  /// Removes the selected photo below that layer.
  package func removeSelectedPhoto() {
    guard changesPhotos, let photo = form.photos.selectedPhoto else { return }
    form.editPhotos { $0.remove(photo.id) }
    photos.release(except: form.photos.photos)
    didEdit()
  }

  /// Adds photos by the paths in a pasted or dropped text.
  package func addPhotos(named text: String) {
    // A longer text was pasted into the wrong field.
    let text = String(text.prefix(PathWords.maxLength))
    Task.immediate {
      let (paths, unmatched) = await services.photos.files(named: text, home: services.home)
      for name in unmatched { delegate?.announce(.photoFailed(name: name, .noMatch)) }
      if !paths.isEmpty { addPhotos(at: paths) }
    }
  }

  /// Removes the selected photo, after a confirmation.
  package func askToRemovePhoto() {
    guard !isCovered, let photo = form.photos.selectedPhoto else { return }
    guard changesPhotos else { return announce(.photosFixed) }
    flow.ask(ConfirmationModel(.photoRemoval(name: photo.name))) { [self] isYes in
      guard isYes else { return }
      editPhotos { $0.remove(photo.id) }
      photos.release(except: form.photos.photos)
    }
  }

  package var changesPhotos: Bool {
    form.purpose == .registration || form.capabilities.changesPictures
  }

  /// Whether a photo can be added.
  package var mayAddPhotos: Bool { changesPhotos && form.photos.hasRoom }

  private func canAddPhotos() -> Bool {
    guard changesPhotos else {
      announce(.photosFixed)
      return false
    }
    guard form.photos.hasRoom else {
      announce(.photosFull)
      return false
    }
    return true
  }

  /// Adds files as long as there is room, and announces how many were left out.
  private func addPhotos(at paths: [String]) {
    guard !isClosed, canAddPhotos() else { return }
    let room = photoRoom
    for path in paths.prefix(room) { addPhoto(at: path) }
    if paths.count > room { delegate?.announce(.photosCut(taken: room, of: paths.count)) }
  }

  private func addPhoto(at path: String) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    addPhoto(.path(path), named: name)
  }

  /// Adds a photo; `didEnd` is told whether the form has it.
  private func addPhoto(
    _ source: FormPhotoCache.Source, named name: String,
    then didEnd: @escaping (Bool) -> Void = { _ in }
  ) {
    let id = FormPhoto.ID(rawValue: "photo:" + services.makeToken())
    if case .path(let path) = source { photos.paths[id] = path }
    form.editPhotos { _ = $0.add(id, name: name) }
    photos.work(on: id) { [self] in
      do throws(PhotoProblem) {
        try await photos.prepare(id, from: source) { [self] content in
          let isHeld = hasPhoto(id)
          if isHeld { form.editPhotos { $0.update(id, to: content) } }
          return isHeld
        }
        didPrepare(id, from: photos.paths[id])
        didEnd(hasPhoto(id))
      } catch {
        didEnd(false)
        guard !isClosed, error != .cancelled else { return }
        form.editPhotos { $0.remove(id) }
        photos.release(except: form.photos.photos)
        delegate?.announce(.photoFailed(name: name, error))
      }
    }
  }

  private func hasPhoto(_ id: FormPhoto.ID) -> Bool {
    !isClosed && form.photos.photos.contains { $0.id == id }
  }

  /// Continues a submission that waits for its photos.
  private func didPrepare(_ id: FormPhoto.ID, from path: String?) {
    guard case .ready(let photo) = form.photos.photos.first(where: { $0.id == id })?.content else {
      return
    }
    if form.photos.hasTwin(of: id) {
      form.editPhotos { $0.remove(id) }
      photos.release(except: form.photos.photos)
      announce(.photoTwin)
    }
    for hint in photo.hints { announce(hint) }
    if let path { services.waiting?.remove(path) }
    didEdit()
    guard submitsWhenReady, !form.photos.isBusy else { return }
    submitsWhenReady = false
    submit()
  }
}
