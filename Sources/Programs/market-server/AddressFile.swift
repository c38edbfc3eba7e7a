import CommandKit
import Glibc
import MarketStrings
import Posix
import StoreCore

/// A file that holds the address of a database with its password, for its owner's eyes alone.
struct AddressFile {
  private static let byteLimit = 4_096

  let path: String

  /// Reads where the market is.
  func place() throws(CommandLineError) -> StoreLocation {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable() }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable() }
    guard status.st_mode & S_IFMT == S_IFREG else { throw mistake(.databaseFileEmpty) }
    guard status.st_mode & 0o077 == 0 else { throw mistake(.databaseFileOpen) }
    var bytes = [UInt8](repeating: 0, count: Self.byteLimit)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw unreadable() }
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.count == 1, case .database(let address) = StoreLocation(words[0]) else {
      throw mistake(.databaseFileEmpty)
    }
    return .database(address)
  }

  private func mistake(_ phrase: Phrase) -> CommandLineError { .said(phrase, path) }

  private func unreadable() -> CommandLineError {
    .said(.databaseFileUnreadable, SystemError.last.description)
  }
}
