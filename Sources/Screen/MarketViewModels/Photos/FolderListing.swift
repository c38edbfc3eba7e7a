package import MarketModel

/// Folders and pictures in a folder, for completion and the picker.
package nonisolated struct FolderListing: Hashable, Sendable {
  package let entries: [FolderEntry]
  /// False if the folder has more entries than are listed.
  package let isComplete: Bool
  /// Reason why there are no entries; nil if the folder was read.
  package let problem: Problem?

  package enum Problem: Hashable, Sendable {
    case missing, unreadable
  }

  package init(_ entries: [FolderEntry] = [], isComplete: Bool = true, problem: Problem? = nil) {
    self.entries = entries
    self.isComplete = isComplete
    self.problem = problem
  }
}

/// Subfolder, or file with the name of a picture.
package nonisolated struct FolderEntry: Hashable, Identifiable, Sendable {
  /// As in the folder: some file systems store combining marks as separate characters.
  package let name: String
  package let isFolder: Bool
  package let bytes: Int
  package let modified: Timestamp
  /// Name prepared for the filter.
  private let texts: SearchedTexts

  package init(
    name: String, isFolder: Bool, bytes: Int = 0, modified: Timestamp = Timestamp(seconds: 0)
  ) {
    self.name = name
    self.isFolder = isFolder
    self.bytes = bytes
    self.modified = modified
    texts = SearchedTexts([name], SearchTokenizer())
  }

  /// Bytes of the name: strings are equal in any normal form, file names are not.
  package var id: [UInt8] { Array(name.utf8) }

  /// Whether the name contains all words, by the rules of searches.
  func has(_ words: [SearchTokenizer.Word]) -> Bool { texts.have(words: words) }
}
