internal import MarketModel

/// A folder that is looked through for photos: what it holds, and which files are marked, here and in
/// other folders; a pure machine.
package struct FolderPicker {
  /// Absolute, without a slash at its end; empty is the root.
  package private(set) var folder: String
  package private(set) var listing = FolderListing()
  /// The paths of the marked files in the order in which they were marked.
  package private(set) var marked: [String] = []
  /// False while the folder is being read.
  package private(set) var isRead = false
  /// The folder that was left for this one, to be selected in it.
  private var cameFrom: String?

  package init(folder: String) {
    self.folder = folder
  }

  /// A file as a gallery draws it; nil for a folder.
  func picture(of entry: FolderEntry) -> Picture? {
    guard !entry.isFolder else { return nil }
    let locator = "file:" + path(of: entry)
    return Picture(original: locator, thumbnail: locator)
  }

  package func path(of entry: FolderEntry) -> String { folder + "/" + entry.name }

  // MARK: Marking

  package func isMarked(_ entry: FolderEntry) -> Bool {
    !entry.isFolder && marked.contains { $0.isSamePath(as: path(of: entry)) }
  }

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

  /// Takes over what a folder holds, unless another one is looked through by now.
  ///
  /// - Returns: the entry to select, where the folder was left upwards.
  mutating func didRead(_ listing: FolderListing, of folder: String) -> FolderEntry.ID? {
    guard folder.isSamePath(as: self.folder) else { return nil }
    self.listing = listing
    isRead = true
    return listing.entries.first { $0.name == cameFrom }?.id
  }
}

extension String {
  /// Whether two paths are the same bytes; strings are equal in any normal form, files are not.
  nonisolated func isSamePath(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
