import TextCoding

/// Incremental parser of one request body (RFC 9112, sections 6 and 7).
package struct BodyReader {
  /// Maximum size of a request's chunk extensions and trailer fields in bytes; beyond it the request is
  /// refused with 400 or 431.
  private static let overheadLimit = 4 << 10
  /// Maximum number of digits of a chunk size; more than any limit needs.
  private static let sizeDigits = 8

  private enum Phase: Hashable {
    /// Bytes of the body or the chunk that are still expected.
    case data(Int)
    /// Chunk size so far, and its number of digits.
    case size(Int, digits: Int)
    /// Chunk extension after the size.
    case chunkExtension(size: Int)
    /// Line feed after the chunk size.
    case sizeEnd(Int)
    /// CR LF after a chunk's data: the first byte and the second.
    case dataEnd, dataEndFeed
    /// Trailer fields after the last chunk, which are checked and dropped.
    case trailer
    case done
  }

  private let isChunked: Bool
  private var phase: Phase
  private var overhead = 0
  private var trailer: [UInt8] = []
  private var trailerScanner = HeadScanner()
  /// Bytes received.
  package private(set) var body: [UInt8] = []
  private let limit: Int
  /// Announced length; 0 if the body is chunked.
  package let expected: Int

  /// Creates a reader of a body of at most `limit` bytes.
  package init(_ framing: RequestHead.Framing, limit: Int) {
    self.limit = limit
    isChunked = framing == .chunked
    if case .length(let count) = framing { expected = count } else { expected = 0 }
    phase =
      switch framing {
      case .none: .done
      case .length(let count): .data(count)
      case .chunked: .size(0, digits: 0)
      }
  }

  package var isDone: Bool { phase == .done }

  /// Consumes the bytes that belong to the body and returns their number; the rest belongs to the next
  /// request.
  /// - Throws: `.badRequest` for malformed chunks, `.contentTooLarge` beyond the limit,
  ///   `.headersTooLarge` for too long trailer fields.
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
      // Capacity follows the bytes received, not the announced length, which may be false.
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

  /// Starts a chunk; one that exceeds the limit is refused before its data arrives.
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
