import SafeText
import Testing

@Suite struct CellWidthTests {
  @Test(
    arguments: [
      ("한", 2), ("ㅋ", 2), ("漢", 2), ("あ", 2), ("Ａ", 2), ("🚲", 2), ("₩", 1), ("…", 1), ("★", 1),
      ("①", 1), ("─", 1), ("▚", 1), ("🬗", 1), ("�", 1), ("\u{301}", 0), ("\u{93E}", 1), ("ﾡ", 1),
    ] as [(Unicode.Scalar, Int)])
  func `a character has the width that terminals give it`(scalar: Unicode.Scalar, width: Int) {
    #expect(cellWidth(of: scalar) == width)
  }
}
