/// The port to a place outside of a market's database that keeps files of pictures under names.
///
/// A name is a relative path of digits, small letters, `-` and `/`, and its file never changes: who
/// writes under a name that is there writes the same bytes. No call takes longer than the storage
/// has patience, whatever became of the other side.
package protocol PictureStorage: Sendable {
  /// Keeps a file, which outlasts a power cut when this returns; nobody ever sees half of it.
  func put(_ bytes: [UInt8], at name: String) async throws(PictureStorageError)

  /// Keeps a file like `put` unless there is one of the name, which stays; true where it was kept.
  ///
  /// A storage that cannot tell replaces it.
  func putFirst(_ bytes: [UInt8], at name: String) async throws(PictureStorageError) -> Bool

  /// Looks whether files may be kept, as far as that can be told without keeping any.
  func checkWriting() async throws(PictureStorageError)

  /// The bytes of a file, at most so many; nil where there is none.
  func bytes(
    at name: String, atMost limit: Int
  ) async throws(PictureStorageError) -> [UInt8]?

  /// Deletes a file; one that is not there is none to delete.
  func delete(_ name: String) async throws(PictureStorageError)
}

/// Failure of a storage for pictures; each may be over the next time.
package enum PictureStorageError: Error, Hashable, Sendable {
  /// Nothing answers, or it refuses: the reason in its own words.
  case unavailable(String)
  /// It has taken longer than the storage has patience.
  case timedOut
  /// Too many calls wait for it already.
  case busy
  case full
  /// A file is longer than it may be.
  case tooLarge
  case cancelled
}

/// Place outside of a market's database where files of pictures are, as an operator names it.
package enum PictureStorageLocation: Hashable, Sendable {
  /// The path of a folder.
  case folder(String)
  case bucket(BucketAddress)

  /// Variable of the environment that names it for every program.
  package static let variable = "MARKET_PICTURES"

  /// Takes a word of a command line; nil for what names no place.
  package init?(_ word: String) {
    if let address = BucketAddress(word) {
      self = .bucket(address)
    } else if !word.isEmpty, !word.contains("://") {
      self = .folder(word)
    } else {
      return nil
    }
  }

  /// The word that names it; it holds no secret.
  package var word: String {
    switch self {
    case .folder(let path): path
    case .bucket(let address): address.text
    }
  }
}
