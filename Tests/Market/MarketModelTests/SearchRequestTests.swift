import Expectations
import MarketModel
import TestSupport
import Testing

struct SearchRequestTests {
  private func read(_ line: String) -> SearchRequest { SearchRequest(reading: line) }

  private func terms(_ texts: String...) -> [SearchTerm] { texts.compactMap { SearchTerm($0) } }

  @Test func `one line says all of it`() {
    let request = read(
      #"lamp -broken "desk lamp" <200000 usd @kim @"Lee Ann" @#12 sale stock new:7d "#
        + "sort:price-asc in:all")

    expect(
      request.terms,
      [SearchTerm("lamp"), SearchTerm("broken", isExcluded: true), SearchTerm("desk lamp")])
    expect(request.price, PriceRange(maximum: 20_000_000))
    expect(request.currency, .usd)
    expect(request.sellers, [.name("kim"), .name("Lee Ann"), .number(Seller.ID(rawValue: 12))])
    expect(request.filters, [.reduced, .inStock])
    expect(request.age, SearchAge(7, .day))
    #expect(request.order == .cheapest && request.scope == .all)
  }

  @Test func `the same is said in Korean, and languages mix`() {
    let korean = read("전등 <20만 달러 할인 재고 최근:7일 정렬:낮은가격 마켓:전체")

    expect(korean, read("전등 <200000 usd sale stock new:7d sort:price-asc in:all"))
    expect(korean, read("전등 <200,000 달러 SALE 재고 new:7일 Sort:Price-Asc in:all"))
    expect(korean.line(in: .korean), "전등 <200000 달러 재고 할인 최근:7일 정렬:낮은가격 마켓:전체")
    expect(korean.line(in: .english), "전등 <200000 usd stock sale new:7d sort:price-asc in:all")
  }

  @Test(
    arguments: [
      ("<200000", nil, 20_000_000), ("<=200,000", nil, 20_000_000), (">=50", 5_000, nil),
      (">50", 5_000, nil), ("100..200", 10_000, 20_000), ("200..100", 10_000, 20_000),
      ("..12.5", nil, 1_250), ("0.01..", 1, nil), ("<20만", nil, 20_000_000),
      ("<1.5만", nil, 1_500_000), ("3만5천..1억", 3_500_000, 10_000_000_000),
      ("<200k", nil, 20_000_000), ("<1.234", nil, 123_400), ("<12,34", nil, 1_234),
      ("≥7", 700, nil), (">5 <9", 500, 900), ("<5 <9", nil, 900), ("<12.", nil, 1_200),
      ("<92233720368547758.07", nil, Int64.max),
    ] as [(String, Int64?, Int64?)])
  func `a bound includes its number`(line: String, minimum: Int64?, maximum: Int64?) {
    let request = read(line)

    expect(request, SearchRequest(price: PriceRange(minimum: minimum, maximum: maximum)))
  }

  @Test func `an amount may name its currency`() {
    expect(read("<20만원"), read("<200000 krw"))
    expect(read(">$50"), read(">50 usd"))
    expect(read("10..20달러"), read("10..20 usd"))
    expect(read("currency:jpy").currency, Currency(rawValue: "JPY"))
  }

  @Test(arguments: [
    "<92233720368547758.08", "<99999999999999999999999", "<0.500", "<12,34.5678", "<a", "1..2..3",
    "5..x", "1...5", "...5",
    "new:0d", "new:7", "new:99999999999999999999d", "new:d", "sort:", "sort:best", "in:", "sales",
    "currency:x", "<5천20만", "a\"b", "a-b", "a@b", "1.5",
  ])
  func `what is no keyword is a word`(word: String) {
    expect(read(word), SearchRequest(terms: terms(word)))
  }

  @Test(
    arguments: [
      ("<0.500", [AmountError.ambiguous(decimal: "0.5", grouped: "500")]),
      ("lamp 1,234.567..", [.ambiguous(decimal: "1,234.567", grouped: "1,234,567")]),
      ("<$5 krw", [.otherCurrency(.usd, instead: .krw)]), ("<95.50원", [.decimals(.krw)]),
      ("<a \"<0.500\" -0.500 a..b 1..2 <$5 1.5", []),
    ] as [(String, [AmountError])])
  func `a bound that is no amount says why`(line: String, errors: [AmountError]) {
    expect(SearchRequest.amountErrors(in: line), errors)
  }

