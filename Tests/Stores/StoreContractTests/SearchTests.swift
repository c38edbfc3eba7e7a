import Expectations
import MarketModel
import StoreCore
import TestSupport
import Testing

/// Searches beside the plainest reading of the texts, and the sieve of clients beside both.
struct SearchTests {
  /// A query as a user types it, and the products that the simplest implementation finds by it.
  private struct TypedQuery {
    let query: ProductQuery
    /// In their order in `products`.
    let found: [Int]
  }

  private static let products: [ArchivedProduct] = {
    guard let price = Price(full: Money(hundredths: 10_000, currency: .krw)) else { return [] }
    var random = SeededRandom(seed: 12)
    return (1...120).map { _ in
      ArchivedProduct(
        seller: "s" + HardLetters.text(of: 0...3, &random),
        name: "n" + HardLetters.text(of: 1...12, &random),
        description: HardLetters.text(of: 0...30, &random), price: price, stock: 1, created: 0,
        pictures: [])
    }
  }()

  /// Parts of these texts in other ways to type them; found out once for both databases.
  private static let typed: [TypedQuery] = {
    var random = SeededRandom(seed: 12)
    return (1...400).compactMap { step in
      let product = products[Int.random(in: products.indices, using: &random)]
      let texts = [product.name, product.description, product.seller.name]
      let text = texts.randomElement(using: &random) ?? ""
      let part = part(of: SearchTokenizer().line(of: text), &random)
      let query: ProductQuery
      switch step % 4 {
      case 0: query = ProductQuery(phrases: [varied(part, &random)])
      case 1: query = ProductQuery(without: [varied(part, &random)])
      default: query = ProductQuery(text: varied(part, &random))
      }
      // Marks without their letter are not typed; the letter may be a Latin letter without marks.
      guard !query.findsNothing, part.unicodeScalars.first?.properties.isGraphemeExtend != true
      else { return nil }
      let found = products.indices.filter { number in
        let product = products[number]
        return matches(
          [product.name, product.description, product.seller.name], query)
      }
      if query.without.isEmpty, step % 4 != 0 || !part.contains(" ") {
        #expect(
          found.contains { products[$0].name == product.name },
          "\(scalars(query)) \(scalars(text))"
        )
      }
      return TypedQuery(query: query, found: found)
    }
  }()

  private static func market(_ database: Database) async throws -> ContractMarket {
    let market = try await ContractMarket(database)
    try await market.store.seed(SeedMarket(products: products, pictures: [], passwordHash: "x"))
    return market
  }

  @Test(arguments: Database.allCases)
  func `whoever types a part of a text in another way finds it`(_ database: Database) async throws {
    let market = try await Self.market(database)

    for typed in Self.typed {
      let query = typed.query
      let names = try await market.store.following(query, by: 100).map(\.name)
      let total = try await market.store.exactTotal(of: query)
      // Numbers begin with 1 in a new market.
      var named = query
      named.ids = (31...90).map { Product.ID(rawValue: $0) }
      let namedTotal = try await market.store.exactTotal(of: named)

      let expected = typed.found.reversed().map { Self.products[$0].name }
      #expect(names == expected && total == expected.count, "\(Self.scalars(query))")
      expect(namedTotal, typed.found.count { (30..<90).contains($0) })
    }

    #expect(Self.typed.reduce(0) { $0 + $1.found.count } > 1_000)
  }

  @Test func `the sieve of clients keeps what a search by names and sellers finds`() async throws {
    let market = try await Self.market(.sqlite)
    let all = try await market.store.page(PageRequest(size: 100)).products

    for typed in Self.typed {
      let sieve = ProductFilterEvaluator(typed.query, parts: typed.query.parts)
      let found = all.filter { Self.matches([$0.name, $0.seller.name], typed.query) }
      expect(all.filter(sieve.keeps), found, "\(Self.scalars(typed.query))")
    }
  }

  /// Generated products, the same in each database.
  private static func generated(_ database: Database) async throws -> ContractMarket {
    let market = try await ContractMarket(database, MarketOptions(now: { 1_750_000_000 }))
    let hash = try await PasswordHasher(cost: .least).hash(Password("market"))
    try await market.store.generate(400, pictures: [], passwordHash: hash) { _ in }
    return market
  }

  /// A request, and the page that the plainest reading of all products answers with, and that behind it.
  private struct PlainAnswer {
    let request: PageRequest
    let page: ProductPage
    var following: [Product]?
  }

  /// Found out once for both databases.
  private static let plainAnswers = Task {
    let market = try await generated(.sqlite)
    var details: [ProductDetail] = []
    for id in Int64(1)...400 {
      details.append(try await market.store.detail(of: Product.ID(rawValue: id)))
    }
    let plain = InMemoryProductRepository(details)
    var random = SeededRandom(seed: 13)
    var answers: [PlainAnswer] = []
    for _ in 1...600 {
      let query = query(among: details, &random)
      let request = PageRequest(
        query: query, position: Bool.random(using: &random) ? .first : .number(2), size: 9)
      var answer = PlainAnswer(request: request, page: try await plain.page(request))
      if let next = answer.page.next {
        let rest = PageRequest(query: query, position: next, size: 5)
        answer.following = try await plain.page(rest).products
      }
      answers.append(answer)
    }
    return answers
  }

  @Test(arguments: Database.allCases)
  func `random queries of all parts are answered as the plainest reading answers them`(
    _ database: Database
  ) async throws {
    let market = try await Self.generated(database)

    for answer in try await Self.plainAnswers.value {
      let (request, expected) = (answer.request, answer.page)
      let page = try await market.store.page(request)
      #expect(page.products == expected.products && page.total == expected.total, "\(request)")
      expect(page.next == nil, expected.next == nil, "\(request)")
      guard let next = page.next else { continue }
      let more = PageRequest(query: request.query, position: next, size: 5)
      try await expect(market.store.page(more).products, answer.following, "\(request)")
    }
  }

  private static let words = [
    "ㅈㅈㄱ", "자저", "자전거", "자ㅈ", "ㄱ", "거", "a", "in", "like", "설명서", "무서", "ㅇㅇㅍ", "블", "s'", "네 가",
    "상태 좋은", "t new",
  ]

  private static func query(
    among details: [ProductDetail], _ random: inout SeededRandom
  ) -> ProductQuery {
    func sometimes(_ random: inout SeededRandom) -> Bool {
      Int.random(in: 0..<4, using: &random) == 0
    }
    let some = details[Int.random(in: details.indices, using: &random)].product
    let pays = some.pricing.price?.toPay.hundredths ?? 0
    var query = ProductQuery(order: ProductOrder.allCases.randomElement(using: &random) ?? .newest)
    if sometimes(&random) { query.text = words.randomElement(using: &random) ?? "" }
    if sometimes(&random) { query.phrases = [words.randomElement(using: &random) ?? ""] }
    if sometimes(&random) { query.without = [words.randomElement(using: &random) ?? ""] }
    if sometimes(&random) { query.price.minimum = pays }
    if sometimes(&random) { query.price.maximum = pays * 2 }
    if sometimes(&random) { query.currency = Bool.random(using: &random) ? .krw : .usd }
    if sometimes(&random) {
      query.filters = Set(
        (0..<2).map { _ in ProductFilter.allCases.randomElement(using: &random) ?? .inStock })
    }
    for field in ProductField.choices where field != .currency && sometimes(&random) {
      query.choices[field] = Set(
        (0..<2).compactMap { _ in field.kind.words?.randomElement(using: &random) })
    }
    if sometimes(&random) {
      query.place = String((some.place ?? "경기").prefix(Int.random(in: 1...5, using: &random)))
    }
    if sometimes(&random) {
      query.sellers = details[0..<Int.random(in: 1...40, using: &random)].map(\.product.seller.id)
    }
    if sometimes(&random) { query.since = some.created }
    if sometimes(&random) {
      query.ids = (0..<30).map { _ in Product.ID(rawValue: .random(in: 1...500, using: &random)) }
    }
    return query
  }

  private static func scalars(_ query: ProductQuery) -> [[String]] {
    ([query.text] + query.phrases + query.without).map(scalars)
  }

  private static func scalars(_ text: String) -> [String] {
    text.unicodeScalars.map { String($0.value, radix: 16) }
  }

  // MARK: Typing

  private static func part(of text: String, _ random: inout SeededRandom) -> String {
    let scalars = Array(text.unicodeScalars)
    guard !scalars.isEmpty else { return "n" }
    let start = Int.random(in: scalars.indices, using: &random)
    let end = min(scalars.count, start + Int.random(in: 1...5, using: &random))
    return String(String.UnicodeScalarView(scalars[start..<end]))
  }

  /// Another way to type a text, which is folded to the same.
  private static func varied(_ text: String, _ random: inout SeededRandom) -> String {
    var typed = String.UnicodeScalarView()
    var last: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      if Hangul.isSyllable(last), Hangul.isSyllable(scalar), Bool.random(using: &random) {
        typed.append(["\u{20}", "\u{3000}", "\n"].randomElement(using: &random) ?? " ")
      }
      let ways: [String] =
        switch scalar {
        case "i": ["i", "I", "İ", "ı", "ｉ", "í"]
        case "s": ["s", "S", "ｓ", "ſ", "ŝ"]
        case "a"..."z": [String(scalar), String(scalar).uppercased(), String(scalar) + "\u{301}"]
        case "0"..."9": [String(scalar), String(Unicode.Scalar(scalar.value + 0xFEE0) ?? "0")]
        case "'": ["'", "’", "´", "`"]
        case "\"": ["\"", "“", "″", "»"]
        default: [String(scalar)]
        }
      typed.append(contentsOf: (ways.randomElement(using: &random) ?? "").unicodeScalars)
      last = scalar
    }
    return String(typed)
  }

  // MARK: The plainest reading

  private static func matches(_ texts: [String], _ query: ProductQuery) -> Bool {
    let tokenizer = SearchTokenizer()
    let texts = texts.map(tokenizer.line(of:))
    func has(_ phrase: String) -> Bool {
      let letters = tokenizer.line(of: phrase).unicodeScalars.map(LetterPattern.exactly)
      return letters.isEmpty || texts.contains { occurs(letters, $0) }
    }
    return tokenizer.wanted(by: query.text).allSatisfy { word in
      texts.contains { occurs(LetterPattern.letters(of: word), $0) }
    } && query.phrases.allSatisfy(has)
      && !query.without.contains { !tokenizer.line(of: $0).isEmpty && has($0) }
  }

  private static func occurs(_ letters: [LetterPattern], _ text: String) -> Bool {
    letters.occur(in: Array(text.unicodeScalars))
  }
}
