import Expectations
import MarketModel
import MarketViewModels
import Testing

struct FuzzyMatchTests {
  nonisolated private static func match(_ pattern: String, _ texts: String...) -> FuzzyMatch? {
    FuzzyMatch.best(of: pattern, in: texts.map { FuzzyText($0) })
  }

  @Test(arguments: [
    ("search", "Search", FuzzyMatch.whole), ("SEA", "Search", .prefix),
    ("cheap", "Sort: cheapest", .wordPrefix), ("heap", "Sort: cheapest", .inside),
    ("sc", "Sort: cheapest", .wordStarts), ("soch", "Sort: cheapest", .wordStarts),
    ("정렬", "정렬: 낮은 가격순", .prefix),
    ("ㅈㄹ", "정렬: 낮은 가격순", .prefix), ("ㄱㄱ", "정렬: 낮은 가격순", .wordPrefix),
    ("저", "정렬", .prefix), ("정려", "정렬", .whole), ("정ㄹ", "정렬", .whole),
    ("muller", "Crème Müller", .wordPrefix), ("ISTANBUL", "İstanbul", .whole),
    ("abc", "ＡＢＣ", .whole), ("자전거도로", "자전거 도로", .wordStarts), ("\u{1109}\u{1161}", "사진", .prefix),
    ("ㄳ", "검색 상품", .prefix), ("ㅄ", "봄소식", .prefix), ("ㄲ", "꾸미기", .prefix),
  ])
  func `a name is found by a part of it`(
    _ pattern: String, _ text: String, _ expected: FuzzyMatch
  ) {
    expect(Self.match(pattern, text), expected)
  }

  @Test(arguments: [
    ("x", "Search"), ("hcraes", "Search"), ("ㅈㅈㅈ", "정렬"), ("전", "정렬"), ("ㄱ", "꾸미다"),
    ("a", ""), ("searchs", "Search"), ("search mug", "Search"), ("srce", "Sort: cheapest"),
    ("sold", "Scroll description down"), ("price", "Previous photo"),
  ])
  func `what does not occur is not found`(_ pattern: String, _ text: String) {
    expect(Self.match(pattern, text), nil)
  }

  @Test(arguments: ["정렬: 낮은 가격순", "머그 세트", "Café Ｏne", "a ㅁㅅ b", "L’Oréal"])
  func `whatever searches find is found`(text: String) {
    let tokenizer = SearchTokenizer()
    let texts = SearchedTexts([text], tokenizer)
    for pattern in ["ㅁㅅ", "ㄴㅇ ㄱㄱ", "정려", "머ㄱ", "머그세", "세ㅌ", "cafe o", "l'or", "ㅁ", "b a", "격수"]
    where texts.have(words: tokenizer.wanted(by: pattern)) {
      #expect(Self.match(pattern, text) != nil, "\(pattern)")
    }
  }

  @Test(arguments: [
    ("night", FuzzyMatch.wordPrefix), ("dar", .wordPrefix), ("ark", nil), ("dn", nil),
  ])
  func `of a list of words the beginning of one is found alone`(
    pattern: String, expected: FuzzyMatch?
  ) {
    let words = FuzzyText("dark night", isWordList: true)

    expect(FuzzyMatch.best(of: pattern, in: [words]), expected)
  }

  @Test func `nothing typed finds everything alike`() {
    expect(Self.match("", "Search"), Self.match(" ", ""))
  }

  @Test func `each word may be found in another of the names, and the weakest counts`() {
    expect(Self.match("정렬 cheap", "Sort: cheapest", "정렬: 낮은 가격순"), .wordPrefix)
    expect(Self.match("ort sort", "Sort: cheapest"), .inside)
  }

  @Test func `decomposed Hangul is found as composed Hangul is`() {
    expect(Self.match("ㅈㄹ", "\u{110C}\u{1165}\u{11BC}\u{1105}\u{1167}\u{11AF}"), .whole)
    expect(Self.match("저", "\u{110C}\u{1165}\u{11BC}"), .whole)
    expect(Self.match("정", "\u{110C}\u{1165}\u{11BC}"), .whole)
  }

  @Test func `a long name of the same letters is looked through at once`() {
    let name = String(repeating: "a a ", count: 50_000)

    expect(Self.match(String(repeating: "a", count: 60) + "b", name), nil)
  }
}
