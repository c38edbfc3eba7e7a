package import MarketModel

/// The folders and pictures in a folder, as completion and the picker show them.
package nonisolated struct FolderListing: Hashable, Sendable {
  package let entries: [FolderEntry]
  /// False where the folder has more than are listed.
  package let isComplete: Bool
  /// Why there are none; nil where the folder was read.
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

/// An entry of a folder: another folder, or a file that is a picture by its name.
package nonisolated struct FolderEntry: Hashable, Identifiable, Sendable {
  /// As the folder has it: on some disks the marks of letters are characters of their own.
  package let name: String
  package let isFolder: Bool
  package let bytes: Int
  package let modified: Timestamp
  /// What a filter looks at.
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

  /// The bytes of its name: strings are equal in any normal form, files are not.
  package var id: [UInt8] { Array(name.utf8) }

  /// Whether the name has each of these words, as searches find them.
  func has(_ words: [SearchTokenizer.Word]) -> Bool { texts.have(words: words) }
}
