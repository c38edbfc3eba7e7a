import Glibc
import TextCoding

/// Reader of a text file as UTF-8, in pieces, from any encoding of current spreadsheets: UTF-8 or UTF-16
/// with or without a byte order mark, or CP949.
///
/// An invalid character becomes a byte that is never UTF-8, so that only its row is rejected.
struct DecodedFile {
  /// Byte that UTF-8 never contains.
  static let unreadable: UInt8 = 0xFF

  private enum State {
    case beginning
    /// Only ASCII so far, which is the same in UTF-8 and CP949.
    case ascii
    case utf8
    case utf16(UTF16Decoder)
    case cp949(CP949Decoder)
  }

  /// Number of bytes by which the encoding is detected.
  private static let sampleSize = 1 << 16

  let file: InputFile
  private var state = State.beginning
  /// Bytes that were read but not returned.
  private var ahead: [UInt8] = []

  init(_ file: InputFile) {
    self.file = file
  }

  /// The next piece; empty at the end.
  /// - Throws: `.encoding` for UTF-32; `.file` where reading fails.
  mutating func next() throws(TransferError) -> [UInt8] {
    while true {
      switch state {
      case .beginning: try begin()
      case .ascii:
        let piece = try nextRaw()
        guard let first = piece.firstIndex(where: { $0 >= 0x80 }) else { return piece }
        ahead = Array(piece[first...])
        try gather()
        state = Self.isCP949(ahead) ? CP949Decoder().map(State.cp949) ?? .utf8 : .utf8
        if first > 0 { return Array(piece[..<first]) }
      case .utf8: return try nextRaw()
      case .utf16(var decoder):
        let piece = try nextRaw()
        let text = piece.isEmpty ? decoder.finish() : decoder.decode(piece)
        state = .utf16(decoder)
        if piece.isEmpty || !text.isEmpty { return text }
      case .cp949(let decoder):
        let piece = try nextRaw()
        let text = piece.isEmpty ? decoder.finish() : decoder.decode(piece)
        if piece.isEmpty || !text.isEmpty { return text }
      }
    }
  }

  private mutating func nextRaw() throws(TransferError) -> [UInt8] {
    guard ahead.isEmpty else {
      defer { ahead = [] }
      return ahead
    }
    return try file.readPiece()
  }

  /// Reads until there is a full sample, or the end.
  private mutating func gather() throws(TransferError) {
    while ahead.count < Self.sampleSize, case let piece = try file.readPiece(), !piece.isEmpty {
      ahead += piece
    }
  }

  private mutating func begin() throws(TransferError) {
    try gather()
    for (mark, state) in Self.marks where ahead.starts(with: mark) {
      guard let state else { throw .encoding("UTF-32") }
      ahead.removeFirst(mark.count)
      self.state = state
      return
    }
    state = Self.unmarkedUTF16(ahead).map { .utf16(UTF16Decoder(isBigEndian: $0)) } ?? .ascii
  }

  /// Byte order marks, the longer ones first; nil for an unsupported encoding.
  private static var marks: [([UInt8], State?)] {
    [
      (ByteOrderMark.bytes, .utf8), ([0xFF, 0xFE, 0, 0], nil), ([0, 0, 0xFE, 0xFF], nil),
      ([0xFF, 0xFE], .utf16(UTF16Decoder(isBigEndian: false))),
      ([0xFE, 0xFF], .utf16(UTF16Decoder(isBigEndian: true))),
    ]
  }

  /// Whether the first line is big-endian UTF-16, by its ASCII characters; nil where it is not UTF-16.
  private static func unmarkedUTF16(_ bytes: [UInt8]) -> Bool? {
    let line = bytes.prefix(512).prefix { $0 != 0x0A }
    var (little, big) = (0, 0)
    for position in stride(from: 0, to: line.count - 1, by: 2) {
      if line[position + 1] == 0, isText(line[position]) { little += 1 }
      if line[position] == 0, isText(line[position + 1]) { big += 1 }
    }
    return little == big ? nil : big > little
  }

  private static func isText(_ byte: UInt8) -> Bool {
    (0x20..<0x7F).contains(byte) || byte == 0x09 || byte == 0x0D
  }

