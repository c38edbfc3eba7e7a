import Testing

@testable import MarketStore

@Suite struct ProductGramsTests {
  private let grams = ProductGrams(fold: { $0.lowercased() })

  private func tokens(_ name: String) -> [String] {
    let tokens = grams.tokens(name: name, description: "", seller: (7, ""))
    return tokens.split(separator: " ").map(String.init)
  }

  @Test func `a word becomes its pairs and its last letter`() {
    #expect(tokens("자전거 책") == ["자전", "전거", "거", "책", "\u{E0FF}7"])
  }

  @Test func `Latin runs are there by three letters too, and each letter once`() {
    #expect(
      tokens("버즈pro")
        == ["버즈", "즈p", "pr", "ro", "o", "pro", "ro"] + ["o", "p", "r"].map { "\u{E0FE}" + $0 }
        + ["\u{E0FF}7"])
  }

  @Test(arguments: [
    ("버즈", "\"버즈\""), ("갤럭시", "\"갤럭 럭시\""), ("bicycle", "\"bic icy cyc ycl cle\""),
    ("ab", "\"ab\""), ("a", "\"\u{E0FE}a\""), ("버", "\"버\" *"),
    ("b a b", "\"\u{E0FE}a\" AND \"\u{E0FE}b\""), ("*\"", "\"\u{E02A}\u{E022}\""),
  ])
  func `a query asks for tokens and for nothing of its own`(text: String, expression: String) {
    #expect(grams.expression(for: text, seller: nil) == expression)
  }

  @Test(arguments: ["", "  ", "\n\u{0}\t", "\u{3000}"])
  func `a query without words asks for nothing`(text: String) {
    #expect(grams.expression(for: text, seller: 3) == nil)
  }

  @Test func `a very long query is bounded`() throws {
    let text =
      (1...5_000).map { "w\($0)" }.joined(separator: " ") + String(repeating: "x", count: 9_999)

    let expression = try #require(grams.expression(for: text, seller: nil))

    #expect(expression.utf8.count < 1_000)
  }
}
