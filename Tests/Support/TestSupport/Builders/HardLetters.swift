/// Letters that foldings of texts trip over: of all widths, with marks, with several small letters, parts
/// and wholes of syllables, quotes and blanks.
package enum HardLetters {
  private static let letters = Array(
    """
    aAbiIıİsSſßéÉe\u{301}\u{307}\u{323}\u{345}\u{20DD}øłKÅçñĳǆẞﬁαάςΣйИи\u{306}\
    ＡｉＩ１①²½㎏№カガｶﾞﾟﾡￂㄱㅏㅋㅈㄳ\u{3164}\u{1100}\u{1161}\u{11A8}\u{1112}가각자전거도로한글㉠㉮㈜漢字\
    '’‘ʼ′´`"“”«»″… \u{3000}\u{A0}\u{2003}\n\u{85}-.,!*+%_^\\[](){}|?$\u{200D}\u{FE0F}👍🏽\u{10FF00}
    """.unicodeScalars)

  /// A text of so many letters.
  package static func text(of counts: ClosedRange<Int>, _ random: inout SeededRandom) -> String {
    let count = Int.random(in: counts, using: &random)
    return String(
      String.UnicodeScalarView(
        (0..<count).compactMap { _ in letters.randomElement(using: &random) }))
  }
}