  /// Whether more lines are CP949 than UTF-8; a line of damaged UTF-8 counts as UTF-8.
  private static func isCP949(_ bytes: [UInt8]) -> Bool {
    guard !bytes.isUTF8, let decoder = CP949Decoder() else { return false }
    var balance = 0
    var lines = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
    // The last line may be cut.
    if lines.count > 1, bytes.count >= sampleSize { lines.removeLast() }
    for line in lines where line.contains(where: { $0 >= 0x80 }) {
      if hasMoreUTF8(line) {
        balance -= 1
      } else if !decoder.decode(Array(line)).contains(unreadable) {
        balance += 1
      }
      _ = decoder.finish()
    }
    return balance > 0
  }

  /// Whether a line has more valid non-ASCII characters in UTF-8 than invalid bytes.
  private static func hasMoreUTF8(_ line: ArraySlice<UInt8>) -> Bool {
    var balance = 0
    for scalar in String(decoding: line, as: UTF8.self).unicodeScalars where scalar.value >= 0x80 {
      balance += scalar == "\u{FFFD}" ? -1 : 1
    }
    return balance > 0
  }
}

/// Incremental UTF-16 decoder; an unpaired surrogate is invalid.
struct UTF16Decoder {
  let isBigEndian: Bool
  /// First byte of an incomplete unit.
  private var half: UInt8?
  /// First unit of an incomplete surrogate pair.
  private var surrogate: UInt32?

  init(isBigEndian: Bool) {
    self.isBigEndian = isBigEndian
  }

  mutating func decode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 3 / 2)
    for byte in bytes {
      guard let first = half else {
        half = byte
        continue
      }
      half = nil
      let (high, low) = isBigEndian ? (first, byte) : (byte, first)
      append(UInt32(high) << 8 | UInt32(low), to: &text)
    }
    return text
  }

  /// Ends decoding: the unreadable byte for incomplete input, else nothing.
  mutating func finish() -> [UInt8] {
    defer { (half, surrogate) = (nil, nil) }
    return half == nil && surrogate == nil ? [] : [DecodedFile.unreadable]
  }

  private mutating func append(_ unit: UInt32, to text: inout [UInt8]) {
    var value = unit
    if let high = surrogate {
      surrogate = nil
      if unit & 0xFC00 == 0xDC00 {
        value = 0x1_0000 + (high & 0x3FF) << 10 + (unit & 0x3FF)
      } else {
        text.append(DecodedFile.unreadable)
      }
    }
    if value & 0xFFFF_FC00 == 0xD800 {
      surrogate = value
    } else if let scalar = Unicode.Scalar(value) {
      text += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
    } else {
      text.append(DecodedFile.unreadable)
    }
  }
}

/// Incremental decoder of CP949, the Korean Windows code page (iconv(3)).
final class CP949Decoder {
  private let converter: iconv_t
  /// Bytes of an incomplete character.
  private var rest: [UInt8] = []

  /// Nil where the system has no converter.
  init?() {
    guard let opened = iconv_open("UTF-8", "CP949"), opened != iconv_t(bitPattern: -1) else {
      return nil
    }
    converter = opened
  }

  deinit { iconv_close(converter) }

  func decode(_ bytes: [UInt8]) -> [UInt8] {
    var source = (rest + bytes).map { CChar(bitPattern: $0) }
    rest = []
    // A character of two bytes becomes at most three.
    var target = [CChar](repeating: 0, count: source.count * 2 + 8)
    var written = 0
    source.withUnsafeMutableBufferPointer { source in
      target.withUnsafeMutableBufferPointer { target in
        var (input, left) = (source.baseAddress, source.count)
        var (output, room) = (target.baseAddress, target.count)
        while left > 0, iconv(converter, &input, &left, &output, &room) == .max {
          guard errno == EILSEQ, let byte = input, let position = output else { break }
          position.pointee = CChar(bitPattern: DecodedFile.unreadable)
          (input, left) = (byte + 1, left - 1)
          (output, room) = (position + 1, room - 1)
        }
        written = target.count - room
        rest = source.suffix(left).map { UInt8(bitPattern: $0) }
      }
    }
    return target[..<written].map { UInt8(bitPattern: $0) }
  }

  /// Ends decoding: the unreadable byte for incomplete input, else nothing.
  func finish() -> [UInt8] {
    defer { rest = [] }
    return rest.isEmpty ? [] : [DecodedFile.unreadable]
  }
}
