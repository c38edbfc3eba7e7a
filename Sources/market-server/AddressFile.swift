import Glibc
import MarketStrings
import Posix
import SafeText
import StoreCore

/// A file that holds the address of a database with its password, for its owner's eyes alone.
struct AddressFile {
  private static let byteLimit = 4_096

  let path: String

  /// Reads the address.
  ///
  /// - Returns: where the market is.
  /// - Throws: what is wrong with the file.
  func place() throws(ServerOptions.Mistake) -> MarketPlace {
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
    guard words.count == 1, case .database(let address) = MarketPlace(words[0]) else {
      throw mistake(.databaseFileEmpty)
    }
    return .database(address)
  }

  private func mistake(_ phrase: Phrase) -> ServerOptions.Mistake {
    let path = path
    return ServerOptions.Mistake { strings in strings(phrase, SafeText(path)).string }
  }

  private func unreadable() -> ServerOptions.Mistake {
    let reason = SystemError.last.description
    return ServerOptions.Mistake { strings in
      strings(.databaseFileUnreadable, SafeText(reason)).string
    }
  }
}
