internal import MarketModel

/// Reason why a file cannot become a photo.
package nonisolated enum PhotoProblem: Error, Hashable, Sendable {
  case notFound
  case unreadable
  /// A folder, a device or the like.
  case notAFile
  /// None of the four formats, or broken.
  case notAPicture
  /// Decoding it would cost more than a picture may.
  case tooLarge
  case cancelled
}

/// An entry of a folder, as completion and the picker show it.
package nonisolated struct FolderEntry: Hashable, Sendable {
  package let name: String
  package let isFolder: Bool

  package init(name: String, isFolder: Bool) {
    self.name = name
    self.isFolder = isFolder
  }
}

/// The port to files and to the work on pictures; all of it happens away from the main actor.
package nonisolated protocol PhotoImporter: Sendable {
  /// Reads a file and looks at its first bytes.
  func read(_ path: String) async throws(PhotoProblem) -> [UInt8]

  /// Makes a photo fit to be sent: upright, without metadata, at most 300,000 bytes.
  func encode(_ bytes: [UInt8]) async throws(PhotoProblem) -> [UInt8]

  /// Lets the gallery draw a photo that no market has yet, in the place of what the name stood for.
  func show(_ bytes: [UInt8], as id: FormPhoto.ID)

  /// Lets go of a photo that nothing shows any more.
  func forget(_ id: FormPhoto.ID)

  /// The folders and pictures in a folder, in the order of their names; hidden ones are left out.
  func entries(of folder: String) async -> [FolderEntry]

  /// Whether there is a file, not a folder, at a path.
  func hasFile(_ path: String) async -> Bool
}