  @Test(
    arguments: [
      (
        "lamp sort:best \"sort:best\" -sort:best",
        [("sort:best", ["sort:price-asc", "sort:price-desc", "sort:discount", "sort:newest"])]
      ),
      ("new:7 New:0d", [("new:7", ["new:7d"]), ("New:0d", ["new:7d"])]),
      ("최근:오늘", [("최근:오늘", ["최근:7일"])]),
      ("정렬:가격", [("정렬:가격", ["정렬:낮은가격", "정렬:높은가격", "정렬:할인율", "정렬:최신"])]),
      ("통화:x", [("통화:x", ["통화:EUR"])]),
      ("lamp -near:Seoul -sale", [("-near:Seoul", ["near:Seoul"])]),
      ("<=abc", [("<=abc", ["<=12000"])]),
      ("<5 sort:newest new:7d in:shop currency:EUR a..b 1..2 12:30 http://a <0.500", []),
    ] as [(String, [(String, [String])])])
  func `a word that is nearly a keyword is told with what may stand there`(
    line: String, mistakes: [(String, [String])]
  ) {
    let found = SearchRequest.keywordMistakes(in: line)

    expect(found.map(\.text), mistakes.map(\.0))
    expect(found.map(\.choices), mistakes.map(\.1))
  }

  @Test(arguments: ["", "  ", "\"", "\"\"", "-", "@", "<", ">=", "@\"", "-\"", "\" \""])
  func `what is about to be typed says nothing yet`(line: String) {
    #expect(read(line).isEmpty)
  }

