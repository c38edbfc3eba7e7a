import Glibc
import TextCoding

/// Encoding of a table, by its name on the command line.
package enum TextEncoding: String, Hashable, Sendable, CaseIterable {
  case utf8 = "UTF-8"
  case utf16 = "UTF-16"
  case utf16LE = "UTF-16LE"
  case utf16BE = "UTF-16BE"
  case cp949 = "CP949"
  case windows1252 = "Windows-1252"
  case gbk = "GBK"
  case big5 = "Big5"
  case shiftJIS = "Shift-JIS"

  private static let otherNames: [String: TextEncoding] = [
    "euckr": .cp949, "ksc5601": .cp949, "uhc": .cp949, "windows949": .cp949, "cp1252": .windows1252,
    "latin1": .windows1252, "iso88591": .windows1252, "ansi": .windows1252, "gb2312": .gbk,
    "gb18030": .gbk, "cp936": .gbk, "cp950": .big5, "sjis": .shiftJIS, "cp932": .shiftJIS,
    "windows31j": .shiftJIS,
  ]

  /// By a name in any case, with or without hyphens and underscores; nil for an unknown one.
  package init?(named name: String) {
    let plain = name.plainEncodingName
    guard
      let encoding = Self.allCases.first(where: { $0.rawValue.plainEncodingName == plain })
        ?? Self.otherNames[plain]
    else { return nil }
    self = encoding
  }

  /// Name of its converter (iconv(3)).
  var converter: String {
    switch self {
    case .utf8, .utf16, .utf16LE, .utf16BE, .cp949: rawValue
    case .windows1252: "CP1252"
    case .gbk: "GB18030"
    case .big5: "BIG5-HKSCS"
    case .shiftJIS: "CP932"
    }
  }
}

extension String {
  fileprivate var plainEncodingName: String { lowercased().filter { $0.isLetter || $0.isNumber } }
}

/// Start of a file from its first letter beyond ASCII on, by which the encoding is guessed.
///
/// No single row decides: each has one vote for UTF-8 or against it, and the one that looks least like
/// Korean is not counted where there are others.
struct EncodingSample {
  enum Finding: Equatable {
    /// With the encoding that its other bytes may be of; nil where there are none or it has letters of
    /// UTF-8.
    case utf8(TextEncoding?)
    case cp949
    /// East Asian text that is not Korean, with the encoding that it looks like; nil for none.
    case foreign(TextEncoding?)
  }

  /// Number of bytes by which the encoding is guessed.
  static let size = 1 << 16
  /// Number of lines of which one may be anything.
  static let leastLines = 4

  private(set) var finding = Finding.utf8(nil)

  init(_ bytes: [UInt8]) {
    guard !bytes.isUTF8, let decoder = CodePageDecoder(TextEncoding.cp949.converter) else { return }
    var lines = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
    // The last line may be cut.
    if lines.count > 1, bytes.count >= Self.size { lines.removeLast() }
    lines = lines.filter { $0.contains { $0 >= 0x80 } }
    let others = lines.filter { !Self.hasMoreUTF8($0) }
    let likely =
      others.count == lines.count && !others.isEmpty ? TextEncoding(likelyOf: others) : nil
    finding = .utf8(likely)
    var pairs = others.map { Pairs($0, decoder) }.filter { $0.all > 0 }
    guard others.count * 2 > lines.count, !pairs.isEmpty else { return }
    let rows = pairs.count
    if rows > 1, let worst = pairs.indices.max(by: { pairs[$0].others < pairs[$1].others }) {
      pairs.remove(at: worst)
    }
    let hangul = pairs.reduce(0) { $0 + $1.hangul }
    let all = pairs.reduce(0) { $0 + $1.all }
    // Korean has nine in ten, Chinese and Japanese read as Korean four in ten.
    if hangul * 5 >= all * 3 {
      finding = .cp949
    } else if rows > 2, likely != .windows1252 {
      finding = .foreign(likely)
    }
  }

  /// Letters of two bytes in a line, read as CP949; symbols are in all encodings.
  private struct Pairs {
    var all = 0
    /// Those that are everyday syllables of Korean; where Chinese or Japanese is read as Korean, most are
    /// others.
    var hangul = 0
    var others: Int { all - hangul }

    init(_ line: ArraySlice<UInt8>, _ decoder: CodePageDecoder) {
      // Bytes beyond ASCII alone between letters are of Windows-1252.
      guard zip(line, line.dropFirst()).contains(where: { $0 >= 0x80 && $1 >= 0x80 }) else {
        return
      }
      let text = decoder.decode(Array(line)) + decoder.finish()
      for scalar in String(decoding: text, as: UTF8.self).unicodeScalars
      where scalar.value >= 0x80 && !Self.isSymbol(scalar) {
        all += 1
        if Self.isEveryday(scalar) { hangul += 1 }
      }
    }

    private static func isSymbol(_ scalar: Unicode.Scalar) -> Bool {
      scalar != "\u{FFFD}" && !scalar.properties.isAlphabetic
        || (0x2460...0x24FF).contains(scalar.value)
    }

