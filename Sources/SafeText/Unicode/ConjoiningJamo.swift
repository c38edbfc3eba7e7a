/// Conjoining Hangul letters that found no syllable to join.
///
/// Terminals disagree about them (a vowel alone is zero, one or two cells), so they are drawn as
/// the letters of the compatibility block, two cells each; archaic ones have no such letter.
enum ConjoiningJamo {
  private static let leading = Array("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".unicodeScalars)
  private static let vowels = Array("ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ".unicodeScalars)
  private static let trailing = Array("ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ".unicodeScalars)

  /// The letter to draw for `scalar`, or nil when it is no conjoining letter.
  static func standIn(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x1100...0x1112: leading[Int(scalar.value - 0x1100)]
    case 0x1161...0x1175: vowels[Int(scalar.value - 0x1161)]
    case 0x11A8...0x11C2: trailing[Int(scalar.value - 0x11A8)]
    case 0x1113...0x11FF, 0xA960...0xA97C, 0xD7B0...0xD7FB: "\u{FFFD}"
    default: nil
    }
  }
}
