internal import CUtf8proc

extension String {
  /// Text as searches compare it: in normalization form KC, case folded without locale (UAX #15 and
  /// #44), Latin letters without marks, apostrophes as `'`, quotation marks as `"`, and fractions with
  /// `/`, after a digit with a space before them: 1½ is `1 1/2`.
  ///
  /// A Hangul letter outside of a syllable becomes one of the compatibility block (U+3131 to U+318E),
  /// and two of them form no syllable. Folding is idempotent.
  package var folded: String {
    var plain = self
    if let folded = plain.withUTF8({ Self.foldPlain($0) }) { return folded }
    // Composed first: the case folding of U+0345 is no mark, and marks are sorted afterwards.
    var text = unicodeScalars.contains("\u{345}") ? precomposed : streamSafe
    if text.unicodeScalars.contains(where: Folding.isFraction) { text = text.withSpacedFractions }
    guard var letters = text.withUTF8({ Self.decompose($0) }) else { return text }
    Self.simplify(&letters)
    let options = UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue
    let count = utf8proc_normalize_utf32(
      &letters, letters.count, utf8proc_option_t(rawValue: options))
    var folded = UnicodeScalarView()
    for letter in letters.prefix(Swift.max(0, count)) { folded.append(Folding.settled(letter)) }
    return String(folded)
  }

  /// The text with a space between a digit and a following fraction.
  private var withSpacedFractions: String {
    var text = UnicodeScalarView()
    for scalar in unicodeScalars {
      if Folding.isFraction(scalar), text.last?.properties.numericType == .decimal {
        text.append(" ")
      }
      text.append(scalar)
    }
    return String(text)
  }

  /// Folds a text of ASCII, Hangul syllables and ideographs; nil for any other.
  ///
  /// These are composed, and only ASCII has case.
  private static func foldPlain(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> String? {
    var offset = 0
    while offset < bytes.count {
      if bytes[offset] < 0x80 {
        offset += 1
      } else {
        // U+4E00 to U+9FFF and U+AC00 to U+D77F, each of three bytes.
        let value = UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1])
        guard (0xE4B8...0xE9BF).contains(value) || (0xEAB0...0xED9D).contains(value) else {
          return nil
        }
        offset += 3
      }
    }
    return String(unsafeUninitializedCapacity: bytes.count) { folded in
      for (offset, byte) in bytes.enumerated() {
        switch byte {
        case 0x41...0x5A: folded[offset] = byte | 0x20
        case 0x60: folded[offset] = 0x27
        default: folded[offset] = byte
        }
      }
      return bytes.count
    }
  }

  /// Decomposes well-formed UTF-8 for compatibility, case folded; nil where memory is exhausted.
  private static func decompose(_ bytes: UnsafeBufferPointer<UInt8>) -> [utf8proc_int32_t]? {
    let options =
      UTF8PROC_STABLE.rawValue | UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue
      | UTF8PROC_CASEFOLD.rawValue
    // Few texts have more scalars than bytes.
    var room = bytes.count
    while true {
      var count = 0
      let letters = [utf8proc_int32_t](unsafeUninitializedCapacity: room) { buffer, filled in
        count = utf8proc_decompose_custom(
          bytes.baseAddress, bytes.count, buffer.baseAddress, room,
          utf8proc_option_t(rawValue: options), { Folding.prepared($0, $1) }, nil)
        filled = count <= room ? Swift.max(0, count) : 0
      }
      guard count > room else { return count < 0 ? nil : letters }
      room = count
    }
  }

  /// Removes the marks of Latin letters and unifies equivalent characters.
  private static func simplify(_ letters: inout [utf8proc_int32_t]) {
    var (count, marks, isLatin) = (0, 0, false)
    for letter in letters {
      if let scalar = Unicode.Scalar(UInt32(bitPattern: letter)) {
        if isLatin, scalar.isMark { continue }
        isLatin = Folding.isLatin(scalar)
        marks = scalar.isReordered ? marks + 1 : 0
        guard marks <= markLimit else { continue }
      }
      letters[count] = Folding.simple(letter)
      count += 1
    }
    letters.removeLast(letters.count - count)
  }
}

