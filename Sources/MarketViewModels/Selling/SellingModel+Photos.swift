package import EditorKit
internal import MarketModel

/// Photos on their way into the form.
extension SellingModel {
  private static let longestPaths = 16_384

  /// Opens the line for paths, where another photo may be added.
  package func openPhotoPath() {
    guard let form, canAddPhotos(form) else { return }
    show(.photoPath(PhotoPathLine()))
  }

  private func canAddPhotos(_ form: ProductForm) -> Bool {
    guard form.purpose == .registration || form.capabilities.changesPictures else {
      didAnnounce(.hint(.photosFixed))
      return false
    }
    guard form.photos.hasRoom else {
      didAnnounce(.hint(.photosFull))
      return false
    }
    return true
  }

  package func editPhotoPath(_ change: (inout LineEditor) -> Void) {
    guard case .photoPath(var line) = dialog else { return }
    line.edit(change)
    dialog = .photoPath(line)
  }

  /// `Tab`: completes the last path as far as there is no choice.
  package func completePhotoPath() {
    guard case .photoPath(let line) = dialog else { return }
    let text = line.editor.text
    let (folder, prefix) = line.lookup(home: services.home)
    Task.immediate {
      let entries = await services.photos.entries(of: folder)
      guard case .photoPath(var line) = dialog, line.editor.text == text else { return }
      line.complete(with: entries, prefix: prefix)
      dialog = .photoPath(line)
    }
  }

  /// Adds what the line names; an empty one or a folder opens the picker.
  package func confirmPhotoPath() {
    guard case .photoPath(let line) = dialog else { return }
    let text = line.editor.text.trimmed
    guard !text.isEmpty, !text.hasSuffix("/") else { return openPicker() }
    show(nil)
    addPhotos(named: text)
  }

  /// Adds photos by the paths in a text, as a paste or a drop brings it.
  package func addPhotos(named text: String) {
    // Whoever pastes a book here has missed the field.
    let text = String(text.prefix(Self.longestPaths))
    let whole = PathWords.path(text.trimmed, home: services.home)
    Task.immediate {
      // A dropped name with spaces in it may come without quotes.
      let isOne = await services.photos.hasFile(whole)
      let paths = isOne ? [whole] : PathWords.paths(in: text, home: services.home)
      // One more than there is room for tells that it was too many.
      for path in paths.prefix(FormRules.photoCount.upperBound + 1) { addPhoto(at: path) }
    }
  }

  private func addPhoto(at path: String) {
    guard var form, let intent, canAddPhotos(form) else { return }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let id = FormPhoto.ID(rawValue: "photo:" + services.makeToken())
    form.editPhotos { _ = $0.add(id, name: name) }
    self.form = form
    photoTasks[id] = Task {
      defer { photoTasks[id] = nil }
      do throws(PhotoProblem) {
        try await prepare(id, from: path, for: intent)
      } catch {
        guard isCurrent(intent.number), error != .cancelled else { return }
        self.form?.editPhotos { $0.remove(id) }
        releasePhotos()
        didAnnounce(.photoFailed(name: name, error))
      }
    }
  }

  /// Reads a file and makes it fit to be sent; stops where the form has no use for it any more.
  private func prepare(
    _ id: FormPhoto.ID, from path: String, for intent: SellingIntent
  ) async throws(PhotoProblem) {
    let bytes = try await services.photos.read(path)
    guard isCurrent(intent.number), heldPhotos.contains(id) else { return }
    showPhoto(bytes, as: id)
    update(id, to: .encoding(fileBytes: bytes.count))
    let encoded = try await services.photos.encode(bytes)
    guard isCurrent(intent.number), heldPhotos.contains(id) else { return }
    // The file may be a hundred times as large as what is sent, which looks the same.
    showPhoto(encoded, as: id)
    update(id, to: .ready(PreparedPhoto(bytes: encoded, fileBytes: bytes.count)))
    didPreparePhoto()
  }

  // MARK: Files in memory

  /// The photos of the form, or of both versions between which one chooses.
  private var heldPhotos: Set<FormPhoto.ID> {
    var photos = form?.photos.photos ?? []
    if case .conflict(let conflict) = dialog { photos += conflict.mine.photos.photos }
    return Set(photos.map(\.id))
  }

  private func showPhoto(_ bytes: [UInt8], as id: FormPhoto.ID) {
    shownPhotos.insert(id)
    services.photos.show(bytes, as: id)
  }

  /// Shows photos that are ready, as those of a draft are.
  func showPhotos(_ photos: [FormPhoto]) {
    for photo in photos {
      guard case .ready(let prepared) = photo.content else { continue }
      showPhoto(prepared.bytes, as: photo.id)
    }
  }

  /// Lets go of photos that no form holds any more, and of the work on them.
  func releasePhotos() {
    let held = heldPhotos
    for (id, task) in photoTasks where !held.contains(id) { task.cancel() }
    for id in shownPhotos where !held.contains(id) { services.photos.forget(id) }
    shownPhotos.formIntersection(held)
  }

  /// Goes on to send what was waiting for its photos.
  private func didPreparePhoto() {
    didEdit()
    guard submitsWhenReady, form?.photos.isBusy == false else { return }
    submitsWhenReady = false
    submit()
  }

  private func update(_ id: FormPhoto.ID, to content: FormPhoto.Content) {
    form?.editPhotos { $0.update(id, to: content) }
  }

  /// Asks once whether the selected photo is to go.
  package func askToRemovePhoto() {
    guard let form, dialog == nil, let photo = form.photos.selectedPhoto else { return }
    guard form.purpose == .registration || form.capabilities.changesPictures else {
      return didAnnounce(.hint(.photosFixed))
    }
    show(.question(SellingQuestion(.photoRemoval(photo.id, name: photo.name))))
  }

  func removePhoto(_ id: FormPhoto.ID) {
    edit { form in form.editPhotos { $0.remove(id) } }
    releasePhotos()
  }

  // MARK: Picker

  /// Looks through the folder that the line names, else the one of the last choice, else the home.
  package func openPicker() {
    guard case .photoPath(let line) = dialog else { return }
    let folder = line.folder(home: services.home) ?? pickedFolder ?? services.home
    show(.picker(FolderPicker(folder: folder)))
    readPickedFolder()
  }

  package func moveInPicker(by distance: Int) {
    guard case .picker(var picker) = dialog else { return }
    picker.move(by: distance)
    dialog = .picker(picker)
  }

  /// Opens the selected folder, or takes the selected file.
  package func choosePicked() {
    guard case .picker(var picker) = dialog, let entry = picker.selectedEntry else { return }
    let path = picker.path(of: entry)
    guard entry.isFolder else {
      pickedFolder = picker.folder
      show(nil)
      return addPhoto(at: path)
    }
    picker.go(to: path)
    dialog = .picker(picker)
    readPickedFolder()
  }

  package func leavePickedFolder() {
    guard case .picker(var picker) = dialog, picker.goUp() else { return }
    dialog = .picker(picker)
    readPickedFolder()
  }

  private func readPickedFolder() {
    guard case .picker(let picker) = dialog else { return }
    Task.immediate {
      let entries = await services.photos.entries(of: picker.folder + "/")
      guard case .picker(var current) = dialog else { return }
      current.didRead(entries, of: picker.folder)
      dialog = .picker(current)
    }
  }
}
