/// The port to a storage for picture files outside of a market's database.
///
/// A name is a relative path of digits, lower-case letters, `-` and `/`, and its content never
/// changes: a second write has the same bytes. Every call ends within the storage's timeout.
///
/// Every method throws `.unavailable`, `.timedOut` and `.busy` as `PictureStorageError`
/// says, and `.cancelled`.
package protocol PictureStorage: Sendable {
  /// Writes a file durably (it survives a power loss) and atomically (readers never see a part).
  ///
  /// - Throws: `.full` where there is no space.
  func put(_ bytes: [UInt8], at name: String) async throws(PictureStorageError)

  /// Writes a file like `put` unless one of the name exists, which stays; true where it was written.
  ///
  /// A storage without conditional writes replaces the file.
  ///
  /// - Throws: what `put(_:at:)` throws.
  func putFirst(_ bytes: [UInt8], at name: String) async throws(PictureStorageError) -> Bool

  /// Checks that files can be written, as far as possible without writing one.
  ///
  /// - Throws: `.unavailable` with the reason where they cannot.
  func checkWriting() async throws(PictureStorageError)

  /// Returns a file; nil where there is none.
  ///
  /// - Throws: `.tooLarge` for a file above `limit` bytes.
  func bytes(
    at name: String, atMost limit: Int
  ) async throws(PictureStorageError) -> [UInt8]?

  /// Deletes a file; a missing one is no error.
  ///
  /// - Throws: `.unavailable`, `.timedOut`, `.busy` or `.cancelled`.
  func delete(_ name: String) async throws(PictureStorageError)
}

/// Failure of a picture storage; each may be temporary.
package enum PictureStorageError: Error, Hashable, Sendable {
  /// The storage does not answer or refuses: its own message.
  case unavailable(String)
  /// The storage's timeout has passed.
  case timedOut
  /// Too many calls wait already.
  case busy
  case full
  /// The file is longer than the limit.
  case tooLarge
  case cancelled
}

/// Location of a picture storage, as an operator writes it.
package enum PictureStorageLocation: Hashable, Sendable {
  /// The path of a folder.
  case folder(String)
  case bucket(BucketAddress)

  /// Environment variable with the location, for all programs.
  package static let variable = "MARKET_PICTURES"

  /// Parses a command-line argument; nil where it is empty or an unknown URL.
  package init?(_ word: String) {
    if let address = BucketAddress(word) {
      self = .bucket(address)
    } else if !word.isEmpty, !word.contains("://") {
      self = .folder(word)
    } else {
      return nil
    }
  }

  /// Text that `init(_:)` parses; contains no secret.
  package var word: String {
    switch self {
    case .folder(let path): path
    case .bucket(let address): address.text
    }
  }
}
