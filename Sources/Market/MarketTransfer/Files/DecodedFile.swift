import Glibc
import TextCoding

/// Reader of a text file as UTF-8, in pieces, from the encoding that the user names, else from one of
/// current spreadsheets: UTF-8 or UTF-16 with or without a byte order mark, or CP949.
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
    case codePage(CodePageDecoder)
  }

  let file: InputFile
  /// The encoding that was guessed; nil where a byte order mark or the user names it, and for UTF-8.
  private(set) var guessed: TextEncoding?
  /// The encoding that a file with bytes that are not UTF-8 may have; nil where naming it does not help.
  private(set) var likely: TextEncoding?
  private let named: TextEncoding?
  private var state = State.beginning
  /// Bytes that were read but not returned.
  private var ahead: [UInt8] = []

  /// A reader; nil guesses the encoding.
  init(_ file: InputFile, _ encoding: TextEncoding? = nil) {
    self.file = file
    named = encoding
  }

  /// The next piece; empty at the end.
  /// - Throws: `.encoding` for UTF-32, and for one that the system lacks; `.foreignEncoding`; `.file`
  ///   where reading fails.
  mutating func next() throws(TransferError) -> [UInt8] {
    while true {
      switch state {
      case .beginning: try readSignature()
      case .ascii:
        let piece = try nextRaw()
        guard let first = piece.firstIndex(where: { $0 >= 0x80 }) else { return piece }
        ahead = Array(piece[first...])
        try gather(lines: EncodingSample.leastLines)
        state = try guess()
        if first > 0 { return Array(piece[..<first]) }
      case .utf8: return try nextRaw()
      case .utf16(var decoder):
        let piece = try nextRaw()
        let text = piece.isEmpty ? decoder.finish() : decoder.decode(piece)
        state = .utf16(decoder)
        if piece.isEmpty || !text.isEmpty { return text }
      case .codePage(let decoder):
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

  /// Reads until there is a full sample of at least so many lines, or the end; a huge line ends it, too.
  private mutating func gather(lines wanted: Int = 0) throws(TransferError) {
    var lines = EncodingSample.lineEnds(in: ahead)
    while ahead.count < EncodingSample.size || lines < wanted, ahead.count < RecordReader.maxLength,
      case let piece = try file.readPiece(), !piece.isEmpty
    {
      lines += EncodingSample.lineEnds(in: piece)
      ahead += piece
    }
  }

  private mutating func readSignature() throws(TransferError) {
    try gather()
    for (mark, state) in Self.marks where ahead.starts(with: mark) {
      guard let state else { throw .encoding("UTF-32") }
      ahead.removeFirst(mark.count)
      self.state = state
      return
    }
    if let named {
      state = try Self.state(of: named, ahead)
    } else if let isBigEndian = EncodingSample.unmarkedUTF16(ahead) {
      guessed = isBigEndian ? .utf16BE : .utf16LE
      state = .utf16(UTF16Decoder(isBigEndian: isBigEndian))
    } else {
      state = .ascii
    }
  }

  private mutating func guess() throws(TransferError) -> State {
    switch EncodingSample(ahead).finding {
    case .utf8(let likely):
      self.likely = likely
      return .utf8
    case .foreign(let likely): throw .foreignEncoding(likely)
    case .cp949:
      guessed = .cp949
      return try Self.state(of: .cp949, ahead)
    }
  }

  private static func state(
    of encoding: TextEncoding, _ bytes: [UInt8]
  ) throws(TransferError) -> State {
    switch encoding {
    case .utf8: return .utf8
    case .utf16:
      return .utf16(UTF16Decoder(isBigEndian: EncodingSample.unmarkedUTF16(bytes) ?? false))
    case .utf16LE: return .utf16(UTF16Decoder(isBigEndian: false))
    case .utf16BE: return .utf16(UTF16Decoder(isBigEndian: true))
    case .cp949, .windows1252, .gbk, .big5, .shiftJIS:
      guard let decoder = CodePageDecoder(encoding.converter) else {
        throw .encoding(encoding.rawValue)
      }
      return .codePage(decoder)
    }
  }

  /// Byte order marks, the longer ones first; nil for an unsupported encoding.
  private static var marks: [([UInt8], State?)] {
    [
      (ByteOrderMark.bytes, .utf8), ([0xFF, 0xFE, 0, 0], nil), ([0, 0, 0xFE, 0xFF], nil),
      ([0xFF, 0xFE], .utf16(UTF16Decoder(isBigEndian: false))),
      ([0xFE, 0xFF], .utf16(UTF16Decoder(isBigEndian: true))),
    ]
  }
}
