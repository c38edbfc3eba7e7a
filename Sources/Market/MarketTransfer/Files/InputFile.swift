import Glibc
import Posix

/// A file or a pipe that is read piece by piece.
package final class InputFile {
  private static let pieceSize = 1 << 20

  let path: String
  private let descriptor: Int32
  /// Length in bytes; nil for what has none.
  let size: Int?
  private(set) var bytesRead = 0
  /// What was read to look at it, and is still to be handed out.
  private var ahead: [UInt8]?

  /// - Parameter path: a file; `-` is standard input.
  /// - Throws: `.file` where it cannot be opened or is a folder.
  package init(path: String) throws(TransferError) {
    self.path = path
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(path) }
    size = Descriptor.fileSize(of: descriptor)
  }

  private init(descriptor: Int32, path: String, size: Int) {
    self.descriptor = descriptor
    self.path = path
    self.size = size
  }

  deinit {
    if descriptor != STDIN_FILENO { close(descriptor) }
  }

  /// The next piece; empty at the end.
  func readPiece() throws(TransferError) -> [UInt8] {
    if let ahead {
      self.ahead = nil
      return ahead
    }
    do throws(SystemError) {
      let piece = try Descriptor.read(upTo: Self.pieceSize, from: descriptor)
      bytesRead += piece.count
      return piece
    } catch {
      throw .system(path, error)
    }
  }

  /// What the next piece will be.
  func peek() throws(TransferError) -> [UInt8] {
    let piece = try readPiece()
    ahead = piece
    return piece
  }

  /// How much of it was read, 0 to 1; nil for what has no length.
  var share: Double? {
    size.map { Double(bytesRead) / Double(max(1, $0)) }
  }

  /// A file of the same content that can be read twice: this one, or a copy without a name.
  func rewindable() throws(TransferError) -> InputFile {
    if size != nil { return self }
    var name = Array("/tmp/market-XXXXXX".utf8CString)
    let copy = mkstemp(&name)
    guard copy >= 0 else { throw .system("/tmp") }
    unlink(name)
    while case let piece = try readPiece(), !piece.isEmpty {
      do throws(SystemError) {
        try Descriptor.writeAll(piece, to: copy)
      } catch {
        close(copy)
        throw .system("/tmp", error)
      }
    }
    let file = InputFile(descriptor: copy, path: path, size: bytesRead)
    try file.rewind()
    return file
  }

  /// Begins again.
  func rewind() throws(TransferError) {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .system(path) }
    bytesRead = 0
    ahead = nil
  }
}
