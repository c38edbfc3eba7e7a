import MarketModel
import SQLiteKit
import StoreCore

/// Reader of pages of queries with words.
///
/// - Throws: every call throws the `StoreError` of its statement.
struct SearchQueries {
  /// Number of matches of a search, as far as it was counted.
  private struct MatchCount {
    let number: Int
    /// The ids of the page; nil where not all matches were looked up.
    let ids: [Product.ID]?
  }

  private let connection: PostgresConnection
  private let bounds: SearchBounds
  private let ordered: OrderedProducts

  /// `rows` are the rows of pages that ask for them.
  init(
    _ connection: PostgresConnection, within bounds: SearchBounds,
    for request: PageRequest = PageRequest(), keeping rows: ListedRowCache? = nil
  ) {
    self.connection = connection
    ordered = OrderedProducts(connection, for: request, keeping: rows)
    self.bounds = bounds
  }

  /// One page of a query with words.
  ///
  /// Few matches are looked up in the index and sorted. Of many, the index returns the first ones by
  /// price, or the order is scanned until the page is full, within limits.
  ///
  /// `known` is the number of matches; nil where they are still to be counted.
  func page(
    _ request: PageRequest, after key: OrderKey?, of search: WordSearch, counted known: Int?
  ) throws(StoreError) -> Reading<ProductPage> {
    let (size, bound) = (request.boundedSize, request.maxMatchCount)
    let order = StoredOrder(request.query.order)
    var selection = try selection(of: request.query, in: order, limit: size + 1)
    (selection.after, selection.offset) = (key, request.offset)
    func page(
      _ products: OrderedProducts.Found, _ total: ProductTotal
    ) -> Reading<ProductPage> {
      ordered.page(of: products, size: size, order: order, total: total)
    }
    if let known {
      let isFew = known <= ProductTotal.bound
      let products =
        isFew ? try sortedMatches(of: search, in: selection) : try many(of: search, in: selection)
      return page(products, ProductTotal(known, atMost: bound))
    }
    let count = try counted(search, in: selection, atLeast: bound)
    if let ids = count.ids {
      return page(try ordered.products(ids), ProductTotal(count.number, atMost: bound))
    }
    let products = try many(of: search, in: selection)
    let least = max(count.number, request.offset + min(size, products.count))
    return page(products, .atLeast(min(bound, least)))
  }

  /// The number of matches of a search, without a limit.
  func exactTotal(of search: WordSearch, in query: ProductQuery) throws(StoreError) -> Int {
    try total(of: search, in: try selection(of: query, in: StoredOrder(query.order), limit: 0))
  }

  /// A selection by the conditions of a query, with `fewPass` set by a count.
  private func selection(
    of query: ProductQuery, in order: StoredOrder, limit: Int
  ) throws(StoreError) -> PageSelection {
    let narrowing = ProductConditions(query)
    var selection = PageSelection(order: order, narrowing: narrowing, limit: limit)
    if !narrowing.isOfStatesAlone {
      let count = try connection.count(narrowing, atMost: ProductTotal.bound + 1)
      selection.fewPass = count <= ProductTotal.bound
    }
    return selection
  }

  /// The counted matches, with the ids of the page where all were looked up.
  private func counted(
    _ search: WordSearch, in selection: PageSelection, atLeast least: Int
  ) throws(StoreError) -> MatchCount {
    var parameters = StatementParameters(.postgres)
    // Other engines than PostgreSQL do not support sampling.
    let sql = selection.counted(
      search, atLeast: least, samples: connection.numbersTransactions, within: bounds, &parameters)
    let rows = try connection.run(
      Query(SQL(sql), parameters.values, isPlannedAnew: true))
    let (count, areAll) = rows.first.map { (Int($0.integer(0)), $0.integer(1) != 0) } ?? (0, true)
    guard areAll, count <= ProductTotal.bound else { return MatchCount(number: count, ids: nil) }
    let ids = rows.map { $0.isNull(2) ? nil : Product.ID(rawValue: $0.integer(2)) }
    return MatchCount(number: count, ids: ids.compactMap(\.self))
  }

  /// A page of many matches, which are looked up only where scanning finds too few.
  ///
  /// Most pages end in the part of the order in which they begin.
  private func many(
    of search: WordSearch, in selection: PageSelection
  ) throws(StoreError) -> OrderedProducts.Found {
    let part = selection.parts[0]
    if part.order.priceColumn != nil, !part.fewPass {
      // Frequent words fill the page at once.
      let first = try scanned(past: bounds.priceScanLimit, for: search, in: part)
      if first.count == part.limit { return first }
      for plenty in bounds.plenty {
        var parameters = StatementParameters(.postgres)
        let sql = part.near(search, plenty: plenty, within: bounds, &parameters)
        let products = try listed(sql, in: part.order, parameters)
        if products.count == part.limit { return products }
      }
    }
    let limit = part.isOfWordsAlone ? bounds.wordScanLimit : bounds.scanLimit
    let products = try scanned(past: limit, for: search, in: part)
    return products.count == part.limit ? products : try sortedMatches(of: search, in: selection)
  }

