import Expectations
import MarketModel
import StoreCore
import Testing

@testable import MarketStore

struct ProductGramsTests {
  private let grams = ProductGrams(SearchTokenizer())
  private static let end = "\u{E0FC}"

  private func tokens(_ name: String) -> [String] {
    let tokens = grams.tokens(
      of: ProductTexts(
        name: name, description: "", seller: Seller.ID(rawValue: 7), sellerName: ""))
    return tokens.split(separator: " ").map(String.init)
  }

  private func expression(_ query: ProductQuery) -> String? { grams.expression(for: query)?.text }

  @Test func `a word becomes its pairs and its last letter`() {
    expect(tokens("漢字典 本"), ["漢字", "字典", "典", "本", Self.end, "\u{E0FF}7"])
  }

  @Test func `Latin runs are there by three letters too, and each letter once`() {
    expect(
      tokens("字pro"),
      ["字p", "pr", "ro", "o", Self.end, "pro", "ro"] + ["o", "p", "r"].map { "\u{E0FE}" + $0 }
        + ["\u{E0FF}7"])
  }

  @Test func `a syllable ends a pair in its parts, and its consonants are there by themselves`() {
    // ㅈ is the 13th, ㄱ the first of those that begin syllables.
    let (j, g) = ("\u{E10C}", "\u{E100}")
    expect(
      tokens("자전거"),
      ["자00med", "전00ae", "거", Self.end, j + j + g, j + g]
        + ["\u{E0FB}" + g, "\u{E0FB}" + j, j + g, j + j]
        + ["거", "자", "저"].map { "\u{E0FD}" + $0 } + ["\u{E0FF}7"])
  }

  @Test(arguments: [
    ("버즈", "\"버00ms\" *"), ("갤럭", "\"갤00fea\""),
    ("bicycle", "\"bic icy cyc ycl cle\""), ("ab", "\"ab\""), ("a", "\"\u{E0FE}a\""),
    ("버", "\"\u{E0FD}버\""), ("벗", "\"벗\" *"), ("자ㅈ", "\"자00m\" *"),
    ("ㅈ", "\"\u{E0FB}\u{E10C}\""), ("ㅈㄱ", "\"\u{E10C}\u{E100}\""),
    ("ㅈㅈㄱㄱ", "\"\u{E10C}\u{E10C}\u{E100} \u{E10C}\u{E100}\u{E100}\""),
    ("b a b", "\"\u{E0FE}a\" AND \"\u{E0FE}b\""), ("*\"", "\"\u{E02A}\u{E022}\""),
  ])
  func `a query asks for tokens and for nothing of its own`(text: String, expression: String) {
    expect(self.expression(ProductQuery(text: text)), expression)
  }

  @Test func `phrases and what must not occur are runs of tokens`() {
    let query = ProductQuery(
      text: "ab", phrases: ["mug cup"], without: ["x y", "버즈"],
      sellers: [4, 3].map { Seller.ID(rawValue: $0) })

    let expression = grams.expression(for: query)

    expect(
      expression?.wanted,
      #""ab" AND "cup" AND "mu ug g cu up" AND "mug" AND "#
        + "(\"\u{E0FF}3\" OR \"\u{E0FF}4\")")
    expect(expression?.unwanted, #""x y" * OR "버00ms""#)
    expect(expression?.findsWhatDoesNotMatch, false)
  }

  @Test func `what must not occur is all that a query asks for`() {
    let expression = grams.expression(for: ProductQuery(without: ["ab"]))

    expect(expression?.text, #""ab""#)
    expect(expression?.findsWhatDoesNotMatch, true)
  }

  @Test(arguments: ["", "  ", "\n\u{0}\t", "\u{3000}"])
  func `a query without words asks for nothing`(text: String) {
    expect(
      expression(
        ProductQuery(text: text, phrases: [text], without: [text], sellers: [Seller.guest.id])), nil
    )
  }

  @Test func `a very long query is bounded`() throws {
    let text =
      (1...5_000).map { "w\($0)" }.joined(separator: " ") + String(repeating: "x", count: 9_999)

    let expression = try #require(self.expression(ProductQuery(text: text)))

    #expect(expression.utf8.count < 1_000)
  }
}