extension Unicode.Scalar {
  /// Whether normalization reorders it among the marks of its letter.
  var isReordered: Bool { utf8proc_get_property(codePoint).pointee.combining_class != 0 }

  fileprivate var isMark: Bool {
    switch category {
    case UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_MC, UTF8PROC_CATEGORY_ME: true
    default: false
    }
  }
}

/// Folding rules beyond normalization.
private enum Folding {
  /// Private code points in place of U+3131 to U+318E during normalization, which would combine those
  /// to syllables.
  private static let letters: ClosedRange<Int32> = 0x10_FF00...0x10_FF5D
  private static let firstLetter: Int32 = 0x3131

  /// Maps a letter before decomposition; called by utf8proc, with unused data.
  static func prepared(_ letter: Int32, _ data: UnsafeMutableRawPointer?) -> Int32 {
    switch letter {
    case ..<0xB4: letter
    // Accents typed as apostrophes would become a space with a mark.
    case 0xB4, 0x1FFD: 0x27
    // Double primes.
    case 0x2033, 0x2036: 0x22
    case firstLetter...0x318E: letters.lowerBound + letter - firstLetter
    // Half-width letters: consonants, the filler, and vowels in groups of six.
    case 0xFFA1...0xFFBE: letters.lowerBound + letter - 0xFFA1
    case 0xFFA0: letters.lowerBound + 0x3164 - firstLetter
    case 0xFFC2...0xFFC7: letters.lowerBound + 0x314F - firstLetter + letter - 0xFFC2
    case 0xFFCA...0xFFCF: letters.lowerBound + 0x3155 - firstLetter + letter - 0xFFCA
    case 0xFFD2...0xFFD7: letters.lowerBound + 0x315B - firstLetter + letter - 0xFFD2
    case 0xFFDA...0xFFDC: letters.lowerBound + 0x3161 - firstLetter + letter - 0xFFDA
    case letters: 0xFFFD
    default: letter
    }
  }

  /// Maps a letter after decomposition and case folding.
  static func simple(_ letter: Int32) -> Int32 {
    switch letter {
    case ..<0x60: letter
    case 0x60, 0x2B9, 0x2BB...0x2BD, 0x2C8, 0x2CA, 0x2CB, 0x2018...0x201B, 0x2032, 0x2035, 0x2039,
      0x203A, 0x275B, 0x275C, 0xA78C:
      0x27
    case 0x2044: 0x2F
    case 0xAB, 0xBB, 0x2BA, 0x201C...0x201F, 0x275D, 0x275E, 0x301D...0x301F: 0x22
    // Letters whose stroke or missing dot is no combining mark in Unicode.
    case 0xF8: 0x6F
    case 0x111: 0x64
    case 0x127: 0x68
    case 0x131: 0x69
    case 0x142: 0x6C
    case 0x167: 0x74
    default: letter
    }
  }

  /// Whether the scalar is a fraction, which normalization writes with U+2044.
  static func isFraction(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xBC...0xBE, 0x2150...0x215F, 0x2189: true
    default: false
    }
  }

  /// Whether a lower-case letter without marks is Latin.
  static func isLatin(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x61...0x7A, 0xDF...0xF6, 0xF8...0x2AF, 0x1D00...0x1DBF, 0x1E00...0x1EFF, 0x2C60...0x2C7F,
      0xA722...0xA787, 0xA78B...0xA7FF, 0xAB30...0xAB64:
      true
    default: false
    }
  }

  /// Maps a letter after composition; a Hangul letter without a syllable becomes its compatibility
  /// letter.
  static func settled(_ letter: Int32) -> Unicode.Scalar {
    let value =
      letters.contains(letter) ? firstLetter + letter - letters.lowerBound : letter
    let scalar = Unicode.Scalar(UInt32(bitPattern: value)) ?? "\u{FFFD}"
    guard let letter = ConjoiningJamo.replacement(for: scalar), letter != "\u{FFFD}" else {
      return scalar
    }
    return letter
  }
}
