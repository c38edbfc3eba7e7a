internal import CUtf8proc

/// Sanitizer of foreign text that is not plain, in three passes.
enum Sanitizer {
  /// Maximum marks on one character, as many as an ncurses cell stores; further ones are dropped.
  private static let marksShown = 4

  static func sanitize(_ foreign: String) -> SafeText {
    settle(filter(foreign).precomposed)
  }

  /// Drops or replaces characters that must not be drawn.
  private static func filter(_ foreign: String) -> String {
    var kept = String.UnicodeScalarView()
    var isAfterReturn = false
    for scalar in foreign.unicodeScalars {
      defer { isAfterReturn = scalar == "\r" }
      if isAfterReturn, scalar == "\n" { continue }
      switch Treatment(scalar) {
      case .keep: kept.append(scalar)
      case .replace(let replacement): kept.append(replacement)
      case .drop: continue
      }
    }
    return String(kept)
  }

  /// Limits marks, adds a base to a mark without one, and computes the width.
  private static func settle(_ composed: String) -> SafeText {
    var settled = String.UnicodeScalarView()
    var columns = 0
    var marks = 0
    for scalar in composed.unicodeScalars {
      let scalar = ConjoiningJamo.replacement(for: scalar) ?? scalar
      let width = cellWidth(of: scalar)
      if width == 0, settled.last ?? " " == " " {
        settled.append("\u{25CC}")
        columns += 1
      }
      marks = width == 0 ? marks + 1 : 0
      guard marks <= marksShown else { continue }
      settled.append(scalar)
      columns += width
    }
    return SafeText(safe: String(settled), columns: columns)
  }
}

/// Treatment of a foreign scalar before composition.
private enum Treatment: Equatable {
  case keep
  /// Drops a scalar that is invisible or only selects a variant of its neighbor.
  case drop
  case replace(Unicode.Scalar)

  /// Replacement of deceptive and undrawable characters.
  static let mark = Treatment.replace("\u{FFFD}")

  init(_ scalar: Unicode.Scalar) {
    if scalar.plainWidth != nil {
      self = .keep
    } else if let special = Treatment.special(scalar.value) {
      self = special
    } else {
      self = Treatment.byCategory(scalar)
    }
  }

  private static func special(_ value: UInt32) -> Treatment? {
    switch value {
    case 0x09...0x0D, 0x85, 0x2028, 0x2029:
      .replace(" ")  // Tabs and line breaks.
    case 0xAD, 0x34F, 0x180B...0x180D, 0x180F, 0x200B...0x200D, 0x2060, 0xFEFF:
      .drop  // Soft hyphen, joiners, zero-width spaces, byte order mark.
    case 0xFE00...0xFE0F, 0xE0100...0xE01EF, 0x1F3FB...0x1F3FF, 0x20E3, 0xE0020...0xE007F:
      .drop  // Parts of emoji on whose width terminals disagree; what they modify stays.
    case 0x1F1E6...0x1F1FF:
      // Flags: half of the terminals draw the two letters.
      Unicode.Scalar(value - 0x1F1E6 + 0x41).map { .replace($0) }
    case 0x2630...0x2637, 0x268A...0x268F, 0x3248...0x324F, 0x4DC0...0x4DFF, 0x1D300...0x1D376:
      .mark  // Their width differs between versions of Unicode.
    default:
      nil
    }
  }

  /// Latest Unicode version of the C libraries in use; ncurses cannot draw later characters.
  private static let unicodeVersion = 14

  private static func byCategory(_ scalar: Unicode.Scalar) -> Treatment {
    guard let age = scalar.properties.age, age.major <= unicodeVersion,
      utf8proc_get_property(scalar.codePoint).pointee.ignorable == 0
    else { return .mark }
    switch scalar.category {
    case UTF8PROC_CATEGORY_ZS:
      return .replace(" ")
    case UTF8PROC_CATEGORY_CC, UTF8PROC_CATEGORY_CF, UTF8PROC_CATEGORY_CO, UTF8PROC_CATEGORY_CN:
      return .mark
    default:
      return .keep
    }
  }
}

/// Conjoining Hangul letters outside of a syllable.
///
/// Terminals disagree on their width (a vowel alone is zero, one or two cells), so they are drawn as
/// compatibility letters of two cells; archaic ones have none.
enum ConjoiningJamo {
  private static let leading = Array("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".unicodeScalars)
  private static let vowels = Array("ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ".unicodeScalars)
  private static let trailing = Array("ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ".unicodeScalars)

  /// Returns the compatibility letter of `scalar`; nil where it is no conjoining letter.
  static func replacement(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x1100...0x1112: leading[Int(scalar.value - 0x1100)]
    case 0x1161...0x1175: vowels[Int(scalar.value - 0x1161)]
    case 0x11A8...0x11C2: trailing[Int(scalar.value - 0x11A8)]
    case 0x1113...0x11FF, 0xA960...0xA97C, 0xD7B0...0xD7FB: "\u{FFFD}"
    default: nil
    }
  }
}
