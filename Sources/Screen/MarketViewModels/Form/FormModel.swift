internal import EditorKit
package import MarketModel

/// The form while it is filled in: its photos, the draft that follows it, and what it waits for.
package final class FormModel: Dialog {
  /// What one wants of the form, which stays open meanwhile.
  package enum Wish: Sendable {
    /// Everything in it keeps the rules.
    case submit
    /// Both versions of a product are to be shown that others changed while it was edited.
    case compare(ProductDetail)
    case leave
  }

  package let reply = Reply<Wish>()
  @Observed package private(set) var form: ProductForm
  /// When the draft was last written to disk.
  @Observed package private(set) var savedAt: Timestamp?
  /// Whether the market could not be asked what it takes.
  @Observed private(set) var isGuessed: Bool
  /// What others did to the product since the form was opened; nil where nothing is known of it.
  @Observed package private(set) var meanwhile: ConcurrentChange?

  let submission: Submission
  let photos: FormPhotoCache
  private let flow: Flow
  private let services: SellingServices
  private let drafts: DraftCollection
  private let pickedFolder: PickedFolder
  private weak let delegate: (any SellingDelegate)?
  private let monitor: EditConflictMonitor
  private var saving: Task<Void, Never>?
  /// Whether sending was asked for while photos were still being made smaller.
  private var submitsWhenReady = false
  private var isClosed = false

  /// How long after a change the draft is written; the next change waits for no later one.
  private static let saveDelay = Duration.milliseconds(300)

  init(
    _ form: ProductForm, of submission: Submission, isGuessed: Bool = false,
    savedAt: Timestamp? = nil, in flow: Flow, services: SellingServices, drafts: DraftCollection,
    pickedFolder: PickedFolder, delegate: (any SellingDelegate)?
  ) {
    self.form = form
    self.submission = submission
    self.isGuessed = isGuessed
    self.savedAt = savedAt
    self.flow = flow
    self.services = services
    self.drafts = drafts
    self.pickedFolder = pickedFolder
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

  /// Whether a dialog lies over it, and nothing in it changes by keys.
  private var isCovered: Bool { isClosed || flow.dialog != nil }

  // MARK: Text

  /// Changes the form.
  package func edit(_ change: (inout ProductForm) -> Void) {
    guard !isCovered else { return }
    submitsWhenReady = false
    change(&form)
    didEdit()
  }

  /// Puts pasted text into the field that has the focus; where not all of it fits, the field says so
  /// or the bar does.
  package func paste(_ text: String) {
    edit { form in
      let isWhole = form.paste(text)
      if !isWhole, form.cut[form.focus] == nil { delegate?.announce(.hint(.textCut)) }
    }
  }

  /// `Ctrl-E`: hands the description to the seller's own editor, and takes what that brings back.
  package func openEditor() {
    guard !isCovered else { return }
    // Nothing is sent behind the editor's back.
    submitsWhenReady = false
    Task.immediate {
      await delegate?.editExternally(form.description.text) { take($0) }
    }
  }

  private func take(_ outcome: EditorOutcome) {
    guard !isClosed else { return }
    switch outcome {
    case .text(let text): edit { $0.replaceDescription(with: text) }
    case .failed: delegate?.announce(.hint(.editorFailed))
    case .none: delegate?.announce(.hint(.editorMissing))
    }
  }

  /// Opens the list of what one may choose for the field that has the focus; an answer ticks it.
  package func openChoices() {
    if form.purpose.asked != nil { return edit { $0.toggle() } }
    guard !isCovered, case .choice(let chosen) = form[form.focus], form.choices.contains(chosen)
    else { return }
    flow.ask(ChoiceModel(form.choices, selected: chosen, of: .field(form.focus))) { [self] choice in
      edit { $0.choose(choice) }
    }
  }

  /// `F7`: asks for the name under which what is in the form is kept as a template.
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

  /// Shows the password that is being typed, or hides it again.
  package func togglePassword() { if !isCovered { form.togglePassword() } }

  package func didCover() { form.hidePassword() }

  /// A password that was kept is forgotten, also where it stands in the form.
  func forgetGivenPassword() {
    guard form.password.isGiven else { return }
    form.wipePassword()
    didEdit()
  }

  // MARK: Sending and leaving

  /// `Ctrl-S`: checks everything, then sends it after one question.
  package func submit() {
    if !isCovered, isReady() { reply.give(.submit) }
  }

  /// Whether it can be sent as it is; where not, it says why, or is sent when its photos are ready.
  ///
  /// What has to wait for the market waits without its password.
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

  /// Whether it cannot be sent now, as far as is known.
  var waitsForMarket: Bool { form.purpose == .registration && services.reach.isAway }

  /// Learns what the market takes, where nobody could say so before.
  func learn(_ capabilities: RepositoryCapabilities) {
    form.learn(capabilities)
    isGuessed = false
    announceDropped()
  }

  /// Says which fields the market does not have, where something stood in them.
  func announceDropped() {
    if let notice = Notice.dropped(by: form) { delegate?.announce(notice) }
  }

  /// Puts what the market refused on its fields.
  func refuse(_ errors: [FieldError]) {
    form.refuse(errors)
    refuse()
  }

  private func refuse() { announce(.formHasProblems) }

  /// Learns that others changed its product.
  func didSee(_ change: ProductChange) {
    guard case .edit(let base) = form.purpose, !change.led(to: base.version) else { return }
    if change.kind == .deleted { didSee(.deleted) } else { monitor.check(self) }
  }

  /// Learns what its product is by now.
  func didSee(_ meanwhile: ConcurrentChange) { if !isClosed { self.meanwhile = meanwhile } }

  /// Shows both versions of a product that others changed.
  package func compare() {
    guard !isCovered, case .changed(let theirs) = meanwhile else { return }
    submitsWhenReady = false
    reply.give(.compare(theirs))
  }

  /// Goes on with what was chosen between two versions.
  func replace(with form: ProductForm) {
    self.form = form
    meanwhile = nil
    photos.release(except: form.photos.photos)
    didEdit()
  }

  /// `Esc`: leaves the form and keeps a draft of it.
  package func leave() {
    if !isCovered { reply.give(.leave) }
  }

  /// Writes the draft as it is now; false where that failed, which is said.
  @discardableResult package func save() async -> Bool {
    guard !isClosed, submission.isUnderWay || !form.isUntouched else { return true }
    let now = services.now()
    let isSaved = await drafts.save(Draft(of: form, for: submission, at: now))
    guard !isClosed else { return true }
    if isSaved { savedAt = now } else { announce(.draftNotSaved) }
    return isSaved
  }

  /// Lets the draft follow within a moment.
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
  /// Changes which photo is selected, or their order.
  package func editPhotos(_ change: (inout PhotoList) -> Void) {
    edit { $0.editPhotos(change) }
  }

  /// Opens the line for paths, where another photo may be added.
  package func openPhotoPath() {
    guard !isCovered, canAddPhotos() else { return }
    if let waiting = services.waiting {
      let names = waiting.names().filter { !hasPhoto(from: $0) }
      return names.isEmpty ? announce(.noWaitingPhotos) : addPhotos(at: names)
    }
    flow.interject { [self] in
      let line = PhotoPathModel(files: services.photos, home: services.home)
      switch await flow.present(line) {
      case .paths(let text): addPhotos(named: text)
      case .folder(let folder):
        // The folder of the line, else the one of the last choice, else the home.
        let folder = folder ?? pickedFolder.path ?? services.home
        _ = await flow.present(PickerModel(folder: folder, form: self, services: services))
      case nil: break
      }
    }
  }

  /// Adds files that were chosen in the picker.
  func addPicked(_ paths: [String]) {
    guard let last = paths.last else { return }
    pickedFolder.path = String(last.prefix(upTo: last.lastIndex(of: "/") ?? last.endIndex))
    addPhotos(at: paths)
  }

  /// How many more photos there is room for.
  var photoRoom: Int {
    changesPhotos ? FormRules.photoCount.upperBound - form.photos.photos.count : 0
  }

  /// Whether a file is among the photos.
  func hasPhoto(from path: String) -> Bool {
    form.photos.photos.contains { photos.paths[$0.id]?.isSamePath(as: path) == true }
  }

  /// Adds photos by the paths in a text, as a paste or a drop brings it.
  package func addPhotos(named text: String) {
    // Whoever pastes a book here has missed the field.
    let text = String(text.prefix(PathWords.maxLength))
    Task.immediate {
      let (paths, unmatched) = await services.photos.files(named: text, home: services.home)
      for name in unmatched { delegate?.announce(.photoFailed(name: name, .noMatch)) }
      if !paths.isEmpty { addPhotos(at: paths) }
    }
  }

  /// Asks once whether the selected photo is to go.
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

  /// Whether another photo can be added.
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

  /// Adds as many files as there is room for, and says where that is not all of them.
  private func addPhotos(at paths: [String]) {
    guard !isClosed, canAddPhotos() else { return }
    let room = photoRoom
    for path in paths.prefix(room) { addPhoto(at: path) }
    if paths.count > room { delegate?.announce(.photosCut(taken: room, of: paths.count)) }
  }

  private func addPhoto(at path: String) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let id = FormPhoto.ID(rawValue: "photo:" + services.makeToken())
    photos.paths[id] = path
    form.editPhotos { _ = $0.add(id, name: name) }
    photos.work(on: id) { [self] in
      do throws(PhotoProblem) {
        try await photos.prepare(id, from: path) { [self] content in
          let isHeld = !isClosed && form.photos.photos.contains { $0.id == id }
          if isHeld { form.editPhotos { $0.update(id, to: content) } }
          return isHeld
        }
        didPrepare(id, from: path)
      } catch {
        guard !isClosed, error != .cancelled else { return }
        form.editPhotos { $0.remove(id) }
        photos.release(except: form.photos.photos)
        delegate?.announce(.photoFailed(name: name, error))
      }
    }
  }

  /// Goes on to send what was waiting for its photos.
  private func didPrepare(_ id: FormPhoto.ID, from path: String) {
    guard case .ready(let photo) = form.photos.photos.first(where: { $0.id == id })?.content else {
      return
    }
    if photo.isCut { announce(.photoCut) }
    services.waiting?.remove(path)
    didEdit()
    guard submitsWhenReady, !form.photos.isBusy else { return }
    submitsWhenReady = false
    submit()
  }
}
