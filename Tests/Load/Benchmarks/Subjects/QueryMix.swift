import MarketModel

/// Queries of one kind, and how fast their first pages are to come from a file of a million.
struct QueryMix {
  let name: String
  /// Times in them count from the newest product on, and are negative.
  private let queries: [ProductQuery]
  /// Milliseconds.
  let median: Double
  let p99: Double
  /// Whether many products have each word and hardly any has all.
  private(set) var hardlyMeets = false

  static let all = [
    quick("words", words.map { ProductQuery(text: $0) }),
    usual("words, other orders", ordered(words.prefix(12).map { ProductQuery(text: $0) })),
    usual("single letters", letters.map { ProductQuery(text: $0) }),
    usual("first consonants", consonants.map { ProductQuery(text: $0) }),
    usual("syllables under way", underWay.map { ProductQuery(text: $0) }),
    usual("prices", ordered(prices)),
    usual("sellers", ordered(sellers)),
    usual("since", ordered([1, 30, 300].map { ProductQuery(since: daysAgo($0)) })),
    usual("in stock, reduced", ordered(filters)),
    usual("phrases, without", texts),
    usual("several parts", ordered(combinations)),
    QueryMix(
      name: "frequent words that hardly meet",
      queries: ["자전거 earbuds", "설명서 warranty", "seat 몬스테라", "r 키보ㄷ laptop"].map {
        ProductQuery(text: $0)
      }, median: 300, p99: 300, hardlyMeets: true),
  ]

  /// First pages of the queries, of a market whose newest product is of a time.
  func requests(newest: Timestamp) -> [PageRequest] {
    queries.map { query in
      var query = query
      query.since = query.since.map { Timestamp(seconds: newest.seconds + $0.seconds) }
      return PageRequest(query: query)
    }
  }

  private static func quick(_ name: String, _ queries: [ProductQuery]) -> QueryMix {
    QueryMix(name: name, queries: queries, median: 1, p99: 5)
  }

  private static func usual(_ name: String, _ queries: [ProductQuery]) -> QueryMix {
    QueryMix(name: name, queries: queries, median: 10, p99: 50)
  }

  /// Each query in each order.
  private static func ordered(_ queries: [ProductQuery]) -> [ProductQuery] {
    queries.flatMap { query in
      ProductOrder.allCases.map { order in
        var query = query
        query.order = order
        return query
      }
    }
  }

  private static func daysAgo(_ days: Int64) -> Timestamp { Timestamp(seconds: -days * 86_400) }

  private static let words = FreshServer.searches
  private static let underWay = ["자저", "자전ㄱ", "키볻", "노틉", "카멜", "스피ㅋ"]
  private static let letters = "aekq세마거북".map(String.init)
  private static let consonants = ["ㅈ", "ㅈㅈㄱ", "ㅋㅂㄷ", "ㄴㅌㅂ", "ㅁ", "ㅋㅁㄹ", "ㅇㅇㅍ", "ㅅㅍㅋ ㅂㄹ"]

  /// In won and dollars, wide and narrow, open and closed.
  private static let prices = [
    ProductQuery(price: PriceRange(minimum: 10_000_000, maximum: 10_500_000)),
    ProductQuery(price: PriceRange(minimum: 5_000_000, maximum: 50_000_000)),
    ProductQuery(price: PriceRange(minimum: 100_000_000)),
    ProductQuery(price: PriceRange(maximum: 3_000_000), currency: .krw),
    ProductQuery(price: PriceRange(minimum: 20_000, maximum: 40_000), currency: .usd),
    ProductQuery(currency: .usd),
  ]

  private static let sellers =
    [[5], [7, 300], Array(1...40), Array(stride(from: 3, to: 900, by: 9))].map { numbers in
      ProductQuery(sellers: numbers.map(Seller.ID.init(rawValue:)))
    }

  private static let filters = [
    ProductQuery(filters: [.inStock]), ProductQuery(filters: [.reduced]),
    ProductQuery(filters: [.inStock, .reduced]),
  ]

  private static let texts = [
    ProductQuery(phrases: ["같은 것"]), ProductQuery(phrases: ["like new"]),
    ProductQuery(phrases: ["택배비는 별도"]), ProductQuery(text: "자전거", phrases: ["like new"]),
    ProductQuery(without: ["자전거"]), ProductQuery(text: "bicycle", without: ["red"]),
    ProductQuery(text: "ㅈㅈㄱ", without: ["like new"]),
  ]

  private static let combinations = [
    ProductQuery(
      text: "자전거", price: PriceRange(minimum: 10_000_000, maximum: 30_000_000), currency: .krw,
      filters: [.inStock]),
    ProductQuery(text: "ㅋㅂㄷ", price: PriceRange(maximum: 8_000_000), filters: [.inStock]),
    ProductQuery(text: "desk", sellers: [Seller.ID(rawValue: 5)]),
    ProductQuery(text: "카메라", since: daysAgo(30)),
    ProductQuery(
      price: PriceRange(minimum: 5_000_000, maximum: 50_000_000), filters: [.inStock],
      since: daysAgo(7)),
    ProductQuery(
      price: PriceRange(minimum: 1_000_000), sellers: Array(1...40).map(Seller.ID.init(rawValue:)),
      since: daysAgo(200)),
    ProductQuery(phrases: ["like new"], currency: .usd, filters: [.reduced]),
  ]
}
