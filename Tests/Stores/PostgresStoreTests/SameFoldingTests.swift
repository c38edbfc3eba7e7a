import MarketModel
import MarketStore
import PostgresStore
import PostgresTestSupport
import SafeTextKit
import StoreCore
import TestSupport
import Testing

/// One law of searches: a file, a database and the sieve of clients, beside the plainest reading.
@Suite(
  .enabled(if: TestCluster.isPossible, Comment(rawValue: TestCluster.hint)),
  .timeLimit(.minutes(3)))
struct SameFoldingTests {
  @Test func `whoever types a part of a text in another way finds it, wherever it is looked for`()
    async throws
  {
    let stores = try await StorePair()
    var random = SeededRandom(seed: 12)
    var products: [SeedProduct] = []
    for _ in 1...120 {
      products.append(
        SeedProduct(
          seller: "s" + HardLetters.text(of: 0...3, &random),
          name: "n" + HardLetters.text(of: 1...12, &random),
          description: HardLetters.text(of: 0...30, &random),
          price: try #require(Price(full: Money(hundredths: 10_000, currency: .krw))), stock: 1,
          created: 0, pictures: []))
    }
    let seed = SeedMarket(products: products, pictures: [], passwordHash: "x")
    for store in stores.both { try await store.seed(seed) }
    let all = try await stores.file.page(PageRequest(size: 100)).products
    var found = 0

    for step in 1...400 {
      let product = products[Int.random(in: products.indices, using: &random)]
      let texts = [product.archived.name, product.archived.description, product.seller]
      let text = texts.randomElement(using: &random) ?? ""
      let part = Self.part(of: Self.joined(text.folded), &random)
      let query: ProductQuery
      switch step % 4 {
      case 0: query = ProductQuery(phrases: [Self.varied(part, &random)])
      case 1: query = ProductQuery(without: [Self.varied(part, &random)])
      default: query = ProductQuery(text: Self.varied(part, &random))
      }
      // Nobody types a mark without its letter, which may be a Latin one without marks.
      guard !query.findsNothing, part.unicodeScalars.first?.properties.isGraphemeExtend != true
      else { continue }
      let expected = products.filter {
        Self.matches([$0.archived.name, $0.archived.description, $0.seller], query)
      }
      if query.without.isEmpty, step % 4 != 0 || !part.contains(" ") {
        #expect(
          expected.contains { $0.archived.name == product.archived.name },
          "\(scalars(query)) \(scalars(text))")
      }
      found += expected.count

      for store in stores.both {
        var request = PageRequest(query: query, size: 100)
        var names: [String] = []
        while true {
          let page = try await store.page(request)
          names += page.products.map(\.name)
          guard let next = page.next else { break }
          request.position = next
        }
        #expect(
          names == expected.reversed().map(\.archived.name), "\(type(of: store)): \(scalars(query))"
        )
        #expect(try await store.exactTotal(of: query) == expected.count)
      }
      let sieve = ProductFilterEvaluator(query, parts: query.parts)
      #expect(
        all.filter(sieve.keeps) == all.filter { Self.matches([$0.name, $0.seller.name], query) },
        "\(scalars(query))")
      // Numbers begin with 1 in a new market.
      var named = query
      named.ids = (31...90).map { Product.ID(rawValue: $0) }
      #expect(
        try await stores.file.exactTotal(of: named)
          == products[30..<90].count {
            Self.matches([$0.archived.name, $0.archived.description, $0.seller], query)
          })
    }

    #expect(found > 1_000)
  }

  private func scalars(_ query: ProductQuery) -> [[String]] {
    ([query.text] + query.phrases + query.without).map(scalars)
  }

  private func scalars(_ text: String) -> [String] {
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
    let texts = texts.map { joined($0.folded) }
    let words = blankless(query.text).flatMap { blankless($0.folded) }
    func has(_ phrase: String) -> Bool {
      let phrase = joined(phrase.folded)
      return phrase.isEmpty
        || texts.contains { occurs(phrase.unicodeScalars.map(LetterPattern.exactly), $0) }
    }
    return words.allSatisfy { word in
      texts.contains { occurs(LetterPattern.letters(of: Array(word.unicodeScalars)), $0) }
    } && query.phrases.allSatisfy(has)
      && !query.without.contains { !joined($0.folded).isEmpty && has($0) }
  }

  private static func occurs(_ letters: [LetterPattern], _ text: String) -> Bool {
    letters.occur(in: Array(text.unicodeScalars))
  }

  private static func blankless(_ text: String) -> [String] {
    text.unicodeScalars.split(whereSeparator: isBlank).map { String($0) }
  }

  /// A text with one blank for several, and none between syllables.
  private static func joined(_ text: String) -> String {
    var joined = String.UnicodeScalarView()
    for word in blankless(text) {
      let isOpen =
        joined.last.map(Hangul.isSyllable) != true
        || word.unicodeScalars.first.map(Hangul.isSyllable) != true
      if !joined.isEmpty, isOpen { joined.append(" ") }
      joined.append(contentsOf: word.unicodeScalars)
    }
    return String(joined)
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
  }
}
