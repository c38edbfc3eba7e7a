package import EditorKit
package import MarketModel

/// The search through folders for photos, which stays open until no more fit.
package final class PickerModel: LineLayer, ListModel, Dialog {
  package let reply = Reply<Never>()
  package let list = SectionedList<Never, FolderEntry>()
  @Observed package private(set) var picker: FolderPicker
  /// The picture under the cursor, once that rests.
  @Observed package private(set) var preview: Picture?
  /// The folder that `~` stands for.
  package let home: String

  private let form: FormModel
  private let files: any PhotoImporter
  private let clock: any Clock<Duration>
  private var reading: Task<Void, Never>?
  private var previewing: Task<Void, Never>?
  /// The picture under the cursor.
  private var picture: Picture?
  /// The entry that was clicked a moment ago, and what forgets it.
  @Observed private var clicked: (path: String, forgetting: Task<Void, Never>)?

  /// How long the cursor rests on a file before that is read.
  private static let previewDelay = Duration.milliseconds(80)
  private static let doubleClick = Duration.milliseconds(400)

  /// A search from a folder on, for photos of this form.
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

  /// Shows what the filter lets through.
  private func show() {
    let words = SearchTokenizer().wanted(by: list.words)
    list.show([ListSection(picker.listing.entries.filter { $0.has(words) })])
    didSelect()
  }

  /// How many more photos the form takes.
  package var room: Int { form.photoRoom }

  /// Whether a file is among the form's photos already.
  package func isAdded(_ entry: FolderEntry) -> Bool {
    !entry.isFolder && form.hasPhoto(from: picker.path(of: entry))
  }

  // MARK: Choosing

  /// `Space`: marks the file under the cursor, or takes its mark away, and goes on to the next one.
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

  /// `Enter`: takes the marked files; without any, the file under the cursor, or opens the folder
  /// there.
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

  /// A click: the cursor goes there; a second one soon after takes the file or opens the folder.
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

  /// A click on the mark of an entry.
  package func toggleMark(number: Int) {
    select(number: number)
    guard let entry = list.selected, !entry.isFolder else { return }
    _ = toggleMark(of: entry)
  }

  /// Whether a second click would be one of two.
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

  /// Shows the picture under the cursor when that has rested there for a moment.
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
