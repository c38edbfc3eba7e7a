package import EditorKit
package import MarketModel

/// A folder that is looked through for photos: what of it is shown, where the cursor is, and which
/// files are marked, here and in other folders; a pure machine.
package struct FolderPicker {
  /// Absolute, without a slash at its end; empty is the root.
  package private(set) var folder: String
  package private(set) var listing = FolderListing()
  /// What the names that are shown have to hold.
  package private(set) var filter = LineEditor(limit: maxFilterLength)
  /// The entries that the filter lets through.
  package private(set) var entries: [FolderEntry] = []
  package private(set) var selected = 0
  /// The first entry in sight.
  package private(set) var first = 0
  /// The paths of the marked files in the order in which they were marked.
  package private(set) var marked: [String] = []
  /// False while the folder is being read.
  package private(set) var isRead = false
  /// Rows of the list.
  private(set) var rows = 1
  /// The folder that was left for this one, to be selected in it.
  private var cameFrom: String?

  private static let maxFilterLength = 100

  package init(folder: String) {
    self.folder = folder
  }

  package var selectedEntry: FolderEntry? {
    entries.indices.contains(selected) ? entries[selected] : nil
  }

  /// The selected file as a gallery draws it; nil for a folder.
  package var picture: Picture? {
    guard let entry = selectedEntry, !entry.isFolder else { return nil }
    let locator = "file:" + path(of: entry)
    return Picture(original: locator, thumbnail: locator)
  }

  package func path(of entry: FolderEntry) -> String { folder + "/" + entry.name }

  package func isMarked(_ entry: FolderEntry) -> Bool {
    !entry.isFolder && marked.contains { $0.isSamePath(as: path(of: entry)) }
  }

  // MARK: Moving

  package mutating func move(by distance: Int) { select(selected + distance) }

  package mutating func select(_ index: Int) {
    selected = index.clamped(to: 0...max(0, entries.count - 1))
    scroll()
  }

  /// Learns how many rows of the list are in sight.
  package mutating func fit(rows: Int) {
    self.rows = max(1, rows)
    scroll()
  }

  private mutating func scroll() {
    let highest = max(0, entries.count - rows)
    first = first.clamped(to: max(0, selected - rows + 1)...selected).clamped(to: 0...highest)
  }

  // MARK: Filtering and marking

  package mutating func edit(_ change: (inout LineEditor) -> Void) {
    let before = filter.text
    change(&filter)
    if filter.text != before { show(selecting: selectedEntry?.name) }
  }

  package mutating func clearFilter() { edit { $0 = LineEditor(limit: Self.maxFilterLength) } }

  package mutating func mark(_ path: String) { marked.append(path) }

  /// Takes a mark away; false where there is none.
  package mutating func unmark(_ path: String) -> Bool {
    guard let index = marked.firstIndex(where: { $0.isSamePath(as: path) }) else { return false }
    marked.remove(at: index)
    return true
  }

  package mutating func unmarkAll() { marked = [] }

  // MARK: Folders

  /// Goes to another folder, whose entries are still to come.
  mutating func go(to folder: String) {
    self.folder = folder
    listing = FolderListing()
    entries = []
    filter = LineEditor(limit: Self.maxFilterLength)
    (selected, first) = (0, 0)
    isRead = false
    cameFrom = nil
  }

  /// Goes to the folder above; false at the root.
  mutating func goUp() -> Bool {
    guard let slash = folder.lastIndex(of: "/") else { return false }
    let name = String(folder[folder.index(after: slash)...])
    go(to: String(folder[..<slash]))
    cameFrom = name
    return true
  }

  mutating func didRead(_ listing: FolderListing, of folder: String) {
    guard folder.isSamePath(as: self.folder) else { return }
    self.listing = listing
    isRead = true
    show(selecting: cameFrom)
  }

  /// Shows what the filter lets through, with the cursor on this name where that is among it.
  private mutating func show(selecting name: String?) {
    let words = SearchTokenizer().wanted(by: filter.text)
    entries = listing.entries.filter { $0.has(words) }
    select(entries.firstIndex { $0.name == name } ?? 0)
  }
}

extension String {
  /// Whether two paths are the same bytes; strings are equal in any normal form, files are not.
  nonisolated func isSamePath(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
