import Expectations
import MarketModel
import Testing

struct TextLimitTests {
  private let limit = TextLimit(1...10)

  @Test func `a text is bounded in characters, scalars and bytes at once`() {
    for (text, isAllowed) in [
      ("0123456789", true), ("01234567890", false), ("가나다라마바사아자차", true),
      // Ten characters of one scalar and four bytes each.
      (String(repeating: "🍎", count: 10), true),
      // One character of 80 scalars, and one more.
      ("a" + String(repeating: "\u{301}", count: 79), true),
      ("a" + String(repeating: "\u{301}", count: 80), false),
      // 320 bytes, and one more.
      (String(repeating: "👨‍👩‍👧‍👦", count: 10) + "", true),
      ("a" + String(repeating: "\u{E0101}", count: 79), true),
      ("aa" + String(repeating: "\u{E0101}", count: 79), false),
    ] {
      expect(limit.allows(text), isAllowed, "\(text.unicodeScalars.count) scalars")
    }
    expect(limit.problem(of: ""), .missing)
    expect(limit.problem(of: "01234567890"), .tooLong(maximum: 10))
    expect(TextLimit(0...10).problem(of: ""), nil)
  }

  @Test(arguments: [
    "", "a", "0123456789x", "a" + String(repeating: "\u{301}", count: 1_900_000),
    String(repeating: "👨‍👩‍👧‍👦", count: 40), String(repeating: "각", count: 11),
    String(repeating: "\u{E0101}", count: 1_000),
  ])
  func `what is cut keeps the limit and is a beginning`(_ text: String) {
    let cut = limit.cut(text)

    #expect(cut.isEmpty || limit.allows(cut))
    #expect(text.unicodeScalars.starts(with: cut.unicodeScalars))
    expect(text.isEmpty, cut.isEmpty)
    if limit.allows(text) { expect(cut, text) }
  }

  @Test func `a name of one character and megabytes is refused wherever one is stored`() {
    let name = "a" + String(repeating: "\u{301}", count: 1_900_000)

    expect(
      ProductField.name.problems(in: [.name: .text(name)]),
      [FieldError(.name, .tooLong(maximum: 1_000))])
    expect(StorageRules.sellerName(name), [FieldError(.name, .tooLong(maximum: 100))])
    expect(
      ProductField.description.problems(in: [.description: .text(name)]),
      [FieldError(.description, .tooLong(maximum: 100_000))])
  }
}
