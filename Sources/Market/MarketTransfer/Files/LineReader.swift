import Glibc

/// Divides a file into its lines.
struct LineReader {
  /// Longer lines are told from their beginning only: the longest texts of a product fit, each of
  /// their scalars escaped as our own files have it (`\u0000`).
  static let longestLine = 8 << 20

  struct Line {
    /// Counted from 1.
    let number: Int
    /// Without the line feed.
    let bytes: [UInt8]
    let isTooLong: Bool
  }

  let file: InputFile
  private var piece: [UInt8] = []
  private var position = 0
  private var number = 0

  init(_ file: InputFile) {
    self.file = file
  }

  /// The next line, nil at the end; the last one need not end with a line feed.
  mutating func next() throws(TransferError) -> Line? {
    var bytes: [UInt8] = []
    var isTooLong = false
    while try fill() {
      let end = lineFeed()
      let part = piece[position..<(end ?? piece.count)]
      if bytes.count + part.count <= Self.longestLine { bytes += part } else { isTooLong = true }
      position = end.map { $0 + 1 } ?? piece.count
      if end != nil { return line(bytes, isTooLong) }
    }
    return bytes.isEmpty && !isTooLong ? nil : line(bytes, isTooLong)
  }

  private mutating func line(_ bytes: [UInt8], _ isTooLong: Bool) -> Line {
    number += 1
    return Line(number: number, bytes: bytes, isTooLong: isTooLong)
  }

  /// Whether there is something to read.
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