  @Test func `a quoted keyword is a word`() {
    expect(read(#""sale" "<5" "@kim" "-x" "할인""#).terms, terms("sale", "<5", "@kim", "-x", "할인"))
    expect(read(#""in:all""#).line(in: .english), #""in:all""#)
    expect(read(#"in:"all""#).scope, .market("all"))
    expect(read(##"@"#12""##).sellers, [.name("#12")])
    expect(read(#"-"a b" -sale"#).terms.map(\.isExcluded), [true, true])
  }

  @Test func `a quote that is not closed goes to the end of the line`() {
    expect(read(#"a "two wor"#).terms, terms("a", "two wor"))
    expect(read(#"in:"my mark"#).scope, .market("my mark"))
  }

  @Test func `what is written is read again, whatever it is and in whatever language`() {
    var random = SeededRandom(seed: 13)
    for _ in 0..<4_000 {
      let request = SearchRequest.random(by: &random)
      for language in SearchLanguage.allCases {
        let line = request.line(in: language)

        expect(read(line), request, "\(line)")
      }
    }
  }

  @Test func `whatever is typed, reading what is written of it changes nothing`() {
    var random = SeededRandom(seed: 14)
    for _ in 0..<4_000 {
      let line = String.random(by: &random, pieces: 12)
      let request = read(line)
      for language in SearchLanguage.allCases {
        let written = request.line(in: language)

        expect(read(written), request, "\(line)")
        expect(read(written).line(in: language), written, "\(line)")
      }
    }
  }

  @Test func `each part is taken away alone, and written alone`() {
    var request = read(#"lamp "a b" -x 1..2 sale stock @kim new:7d sort:price-desc in:home"#)
    for field in ProductField.choices { request.choices[field] = [FieldSample[field].text] }
    (request.place, request.filters) = ("Seoul, Mapo", Set(ProductFilter.offered))

    // Which have no words.
    let unspoken: [QueryPart] = [.ids, .filter(.unreserved)]
    for part in QueryPart.allCases where !unspoken.contains(part) {
      #expect(!request.without(part).parts.contains(part))
      expect(request.without(part).parts.count, request.parts.count - 1)
      expect(read(request.text(of: part, in: .english)).parts, [part])
    }
    expect(request.without(.price).order, .priceDescending)
  }

  @Test func `a query has all that its request says, and gives it back`() {
    let now = Timestamp(seconds: 1_000_000_000)
    let request = read(#"lamp desk "a b" -x 1..2 krw sale stock @#3 new:7d sort:price-desc"#)

    let query = request.query(sellers: [Seller.ID(rawValue: 3)], now: now)

    #expect(query.text == "lamp desk" && query.phrases == ["a b"] && query.without == ["x"])
    expect(query.since, Timestamp(seconds: 1_000_000_000 - 7 * 86_400))
    expect(query.parts, request.parts)
    expect(SearchRequest(query, now: now).query(sellers: query.sellers, now: now), query)
    expect(SearchRequest(query, now: Timestamp(seconds: 1_000_000_500)).age, SearchAge(7, .day))
  }

  @Test func `an age of any length begins at a time`() {
    let now = Timestamp(seconds: 1_000_000_000)

    expect(SearchAge(.max, .year)?.start(now: now), Timestamp(seconds: .min))
    expect(SearchAge(36, .hour)?.start(now: now), Timestamp(seconds: 999_870_400))
    expect(SearchAge(0, .day), nil)
  }

  @Test func `keywords of both languages complete what is begun`() {
    expect(SearchKeyword.completions(of: "s", in: .english).prefix(2), ["sale", "stock"])
    expect(SearchKeyword.completions(of: "sort:price-a", in: .korean), ["sort:price-asc"])
    expect(SearchKeyword.completions(of: "정렬:높", in: .english), ["정렬:높은가격"])
    #expect(SearchKeyword.completions(of: "", in: .korean).allSatisfy { $0 != "sale" })
    #expect(SearchKeyword.completions(of: "sale", in: .english).isEmpty)
  }

  @Test(arguments: [
    ("cat:sports 상태:좋음", "cat:sports cond:good", "분류:스포츠 상태:좋음"),
    ("category:books CAT:Music", "cat:books cat:music", "분류:책 분류:음악"),
    ("상태:부품용", "cond:parts", "상태:부품용"), ("분류:반려동물", "cat:pets", "분류:반려동물"),
    ("cond:used", "cond:used", "상태:중고"),
    ("cond:parts cond:fair 상태:거의새것 condition:good", "cond:used", "상태:중고"),
  ])
  func `what a thing is and how used is said in both languages, several at once`(
    line: String, english: String, korean: String
  ) {
    let request = read(line)

    #expect(request.terms.isEmpty)
    #expect(request.line(in: .english) == english && request.line(in: .korean) == korean)
  }

  @Test func `used is all but new, and an unknown word behind a colon is no choice`() {
    expect(read("cond:used").choices, [.condition: ["like-new", "good", "fair", "parts"]])
    #expect(read("cat:cars").choices.isEmpty)
    expect(SearchRequest.keywordMistakes(in: "cat:cars").first?.choices.count, 15)
    expect(read("in:books").scope, .market("books"))
  }

  @Test func `no two keywords are spelled alike`() {
    let spellings = SearchKeyword.all.flatMap(\.spellings)

    expect(Set(spellings).count, spellings.count)
    #expect(spellings.allSatisfy { $0 == $0.lowercased() })
  }
}

extension String {
  /// A text of pieces that mean something to the language, or nearly.
  fileprivate static func random(by random: inout SeededRandom, pieces: Int) -> String {
    let texts = [
      "a", "lamp", "자전거", "sale", "할인", "krw", "원", "\"", "\\", "-", "@", "#", "<", ">", "=",
      "..", ".", ",", "12", "200,000", "20만", "new:", "7d", "최근:", "7일", "sort:", "cheapest",
      "정렬:낮은가격", "in:", "all", "마켓:", "currency:", "jpy", "near:", "지역:", "서울", " ", " ", " ", "\t",
      "\u{301}",
      "\u{A0}", "\r\n", "e\u{301}", "ᄒ", "ᅡ", "İ", "👨‍👩‍👧", "",
    ]
    return (0...Int.random(in: 0..<pieces, using: &random))
      .map { _ in texts.randomElement(using: &random) ?? "" }.joined()
  }
}

extension SearchRequest {
  fileprivate static func random(by random: inout SeededRandom) -> SearchRequest {
    var request = SearchRequest()
    let isPresent = { (random: inout SeededRandom) in Bool.random(using: &random) }
    let text = { (random: inout SeededRandom) in
      SearchTerm(String.random(by: &random, pieces: 4))?.text ?? "x"
    }
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      request.terms += [SearchTerm(text(&random), isExcluded: isPresent(&random))].compactMap(
        \.self)
    }
    let amounts: [Int64?] = [nil, 0, 1, 10, 1_250, 20_000_000, .max]
    request.price.minimum = amounts.randomElement(using: &random) ?? nil
    request.price.maximum = amounts.randomElement(using: &random) ?? nil
    let codes = ["KRW", "USD", "JPY", "jpy", "a b", text(&random)]
    if isPresent(&random) {
      request.currency = codes.randomElement(using: &random).map(Currency.init)
    }
    request.filters = Set(ProductFilter.offered.filter { _ in isPresent(&random) })
    if isPresent(&random) { request.place = text(&random) }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      request.sellers.append(
        isPresent(&random)
          ? .name(text(&random)) : .number(Seller.ID(rawValue: .random(in: -9...9, using: &random)))
      )
    }
    if isPresent(&random), let unit = SearchAge.Unit.allCases.randomElement(using: &random) {
      request.age = SearchAge(.random(in: 1 ... .max, using: &random), unit)
    }
    request.order = ProductOrder.allCases.randomElement(using: &random) ?? .newest
    request.scope =
      [.here, .all, .home, .market(text(&random)), .market("all")].randomElement(using: &random)
      ?? .here
    return request
  }
}
