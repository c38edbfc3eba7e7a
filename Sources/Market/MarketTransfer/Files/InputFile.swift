import Glibc
import Posix

/// File or pipe that is read in pieces of at most 1 MB.
package final class InputFile {
  private static let pieceSize = 1 << 20

  let path: String
  private let descriptor: Int32
  /// Length in bytes; nil for a pipe.
  let size: Int?
  private(set) var bytesRead = 0
  /// Bytes that `peek()` has read, to be returned next.
  private var ahead: [UInt8]?
  /// Content of a file in memory.
  private var held: ArraySlice<UInt8> = []
  private var heldSize = 0

  /// Opens a file; `-` is standard input.
  ///
  /// - Throws: `.file` where it cannot be opened.
  package init(path: String) throws(TransferError) {
    self.path = path
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(path) }
    size = FileDescriptorIO.fileSize(of: descriptor)
  }

  /// A file of bytes in memory, read in pieces of at most `size` bytes.
  init(of bytes: [UInt8], inPiecesOf size: Int = .max) {
    (path, descriptor, self.size) = ("-", -1, bytes.count)
    (held, heldSize) = (bytes[...], size)
  }

  private init(descriptor: Int32, path: String, size: Int) {
    self.descriptor = descriptor
    self.path = path
    self.size = size
  }

  deinit {
    if descriptor > STDIN_FILENO { close(descriptor) }
  }

  /// The next piece; empty at the end.
  /// - Throws: `.file` where reading fails.
  func readPiece() throws(TransferError) -> [UInt8] {
    if let ahead {
      self.ahead = nil
      return ahead
    }
    guard descriptor >= 0 else {
      defer { held = held.dropFirst(heldSize) }
      return Array(held.prefix(heldSize))
    }
    do throws(SystemError) {
      let piece = try FileDescriptorIO.read(upTo: Self.pieceSize, from: descriptor)
      bytesRead += piece.count
      return piece
    } catch {
      throw .system(path, error)
    }
  }

  /// The next bytes, up to at least one line end or a full piece; they are read again by the next call.
  /// - Throws: what `readPiece()` throws.
  func peek() throws(TransferError) -> [UInt8] {
    var piece: [UInt8] = []
    while piece.count < Self.pieceSize, !piece.contains(where: { $0 == 0x0A || $0 == 0x0D }),
      case let more = try readPiece(), !more.isEmpty
    {
      piece += more
    }
    ahead = piece
    return piece
  }

  /// Part of the file that was read, 0 to 1; nil for a pipe.
  var share: Double? {
    size.map { Double(bytesRead) / Double(max(1, $0)) }
  }

  /// A file of the same content that can be read twice: this one, or an unnamed copy of a pipe.
  /// - Throws: `.file` or `.diskFull` where the copy in `/tmp` cannot be written; what `readPiece()`
  ///   throws.
  func rewindable() throws(TransferError) -> InputFile {
    if size != nil { return self }
    var name = Array("/tmp/market-XXXXXX".utf8CString)
    let copy = mkstemp(&name)
    guard copy >= 0 else { throw .system("/tmp") }
    unlink(name)
    while case let piece = try readPiece(), !piece.isEmpty {
      do throws(SystemError) {
        try FileDescriptorIO.writeAll(piece, to: copy)
      } catch {
        close(copy)
        throw .system("/tmp", error)
      }
    }
    let file = InputFile(descriptor: copy, path: path, size: bytesRead)
    try file.rewind()
    return file
  }

  /// Starts again from the beginning.
  /// - Throws: `.file` where the file cannot seek.
  func rewind() throws(TransferError) {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .system(path) }
    bytesRead = 0
    ahead = nil
  }
}

/// Splits a file into lines.
package struct LineReader {
  /// Maximum length of a line in bytes; of longer ones only the start is returned.
  ///
  /// The longest texts of a product fit, with each scalar escaped as in our exports (`\u0000`), and
  /// `QuestionRules.perProduct` questions of `QuestionRules.bytesPerProduct` bytes, each escaped as two.
  static let maxLineLength = 128 << 20

  package struct Line {
    /// From 1.
    package let number: Int
    /// Without the line feed.
    package let bytes: [UInt8]
    package let isTooLong: Bool
  }

  let file: InputFile
  private var piece: [UInt8] = []
  private var position = 0
  private var number = 0

  package init(_ file: InputFile) {
    self.file = file
  }

  /// The next line; nil at the end, where the last line needs no line feed.
  /// - Throws: `.file` where reading fails.
  package mutating func next() throws(TransferError) -> Line? {
    var bytes: [UInt8] = []
    var isTooLong = false
    while try fill() {
      let end = lineFeed()
      let part = piece[position..<(end ?? piece.count)]
      if bytes.count + part.count <= Self.maxLineLength { bytes += part } else { isTooLong = true }
      position = end.map { $0 + 1 } ?? piece.count
      if end != nil { return line(bytes, isTooLong) }
    }
    return bytes.isEmpty && !isTooLong ? nil : line(bytes, isTooLong)
  }

  private mutating func line(_ bytes: [UInt8], _ isTooLong: Bool) -> Line {
    number += 1
    return Line(number: number, bytes: bytes, isTooLong: isTooLong)
  }

  /// Reads the next piece where needed; false at the end.
  private mutating func fill() throws(TransferError) -> Bool {
    guard position == piece.count else { return true }
    piece = try file.readPiece()
    position = 0
    return !piece.isEmpty
  }

  private func lineFeed() -> Int? {
    piece.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress,
        let found = memchr(start + position, 0x0A, bytes.count - position)
      else { return nil }
      return start.distance(to: UnsafeRawPointer(found))
    }
  }
}