  /// The products of a page found within `count` products of a part of the order.
  private func scanned(
    past count: Int, for search: WordSearch, in selection: PageSelection
  ) throws(StoreError) -> OrderedProducts.Found {
    var parameters = StatementParameters(.postgres)
    let sql = selection.walk(for: search, past: count, &parameters)
    return try listed(sql, in: selection.order, parameters)
  }

  /// A page of all matches.
  private func sortedMatches(
    of search: WordSearch, in selection: PageSelection
  ) throws(StoreError) -> OrderedProducts.Found {
    var parameters = StatementParameters(.postgres)
    let sql = selection.sortedMatches(of: search, &parameters)
    return try listed(sql, in: selection.order, parameters)
  }

  /// The number of all matches.
  private func total(
    of search: WordSearch, in selection: PageSelection
  ) throws(StoreError) -> Int {
    var parameters = StatementParameters(.postgres)
    let sql = selection.count(of: search, &parameters)
    let statement = Query(SQL(sql), parameters.values, isPlannedAnew: true)
    return Int(try connection.run(statement).first?.count(0) ?? 0)
  }

  private func listed(
    _ sql: String, in order: StoredOrder, _ parameters: StatementParameters
  ) throws(StoreError) -> OrderedProducts.Found {
    try connection.read(
      ordered.listing(sql, in: order, parameters.values, isPlannedAnew: true))
  }
}

/// Text conditions of a query.
struct WordSearch: Sendable {
  /// Terms that must occur.
  private let words: WantedWords
  /// Terms that must not occur, each once, in a fixed order.
  private let exclusions: [WordCondition]

  /// Nil where a query has no text conditions.
  init?(_ query: ProductQuery, tokenizer source: SearchTokenizer) {
    let wanted = source.wanted(by: query)
    guard !wanted.isEmpty else { return nil }
    words = WantedWords(wanted)
    exclusions = Set(wanted.without.map { .hasNot(WantedWords.run(of: $0)) }).sorted()
  }

  /// SQL condition on a row of `product_search`; its values are added to `parameters`.
  ///
  /// `usesIndex` is false where a scan is faster. `tokens` is an expression of an array of price tokens,
  /// one of which a row must have.
  func condition(
    usesIndex: Bool, priced tokens: String? = nil, _ parameters: inout StatementParameters
  ) -> String {
    var parts = words.conditions(usesIndex: usesIndex, priced: tokens, &parameters)
    for exclusion in exclusions { parts.append(exclusion.sql(&parameters)) }
    return parts.joined(separator: " AND ")
  }
}

/// Words and phrases that must occur.
private struct WantedWords: Sendable {
  /// Each once, in a fixed order.
  private let conditions: [WordCondition]
  private let grams: [Int32]

  init(_ wanted: SearchTerms) {
    let words = wanted.words.map(LetterPattern.letters(of:))
    conditions = Set(
      words.map(WordCondition.init(finding:)) + wanted.phrases.map { .has(Self.run(of: $0)) }
    ).sorted()
    grams = Set(
      words.flatMap(GramHashes.wanted(by:))
        + wanted.phrases.joined().flatMap { GramHashes.wanted(by: $0.map(LetterPattern.exactly)) }
    ).filter { !PriceTokens.numbers.contains($0) }.sorted()
  }

  static func run(of phrase: SearchTerms.Phrase) -> String {
    phrase.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
  }

  func conditions(
    usesIndex: Bool, priced tokens: String?, _ parameters: inout StatementParameters
  ) -> [String] {
    var parts: [String] = []
    if usesIndex {
      if let tokens { parts.append("grams && \(tokens)::integer[]") }
      if !grams.isEmpty { parts.append("grams @> \(parameters.add(.hashes(grams)))") }
    }
    // A word of one or two letters is compared as well, because hashes may collide.
    for condition in conditions { parts.append(condition.sql(&parameters)) }
    return parts
  }
}

/// Condition on the words of a product.
private enum WordCondition: Hashable, Comparable, Sendable {
  case has(String)
  case hasNot(String)
  /// A regular expression of PostgreSQL.
  case matches(String)

  /// The condition that letters occur consecutively.
  init(finding letters: [LetterPattern]) {
    let alone = String(String.UnicodeScalarView(letters.map(\.alone)))
    self =
      letters.allSatisfy { $0.syllables == nil }
      ? .has(alone) : .matches(letters.map(Self.pattern(of:)).joined())
  }

  func sql(_ parameters: inout StatementParameters) -> String {
    switch self {
    case .has(let run): "strpos(words, \(parameters.add(.text(run)))) > 0"
    case .hasNot(let run): "strpos(words, \(parameters.add(.text(run)))) = 0"
    case .matches(let pattern): "words ~ \(parameters.add(.text(pattern)))"
    }
  }

  private static func pattern(of letter: LetterPattern) -> String {
    if let syllables = letter.syllables {
      return "[\(letter.alone)\(syllables.lowerBound)-\(syllables.upperBound)]"
    }
    // All metacharacters are ASCII punctuation.
    let isPlain = !letter.alone.isASCII || SearchTokenizer.isFrequent(letter.alone)
    return (isPlain ? "" : "\\") + String(letter.alone)
  }
}
