package import EditorKit
package import MarketModel

/// Photo picker, which stays open while the form has room.
package final class PickerModel: LineLayer, ListModel, Dialog {
  package let reply = Reply<Never>()
  package let list = SectionedList<Never, FolderEntry>()
  @Observed package private(set) var picker: FolderPicker
  /// Picture of the selected file, after a delay; nil before, and for a folder.
  @Observed package private(set) var preview: Picture?
  /// Home folder, for `~`.
  package let home: String

  private let form: FormModel
  private let files: any PhotoImporter
  private let clock: any Clock<Duration>
  private var reading: Task<Void, Never>?
  private var previewing: Task<Void, Never>?
  /// Picture of the selected file; nil for a folder.
  private var picture: Picture?
  /// Path of the entry that was just clicked, and the task that clears it; nil otherwise.
  @Observed private var clicked: (path: String, forgetting: Task<Void, Never>)?

  /// Delay from the selection of a file to its preview.
  private static let previewDelay = Duration.milliseconds(80)
  /// Maximum time between the clicks of a double click.
  private static let doubleClick = Duration.milliseconds(400)

  /// Opens the picker in a folder for the photos of a form.
  init(folder: String, form: FormModel, services: SellingServices) {
    picker = FolderPicker(folder: folder)
    self.form = form
    files = services.photos
    clock = services.clock
    home = services.home
    read()
  }

  package func didClose() {
    for task in [reading, previewing, clicked?.forgetting] { task?.cancel() }
  }

  // MARK: The list

  package func edit(_ change: (inout LineEditor) -> Void) {
    let before = list.words
    list.edit(change)
    if list.words != before { show() }
  }

  package func clearFilter() {
    list.clearFilter()
    show()
  }

  /// Updates the list by the filter.
  private func show() {
    let words = SearchTokenizer().wanted(by: list.words)
    list.show([ListSection(picker.listing.entries.filter { $0.has(words) })])
    didSelect()
  }

  /// Number of photos that the form has room for.
  package var room: Int { form.photoRoom }

  /// Whether the form already has the file.
  package func isAdded(_ entry: FolderEntry) -> Bool {
    !entry.isFolder && form.hasPhoto(from: picker.path(of: entry))
  }

  // MARK: Choosing

  /// `Space`: selects or deselects the file under the cursor and moves to the next one.
  package func toggleMark() {
    guard let entry = list.selected, !entry.isFolder else { return }
    if toggleMark(of: entry) { move(.down) }
  }

  private func toggleMark(of entry: FolderEntry) -> Bool {
    let path = picker.path(of: entry)
    if picker.unmark(path) { return true }
    guard !isAdded(entry) else { return refuse(.photoAdded) }
    guard picker.marked.count < room else { return refuse(.photosFull) }
    picker.mark(path)
    return true
  }

  private func refuse(_ hint: Notice.Hint) -> Bool {
    form.announce(hint)
    return false
  }

  /// `Enter`: adds the selected files; without any, adds the file under the cursor or opens the
  /// folder.
  package func choose() {
    let marked = picker.marked
    guard marked.isEmpty else {
      picker.unmarkAll()
      add(marked)
      return cancel()
    }
    chooseSelected()
  }

  private func chooseSelected() {
    guard let entry = list.selected else { return }
    guard !entry.isFolder else { return openFolder() }
    guard !isAdded(entry) else { return form.announce(.photoAdded) }
    add([picker.path(of: entry)])
  }

  private func add(_ paths: [String]) {
    form.addPicked(paths)
    if room == 0 { cancel() }
  }

  package func openFolder() {
    guard let entry = list.selected, entry.isFolder else { return }
    picker.go(to: picker.path(of: entry))
    read()
  }

  package func goUp() {
    if picker.goUp() { read() }
  }

  package func cancel() { reply.give(nil) }

  /// Handles a click: it moves the cursor; a second one within 400 ms adds the file or opens the
  /// folder.
  package func press(number: Int) {
    select(number: number)
    guard let entry = list.selected else { return }
    let path = picker.path(of: entry)
    let isSecond = clicked?.path.isSamePath(as: path) == true
    clicked?.forgetting.cancel()
    clicked = nil
    guard !isSecond else { return chooseSelected() }
    let forgetting = Task.immediate {
      guard (try? await clock.sleep(for: Self.doubleClick)) != nil else { return }
      clicked = nil
    }
    clicked = (path, forgetting)
  }

  /// Handles a click on the mark of an entry.
  package func toggleMark(number: Int) {
    select(number: number)
    guard let entry = list.selected, !entry.isFolder else { return }
    _ = toggleMark(of: entry)
  }

  /// Whether another click would be a double click.
  var isClicked: Bool { clicked != nil }

  // MARK: Reading

  private func read() {
    let folder = picker.folder
    reading?.cancel()
    clearFilter()
    reading = Task.immediate {
      let listing = await files.listing(of: folder + "/")
      guard !Task.isCancelled else { return }
      let entry = picker.didRead(listing, of: folder)
      show()
      if let entry { list.select(entry) }
      didSelect()
    }
  }

  /// Shows the preview of the file under the cursor after a delay.
  package func didSelect() {
    let selected = list.selected.flatMap(picker.picture)
    guard selected != picture else { return }
    picture = selected
    previewing?.cancel()
    preview = nil
    guard let selected else { return }
    previewing = Task.immediate {
      guard (try? await clock.sleep(for: Self.previewDelay)) != nil else { return }
      preview = selected
    }
  }
}
