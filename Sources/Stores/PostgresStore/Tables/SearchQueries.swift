import MarketModel
import StoreCore

/// Reader of pages of queries with words.
struct SearchQueries {
  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  /// One page of a query with words, or `.unknownCursor` for one that nobody was given.
  ///
  /// Few finds are looked up in the index and sorted. Where there are many, the order is gone along
  /// until the page is full, but not for ever.
  ///
  /// `known` says how many products it finds; nil where that is still to be counted.
  func page(
    _ request: PageRequest, of search: WordSearch, counted known: Int?
  ) throws(PostgresError) -> Outcome<ProductPage> {
    let query = request.query
    let size = request.boundedSize
    var selection = PageSelection(
      order: query.order, states: query.filters.states, seller: query.sellers.first,
      passing: request.offset, limit: size + 1)
    if case .after(let cursor) = request.position {
      guard let key = OrderKey(cursor, in: query.order) else { return .failure(.unknownCursor) }
      selection.after = key
    }
    var count = known ?? 0
    if known == nil {
      count = try total(of: search, in: query, atMost: ProductTotal.bound + 1)
    }
    var products: [Product] = []
    if count > ProductTotal.bound {
      var parameters = StatementParameters()
      let sql = selection.walk(for: search, &parameters)
      products = try listed(sql, in: query.order, parameters)
    }
    if products.count <= size {
      var parameters = StatementParameters()
      let sql = selection.finds(of: search, &parameters)
      products = try listed(sql, in: query.order, parameters)
    }
    let total = ProductTotal(bounded: count)
    return .success(ProductPage(of: products, size: size, order: query.order, total: total))
  }

  /// The number of products that a search finds.
  ///
  /// Stops counting at the limit; nil is never.
  func total(
    of search: WordSearch, in query: ProductQuery, atMost limit: Int?
  ) throws(PostgresError) -> Int {
    var parameters = StatementParameters()
    let selection = PageSelection(
      order: .newest, states: query.filters.states, seller: query.sellers.first, limit: 0)
    let sql = selection.count(of: search, atMost: limit, &parameters)
    let statement = PostgresStatement(sql, parameters.values, isPlannedAnew: true)
    return Int(try connection.run(statement).first?.count(0) ?? 0)
  }

  private func listed(
    _ sql: String, in order: ProductOrder, _ parameters: StatementParameters
  ) throws(PostgresError) -> [Product] {
    try ProductQueries.products(
      in: try connection.run(ProductQueries.listing(sql, in: order, parameters)))
  }
}

/// Search for words, each of which must be a part of a product's words.
struct WordSearch: Sendable {
  /// Each once, sorted, so that one search is always the same.
  let words: [String]
  let grams: [Int32]

  /// Nil where a text has no words.
  init?(_ text: String, tokenizer source: SearchTokenizer) {
    let wanted = source.wanted(by: text)
    guard !wanted.isEmpty else { return nil }
    words = Set(wanted.map { String(String.UnicodeScalarView($0)) }).sorted()
    grams = Set(wanted.flatMap(GramHashes.wanted)).sorted()
  }

  /// The condition on a row of `product_search`; its values are added to `parameters`.
  ///
  /// The index is not used where so many products match that going through them is faster.
  func condition(usesIndex: Bool, _ parameters: inout StatementParameters) -> String {
    var parts: [String] = []
    if usesIndex { parts.append("grams @> \(parameters.add(.hashes(grams)))") }
    // A word of one or two letters that the index has as it is needs no comparing, but for hashes
    // that two runs share.
    parts += words.map { "strpos(words, \(parameters.add(.text($0)))) > 0" }
    return parts.joined(separator: " AND ")
  }
}

/// A product's words as `product_search` keeps them.
package struct SearchableText: Hashable, Sendable {
  let words: String
  let grams: [Int32]

  init(_ detail: ProductDetail, tokenizer source: SearchTokenizer) {
    self.init(
      [detail.product.name, detail.description, detail.product.seller.name], tokenizer: source)
  }

  init(_ texts: [String], tokenizer source: SearchTokenizer) {
    let all = texts.flatMap(source.words(of:))
    words = all.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
    grams = GramHashes.all(in: all)
  }
}

/// Hashes of the short runs of letters by which the index finds words.
///
/// A word has each of its letters, each pair and, where they are Latin letters or digits, each run
/// of three: pairs of those are in nearly every text. Whatever the index finds by these is compared
/// with the word itself, so two runs may share a hash.
private enum GramHashes {
  /// The hashes that a product with these words is indexed by: sorted, each once.
  static func all(in words: [ArraySlice<Unicode.Scalar>]) -> [Int32] {
    var hashes = Set<Int32>()
    for word in words {
      for start in word.indices {
        let rest = word[start...]
        hashes.insert(hash(of: rest.prefix(1)))
        if rest.count > 1 { hashes.insert(hash(of: rest.prefix(2))) }
        if rest.count > 2, rest.prefix(3).allSatisfy(SearchTokenizer.isFrequent) {
          hashes.insert(hash(of: rest.prefix(3)))
        }
      }
    }
    return hashes.sorted()
  }

  /// The hashes that all products with this word are indexed by: its rarest runs.
  static func wanted(by word: ArraySlice<Unicode.Scalar>) -> [Int32] {
    let isFrequent = word.allSatisfy(SearchTokenizer.isFrequent)
    let size = min(word.count, isFrequent ? 3 : 2)
    let hashes = word.indices.dropLast(size - 1).map { hash(of: word[$0...].prefix(size)) }
    return Set(hashes).sorted()
  }

  /// FNV-1a over the scalars' bytes.
  private static func hash(of letters: ArraySlice<Unicode.Scalar>) -> Int32 {
    var hash: UInt32 = 2_166_136_261
    for letter in letters {
      for shift in [0, 8, 16] as [UInt32] {
        hash = (hash ^ (letter.value >> shift & 0xFF)) &* 16_777_619
      }
    }
    return Int32(bitPattern: hash)
  }
}
