internal import MarketModel

/// Reason why a file cannot become a photo.
package nonisolated enum PhotoProblem: Error, Hashable, Sendable {
  case notFound
  case unreadable
  /// A folder, device or other special file.
  case notAFile
  /// None of the picture formats.
  case notAPicture
  case video
  /// libheif is not installed.
  case noHEIF
  /// HEIC and AVIF cannot be decoded here, as in a guest's sealed process.
  case heifNotHere
  /// A picture that cannot be decoded.
  case damaged
  /// Decoding would exceed the limits of a picture.
  case tooLarge
  /// No picture matches the pattern.
  case noMatch
  case cancelled
}

/// Port to uploaded photos that wait for a product, oldest first.
package nonisolated protocol PendingPhotos: Sendable {
  func names() -> [String]
  /// Removes a photo after a product has it.
  func remove(_ name: String)
}

/// Port to files and picture processing; all of it runs off the main actor.
package nonisolated protocol PhotoImporter: Sendable {
  /// Reads a file and checks its format by the first bytes.
  /// - Throws: `.notFound`; `.notAFile`; `.unreadable` without permission or if reading fails;
  ///   `.tooLarge` above the limit; `.video`, `.notAPicture` for another format.
  func read(_ path: String) async throws(PhotoProblem) -> [UInt8]

  /// Prepares a photo for sending: upright, without metadata, at most 300,000 bytes.
  /// - Throws: `.damaged` if it cannot be decoded, `.tooLarge` if it exceeds the limits, `.noHEIF` and
  ///   `.heifNotHere` for HEIC and AVIF, `.cancelled` if the task is.
  func encode(_ bytes: [UInt8]) async throws(PhotoProblem) -> PreparedPhoto

  /// Whether the gallery can draw the file itself.
  func canShow(_ bytes: [UInt8]) -> Bool

  /// Makes a local photo available to the gallery under an id, in place of an earlier one.
  func show(_ bytes: [UInt8], as id: FormPhoto.ID)

  /// Releases a photo.
  func forget(_ id: FormPhoto.ID)

  /// Folders, then pictures of a folder, each by name, without hidden ones.
  func listing(of folder: String) async -> FolderListing

  /// Pictures whose paths match a shell pattern (glob(7)), by name; at most some hundreds.
  func files(matching pattern: String) async -> [String]

  /// Whether a path leads to a file that is no folder.
  func hasFile(_ path: String) async -> Bool
}

nonisolated extension PhotoImporter {
  /// Files that a text names: as a whole, or by its words and patterns; `unmatched` are patterns
  /// without a match.
  func files(
    named text: String, home: String
  ) async -> (paths: [String], unmatched: [String]) {
    let whole = PathWords.path(text.trimmed, home: home)
    // A dropped path with spaces may have no quotes.
    if await hasFile(whole) { return ([whole], []) }
    var (paths, unmatched): ([String], [String]) = ([], [])
    for word in PathWords.paths(in: text, home: home).prefix(PathWords.maxCount) {
      // A file name may contain a bracket.
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