    /// Whether a syllable has only frequent letters: no double consonant or ㅒ, ㅖ, ㅙ, ㅞ, and no rare final
    /// consonant.
    private static func isEveryday(_ scalar: Unicode.Scalar) -> Bool {
      guard (0xAC00...0xD7A3).contains(scalar.value) else { return false }
      let place = scalar.value - 0xAC00
      return ![1, 4, 8, 10, 13].contains(place / 588)
        && ![3, 7, 10, 15].contains(place % 588 / 28)
        && ![3, 5, 9, 10, 11, 12, 13, 14, 15, 24].contains(place % 28)
    }
  }

  static func lineEnds(in bytes: [UInt8]) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      var (count, rest) = (0, UnsafeBufferPointer(rebasing: bytes[...]))
      while let base = rest.baseAddress, let found = memchr(base, 0x0A, rest.count) {
        count += 1
        let end = UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found)) + 1
        rest = UnsafeBufferPointer(rebasing: rest[end...])
      }
      return count
    }
  }

  /// Whether the first line is big-endian UTF-16, by its ASCII characters; nil where it is not UTF-16.
  static func unmarkedUTF16(_ bytes: [UInt8]) -> Bool? {
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

  /// Whether a line has more valid non-ASCII characters in UTF-8 than invalid bytes.
  private static func hasMoreUTF8(_ line: ArraySlice<UInt8>) -> Bool {
    var balance = 0
    for scalar in String(decoding: line, as: UTF8.self).unicodeScalars where scalar.value >= 0x80 {
      balance += scalar == "\u{FFFD}" ? -1 : 1
    }
    return balance > 0
  }
}

// MARK: Likely encodings

extension TextEncoding {
  /// The encoding whose everyday letters the bytes beyond ASCII are; nil where none fits.
  fileprivate init?(likelyOf lines: [ArraySlice<UInt8>]) {
    if Self.areWestern(lines) {
      self = .windows1252
      return
    }
    // Korean reads as Chinese as well, so it comes first.
    let shares = [TextEncoding.cp949, .shiftJIS, .big5, .gbk].map { encoding in
      (encoding: encoding, share: encoding.everydayShare(of: lines))
    }
    let best = shares.reduce(shares[0]) { $1.share > $0.share ? $1 : $0 }
    // Six in ten are less than any text has, and more than noise.
    guard best.share >= 0.6 else { return nil }
    self = best.encoding
  }

  /// Whether nearly all bytes beyond ASCII are single letters or signs of Western Europe, or two.
  private static func areWestern(_ lines: [ArraySlice<UInt8>]) -> Bool {
    // The euro sign, an ellipsis, quotes, dashes, a fixed blank and signs that prices and sizes have.
    let signs: Set<UInt8> = [
      0x80, 0x85, 0x91, 0x92, 0x93, 0x94, 0x96, 0x97, 0x99, 0xA0, 0xA3, 0xA7, 0xA9, 0xAB, 0xAE,
      0xB0,
      0xB1, 0xB2, 0xB3, 0xB4, 0xB5, 0xBB, 0xBC, 0xBD, 0xBE,
    ]
    var (western, all) = (0, 0)
    for line in lines {
      for run in line.split(whereSeparator: { $0 < 0x80 }) {
        all += 1
        if run.count <= 2, run.allSatisfy({ $0 >= 0xC0 || signs.contains($0) }) { western += 1 }
      }
    }
    return western * 5 >= all * 4
  }

  /// Share of frequent letters among those beyond ASCII, symbols left out.
  private func everydayShare(of lines: [ArraySlice<UInt8>]) -> Double {
    var (everyday, all) = (0, 0)
    for line in lines {
      var rest = line
      while let lead = rest.popFirst() {
        guard lead >= 0x80 else { continue }
        guard let trail = rest.first, trail >= 0x40, lead > 0x80,
          self != .shiftJIS || !(0xA0...0xDF).contains(lead)
        else {
          all += 1
          continue
        }
        rest.removeFirst()
        // All have symbols in the rows A1 to A3, Shift-JIS in 81.
        if self == .shiftJIS ? lead == 0x81 : (0xA1...0xA3).contains(lead) { continue }
        all += 1
        if isEveryday(lead, trail) { everyday += 1 }
      }
    }
    return all == 0 ? 0 : Double(everyday) / Double(all)
  }

  /// Whether two bytes are a letter of the part of the encoding that is for frequent ones.
  private func isEveryday(_ lead: UInt8, _ trail: UInt8) -> Bool {
    switch self {
    case .cp949: (0xB0...0xC8).contains(lead) && trail >= 0xA1
    case .gbk: (0xB0...0xD7).contains(lead) && trail >= 0xA1
    case .big5: (0xA4...0xC6).contains(lead) && (trail < 0x7F || trail >= 0xA1)
    case .shiftJIS: [0x82, 0x83].contains(lead) || (0x88...0x97).contains(lead)
    case .utf8, .utf16, .utf16LE, .utf16BE, .windows1252: false
    }
  }
}
