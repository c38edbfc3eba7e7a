internal import MarketModel

/// State of the photo picker: the folder with its entries, and the selected files of all folders; a
/// pure state machine.
package struct FolderPicker {
  /// Absolute path without a slash at its end; empty for the root.
  package private(set) var folder: String
  package private(set) var listing = FolderListing()
  /// Paths of the selected files, in the order of selection.
  package private(set) var marked: [String] = []
  /// False while the folder is being read.
  package private(set) var isRead = false
  /// Subfolder from which the user came, to be selected; nil otherwise.
  private var cameFrom: String?

  package init(folder: String) {
    self.folder = folder
  }

  /// Locator of a file for the gallery; nil for a folder.
  func picture(of entry: FolderEntry) -> Picture? {
    guard !entry.isFolder else { return nil }
    let locator = "file:" + path(of: entry)
    return Picture(original: locator, thumbnail: locator)
  }

  package func path(of entry: FolderEntry) -> String { folder + "/" + entry.name }

  // MARK: Selection

  package func isMarked(_ entry: FolderEntry) -> Bool {
    !entry.isFolder && marked.contains { $0.isSamePath(as: path(of: entry)) }
  }

  package mutating func mark(_ path: String) { marked.append(path) }

  /// Deselects a file; false if it was not selected.
  package mutating func unmark(_ path: String) -> Bool {
    guard let index = marked.firstIndex(where: { $0.isSamePath(as: path) }) else { return false }
    marked.remove(at: index)
    return true
  }

  package mutating func unmarkAll() { marked = [] }

  // MARK: Folders

  /// Opens a folder, whose entries are not read yet.
  mutating func go(to folder: String) {
    self.folder = folder
    listing = FolderListing()
    isRead = false
    cameFrom = nil
  }

  /// Opens the parent folder; false at the root.
  mutating func goUp() -> Bool {
    guard let slash = folder.lastIndex(of: "/") else { return false }
    let name = String(folder[folder.index(after: slash)...])
    go(to: String(folder[..<slash]))
    cameFrom = name
    return true
  }

  /// Sets the entries of a folder, unless another one is open by now.
  ///
  /// - Returns: the entry from which the user came; nil if there is none.
  mutating func didRead(_ listing: FolderListing, of folder: String) -> FolderEntry.ID? {
    guard folder.isSamePath(as: self.folder) else { return nil }
    self.listing = listing
    isRead = true
    return listing.entries.first { $0.name == cameFrom }?.id
  }
}

extension String {
  /// Whether two paths have the same bytes; strings are equal in any normal form, file names are not.
  nonisolated func isSamePath(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
