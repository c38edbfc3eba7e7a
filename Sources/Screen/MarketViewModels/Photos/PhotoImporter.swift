internal import MarketModel

/// Reason why a file cannot become a photo.
package nonisolated enum PhotoProblem: Error, Hashable, Sendable {
  case notFound
  case unreadable
  /// A folder, a device or the like.
  case notAFile
  /// None of the four formats.
  case notAPicture
  /// One of them, of which nothing can be shown.
  case damaged
  /// Decoding it would cost more than a picture may.
  case tooLarge
  /// A pattern to which no picture's name fits.
  case noMatch
  case cancelled
}

/// The port to photos that came by another way and wait for a product, in the order in which they came.
package nonisolated protocol PendingPhotos: Sendable {
  func names() -> [String]
  /// A product has the photo now.
  func remove(_ name: String)
}

/// The port to files and to the work on pictures; all of it happens away from the main actor.
package nonisolated protocol PhotoImporter: Sendable {
  /// Reads a file and looks at its first bytes.
  func read(_ path: String) async throws(PhotoProblem) -> [UInt8]

  /// Makes a photo fit to be sent: upright, without metadata, at most 300,000 bytes.
  func encode(_ bytes: [UInt8]) async throws(PhotoProblem) -> PreparedPhoto

  /// Lets the gallery draw a photo that no market has yet, in the place of what the name stood for.
  func show(_ bytes: [UInt8], as id: FormPhoto.ID)

  /// Lets go of a photo that nothing shows any more.
  func forget(_ id: FormPhoto.ID)

  /// The folders and then the pictures in a folder, in the order of their names; hidden ones are left
  /// out.
  func listing(of folder: String) async -> FolderListing

  /// The pictures whose paths match a pattern of a shell (glob(7)), in the order of their names; no
  /// more than some hundreds.
  func files(matching pattern: String) async -> [String]

  /// Whether there is a file, not a folder, at a path.
  func hasFile(_ path: String) async -> Bool
}

nonisolated extension PhotoImporter {
  /// The files that a text names: itself, or its words and what matches those of them that are
  /// patterns; with the patterns that match nothing.
  func files(
    named text: String, home: String
  ) async -> (paths: [String], unmatched: [String]) {
    let whole = PathWords.path(text.trimmed, home: home)
    // A dropped name with spaces in it may come without quotes.
    if await hasFile(whole) { return ([whole], []) }
    var (paths, unmatched): ([String], [String]) = ([], [])
    for word in PathWords.paths(in: text, home: home).prefix(PathWords.maxCount) {
      // A file may have a bracket in its name.
      guard let pattern = word.pattern, await !hasFile(word.path) else {
        paths.append(word.path)
        continue
      }
      let matches = await files(matching: pattern)
      if matches.isEmpty { unmatched.append(word.path) }
      paths += matches.filter { match in !paths.contains { $0.isSamePath(as: match) } }
    }
    return (paths, unmatched)
  }
}
