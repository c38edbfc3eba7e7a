import TextCoding

/// Body of one request, taken out of the bytes of a connection as they arrive (RFC 9112, sections
/// 6 and 7).
package struct BodyReader {
  /// Bytes of chunk extensions and of trailer fields that one request may have.
  private static let overheadLimit = 4 << 10
  /// Hexadecimal digits of a chunk's size; more than any limit needs.
  private static let sizeDigits = 8

  private enum Phase: Hashable {
    /// So many bytes of the body, or of a chunk, are still to come.
    case data(Int)
    /// The size of a chunk, of which so many digits have come.
    case size(Int, digits: Int)
    /// Words that a client may add to a chunk after its size.
    case chunkExtension(size: Int)
    /// The line feed after a chunk's size.
    case sizeEnd(Int)
    /// CR LF after a chunk's data: the first byte and the second.
    case dataEnd, dataEndFeed
    /// Fields after the last chunk, which are checked and dropped.
    case trailer
    case done
  }

  private let isChunked: Bool
  private var phase: Phase
  private var overhead = 0
  private var trailer: [UInt8] = []
  private var trailerScanner = HeadScanner()
  /// The bytes that have arrived.
  package private(set) var body: [UInt8] = []
  private let limit: Int

  /// Reads a body of at most `limit` bytes.
  package init(_ framing: RequestHead.Framing, limit: Int) {
    self.limit = limit
    isChunked = framing == .chunked
    phase =
      switch framing {
      case .none: .done
      case .length(let count): .data(count)
      case .chunked: .size(0, digits: 0)
      }
  }

  package var isDone: Bool { phase == .done }

  /// Takes the bytes that belong to the body and says how many; the rest is the next request's.
  ///
  /// Throws 400 where chunks are malformed, 413 where the body is too large.
  package mutating func take(from bytes: UnsafeRawBufferPointer) throws(RequestRejection) -> Int {
    var index = 0
    while index < bytes.count, phase != .done {
      switch phase {
      case .data(let rest):
        let count = min(rest, bytes.count - index)
        try append(UnsafeRawBufferPointer(rebasing: bytes[index..<(index + count)]), of: rest)
        index += count
      case .trailer:
        try takeTrailer(bytes[index])
        index += 1
      default:
        try takeFraming(bytes[index])
        index += 1
      }
    }
    return index
  }

  private mutating func append(
    _ piece: UnsafeRawBufferPointer, of rest: Int
  ) throws(RequestRejection) {
    let count = body.count + piece.count
    guard count <= limit else { throw .contentTooLarge }
    if body.capacity < count {
      // Room grows with what has come, not with what was announced, and ends where the body does.
      body.reserveCapacity(min(max(2 * count, 4_096), isChunked ? limit : body.count + rest))
    }
    body.append(contentsOf: piece)
    let left = rest - piece.count
    phase = left > 0 ? .data(left) : isChunked ? .dataEnd : .done
  }

  private mutating func takeFraming(_ byte: UInt8) throws(RequestRejection) {
    switch (phase, byte) {
    case (.size(let size, let digits), _)
    where digits < Self.sizeDigits && Hexadecimal.value(of: byte) != nil:
      phase = .size(size << 4 | Int(Hexadecimal.value(of: byte) ?? 0), digits: digits + 1)
    case (.size(let size, 1...), UInt8(ascii: "\r")): try begin(size)
    case (.size(let size, 1...), UInt8(ascii: ";")): phase = .chunkExtension(size: size)
    case (.chunkExtension(let size), UInt8(ascii: "\r")): try begin(size)
    case (.chunkExtension, 0x20...0x7E), (.chunkExtension, 0x09), (.chunkExtension, 0x80...):
      overhead += 1
      guard overhead <= Self.overheadLimit else { throw .badRequest }
    case (.sizeEnd(let size), UInt8(ascii: "\n")): phase = size > 0 ? .data(size) : .trailer
    case (.dataEnd, UInt8(ascii: "\r")): phase = .dataEndFeed
    case (.dataEndFeed, UInt8(ascii: "\n")): phase = .size(0, digits: 0)
    default: throw .badRequest
    }
  }

  /// A chunk that cannot fit is refused before its data comes.
  private mutating func begin(_ size: Int) throws(RequestRejection) {
    guard body.count + size <= limit else { throw .contentTooLarge }
    phase = .sizeEnd(size)
  }

  private mutating func takeTrailer(_ byte: UInt8) throws(RequestRejection) {
    trailer.append(byte)
    guard trailer.count + overhead <= Self.overheadLimit else { throw .headersTooLarge }
    let isWhole = try trailer.withBytes { bytes throws(RequestRejection) in
      guard try trailerScanner.end(in: bytes) != nil else { return false }
      var lines = HeadLines(bytes)
      while let line = lines.next() { _ = try HeaderLine(parsing: line) }
      return true
    }
    if isWhole { phase = .done }
  }
}
