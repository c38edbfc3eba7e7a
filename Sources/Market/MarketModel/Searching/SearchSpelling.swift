/// Rules for blanks and connectors that spellings of a word differ in, on folded texts.
enum SearchSpelling {
  private enum Kind {
    case hangul
    case latin
    /// Letter of another script.
    case letter
    case digit
    case other

    init(_ scalar: Unicode.Scalar) {
      switch scalar.value {
      case 0x30...0x39: self = .digit
      case 0x61...0x7A: self = .latin
      case 0..<0x80: self = .other
      case 0xAC00...0xD7A3: self = .hangul
      default:
        let properties = scalar.properties
        if properties.numericType == .decimal {
          self = .digit
        } else if properties.isAlphabetic {
          // The blocks of Latin letters up to U+024F, and U+1E00 to U+1EFF.
          self = scalar.value < 0x250 || scalar.value >> 8 == 0x1E ? .latin : .letter
        } else {
          self = .other
        }
      }
    }

    var isLetter: Bool { self == .hangul || self == .latin || self == .letter }
  }

  /// Maximum letters of a unit or suffix that follows a number after a blank, as in 256 GB.
  private static let maxUnitLength = 3

  /// Whether two letters are of one word although there are blanks between them; `rest` follows `next`.
  static func joins(
    _ previous: Unicode.Scalar, _ next: Unicode.Scalar,
    before rest: Substring.UnicodeScalarView
  ) -> Bool {
    switch (Kind(previous), Kind(next)) {
    case (.hangul, let kind), (let kind, .hangul): kind.isLetter || kind == .digit
    case (.latin, .digit): true
    case (.digit, .latin): unitLength(next, rest) <= maxUnitLength
    default: false
    }
  }

  /// Number of Latin letters from `first` on, as far as it matters.
  private static func unitLength(
    _ first: Unicode.Scalar, _ rest: Substring.UnicodeScalarView
  ) -> Int {
    var (length, previous, rest) = (1, first, rest)
    while length <= maxUnitLength, let scalar = rest.popFirst() {
      if Kind(scalar) == .latin {
        length += 1
      } else if !isConnector(scalar) || rest.first.map({ connects(previous, $0) }) != true {
        break
      }
      previous = scalar
    }
    return length
  }

  /// Whether a scalar is a hyphen, a full stop or an underscore.
  static func isConnector(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2D, 0x2E, 0x5F, 0xAD, 0x2010...0x2013: true
    default: false
    }
  }

  /// Whether a connector between two scalars has no meaning: between letters, and between a letter and a
  /// digit.
  static func connects(_ previous: Unicode.Scalar, _ next: Unicode.Scalar) -> Bool {
    let (before, after) = (Kind(previous), Kind(next))
    return before.isLetter && (after.isLetter || after == .digit)
      || before == .digit && after.isLetter
  }
}
