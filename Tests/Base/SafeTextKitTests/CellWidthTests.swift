import Expectations
import Glibc
import SafeTextKit
import Testing

struct CellWidthTests {
  @Test(
    arguments: [
      ("한", 2), ("ㅋ", 2), ("漢", 2), ("あ", 2), ("Ａ", 2), ("🚲", 2), ("₩", 1), ("…", 1), ("★", 1),
      ("①", 1), ("─", 1), ("▚", 1), ("🬗", 1), ("�", 1), ("\u{301}", 0), ("\u{93E}", 1), ("ﾡ", 1),
    ] as [(Unicode.Scalar, Int)])
  func `a character has the width that terminals give it`(scalar: Unicode.Scalar, width: Int) {
    expect(cellWidth(of: scalar), width)
  }

  /// ncurses goes by the C library's widths; where ours differ, rows shift.
  @Test func `all that safe text can hold has the width that the C library gives it`() throws {
    let locale = try #require(newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))
    let before = uselocale(locale)
    defer {
      uselocale(before)
      freelocale(locale)
    }
    let wcwidth = try #require(dlsym(nil, "wcwidth"))
    typealias Width = @convention(c) (wchar_t) -> CInt
    let width = unsafeBitCast(wcwidth, to: Width.self)

    for value in UInt32(0)...0x323AF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = SafeText("a" + String(Character(scalar)))
      let columns = text.string.unicodeScalars.map { Int(width(wchar_t($0.value))) }
      if columns != text.string.unicodeScalars.map(cellWidth) || columns.contains(-1) {
        Issue.record("U+\(String(value, radix: 16)): \(columns) cells")
      }
    }
  }
}
