import MarketModel
import SQLiteKit
import StoreCore

/// Reader of pages of queries with words.
struct SearchQueries {
  /// What is known of the number of products that a search finds.
  private struct MatchCount {
    let total: ProductTotal
    /// Those of the page; nil where not all that are found were looked up.
    let ids: [Product.ID]?
  }

  private let connection: PostgresConnection
  private let bounds: SearchBounds
  /// Whether the index has a mark of each price.
  private let hasMarks: Bool

  init(_ connection: PostgresConnection, within bounds: SearchBounds, hasMarks: Bool) {
    self.connection = connection
    self.bounds = bounds
    self.hasMarks = hasMarks
  }

  /// One page of a query with words, or `.unknownCursor` for one that nobody was given.
  ///
  /// Few finds are looked up in the index and sorted. Of many the index gives those that come first by
  /// price, or the order is gone along until the page is full, but not for ever.
  ///
  /// `known` says how many products it finds; nil where that is still to be counted.
  func page(
    _ request: PageRequest, of search: WordSearch, counted known: Int?
  ) throws(StoreError) -> Outcome<ProductPage> {
    guard let (order, key) = request.place else { return .failure(.unknownCursor) }
    let size = request.boundedSize
    var selection = try selection(of: request.query, in: order, limit: size + 1)
    (selection.after, selection.passing) = (key, request.offset)
    if let known {
      let isFew = known <= ProductTotal.bound
      let products =
        isFew ? try finds(of: search, in: selection) : try many(of: search, in: selection)
      let total = ProductTotal(bounded: known)
      return .success(ProductPage(of: products, size: size, order: order, total: total))
    }
    let finds = try counted(search, in: selection)
    let products =
      if let ids = finds.ids {
        try listed(ids, in: order)
      } else {
        try many(of: search, in: selection)
      }
    var page = ProductPage(of: products, size: size, order: order, total: finds.total)
    if case .atLeast(let count) = finds.total {
      page.total = .atLeast(
        min(ProductTotal.bound, max(count, request.offset + page.products.count)))
    }
    return .success(page)
  }

  /// The number of products that a search finds, whatever that costs.
  func exactTotal(of search: WordSearch, in query: ProductQuery) throws(StoreError) -> Int {
    try total(of: search, in: try selection(of: query, in: StoredOrder(query.order), limit: 0))
  }

  /// A selection by the conditions of a query, of which it is known whether few products pass them.
  private func selection(
    of query: ProductQuery, in order: StoredOrder, limit: Int
  ) throws(StoreError) -> PageSelection {
    let narrowing = ProductConditions(query)
    var selection = PageSelection(order: order, narrowing: narrowing, limit: limit)
    if !narrowing.isOfStatesAlone {
      let count = try PageQueries(connection).count(narrowing, atMost: ProductTotal.bound + 1)
      selection.fewPass = count <= ProductTotal.bound
    }
    return selection
  }

  /// What is found, as far as it is looked up, with the ids of the page where that is all.
  private func counted(
    _ search: WordSearch, in selection: PageSelection
  ) throws(StoreError) -> MatchCount {
    var parameters = StatementParameters()
    // Others than PostgreSQL have no pages to take samples of.
    let sql = selection.counted(
      search, samples: connection.numbersTransactions, within: bounds, &parameters)
    let rows = try connection.run(
      PostgresStatement(SQL(sql), parameters.values, isPlannedAnew: true))
    let (count, areAll) = rows.first.map { (Int($0.integer(0)), $0.integer(1) != 0) } ?? (0, true)
    guard areAll, count <= ProductTotal.bound else {
      return MatchCount(total: .atLeast(min(count, ProductTotal.bound)), ids: nil)
    }
    let ids = rows.map { $0.isNull(2) ? nil : Product.ID(rawValue: $0.integer(2)) }
    return MatchCount(total: .exactly(count), ids: ids.compactMap(\.self))
  }

  /// A page of so many finds that they are looked up only where nothing else brings enough.
  ///
  /// Most pages end in the part of the order in which they begin.
  private func many(
    of search: WordSearch, in selection: PageSelection
  ) throws(StoreError) -> [Product] {
    let part = selection.parts[0]
    let usesMarks = hasMarks && part.order.isByPrice && !part.fewPass
    if usesMarks {
      // What is nearly everywhere is met at once.
      let first = try scanned(past: bounds.priceScanLimit, for: search, in: part)
      if first.count == part.limit { return first }
      for plenty in bounds.plenty {
        var parameters = StatementParameters()
        let sql = part.near(search, plenty: plenty, within: bounds, &parameters)
        let products = try listed(sql, in: part.order, parameters)
        if products.count == part.limit { return products }
      }
    }
    let products = try scanned(past: bounds.scanLimit, for: search, in: part)
    return products.count == part.limit ? products : try finds(of: search, in: selection)
  }

  /// What is met of a page among so many products of a part of the order.
  private func scanned(
    past count: Int, for search: WordSearch, in selection: PageSelection
  ) throws(StoreError) -> [Product] {
    var parameters = StatementParameters()
    let sql = selection.walk(for: search, past: count, &parameters)
    return try listed(sql, in: selection.order, parameters)
  }

  /// A page of all that is found.
  private func finds(
    of search: WordSearch, in selection: PageSelection
  ) throws(StoreError) -> [Product] {
    var parameters = StatementParameters()
    let sql = selection.finds(of: search, &parameters)
    return try listed(sql, in: selection.order, parameters)
  }

  /// The number of all products that a search finds.
  private func total(
    of search: WordSearch, in selection: PageSelection
  ) throws(StoreError) -> Int {
    var parameters = StatementParameters()
    let sql = selection.count(of: search, &parameters)
    let statement = PostgresStatement(SQL(sql), parameters.values, isPlannedAnew: true)
    return Int(try connection.run(statement).first?.count(0) ?? 0)
  }

  private func listed(
    _ sql: String, in order: StoredOrder, _ parameters: StatementParameters
  ) throws(StoreError) -> [Product] {
    try OrderedProducts.read(connection.run(OrderedProducts.listing(sql, in: order, parameters)))
  }

  /// The products of some ids, in an order.
  private func listed(_ ids: [Product.ID], in order: StoredOrder) throws(StoreError) -> [Product] {
    guard !ids.isEmpty else { return [] }
    let columns = (["id"] + order.placeColumns).joined(separator: ", ")
    var parameters = StatementParameters()
    let list = parameters.add(.integers(ids.map(\.rawValue)))
    return try OrderedProducts.read(
      connection.run(
        OrderedProducts.listing(
          "SELECT \(columns) FROM product WHERE id = ANY (\(list))", in: order, parameters,
          isPlannedAnew: false)))
  }
}

extension StoredOrder {
  fileprivate var isByPrice: Bool {
    switch order {
    case .newest, .biggestDiscount: false
    case .cheapest, .priceDescending: true
    }
  }
}

/// Search for what a query asks of texts.
///
/// Rows that a server of an older version has written are asked for as it folded texts.
struct WordSearch: Sendable {
  /// What must occur: all of the first, or all of the second where that is another one.
  private let alternatives: [WantedWords]
  /// Conditions on what must not occur, each once, always in the same order.
  private let exclusions: [WordCondition]

  /// Nil where a query asks nothing of texts.
  init?(_ query: ProductQuery, tokenizer source: SearchTokenizer) {
    let wanted = source.wanted(by: query)
    guard !wanted.isEmpty else { return nil }
    let former = source.former.wanted(by: query)
    var alternatives = [WantedWords(wanted), WantedWords(former)]
    if alternatives.contains(where: \.isEmpty) || alternatives[0] == alternatives[1] {
      alternatives.removeLast()
    }
    self.alternatives = alternatives
    exclusions = Set((wanted.without + former.without).map { .hasNot(WantedWords.run(of: $0)) })
      .sorted()
  }

  /// The condition on a row of `product_search`; its values are added to `parameters`.
  ///
  /// The index is not used where so many products match that going through them is faster. With `marks`,
  /// an expression of an array, it finds rows with one of these marks.
  func condition(
    usesIndex: Bool, marked marks: String? = nil, _ parameters: inout StatementParameters
  ) -> String {
    var all: [[String]] = []
    for words in alternatives {
      all.append(words.conditions(usesIndex: usesIndex, marked: marks, &parameters))
    }
    var parts = all.count == 1 ? all[0] : []
    if all.count > 1 {
      let texts = all.map { "(" + $0.joined(separator: " AND ") + ")" }
      parts = ["(" + texts.joined(separator: " OR ") + ")"]
    }
    for exclusion in exclusions { parts.append(exclusion.sql(&parameters)) }
    return parts.joined(separator: " AND ")
  }
}

/// Words and phrases that must occur.
private struct WantedWords: Hashable, Sendable {
  /// Each once, always in the same order.
  private let conditions: [WordCondition]
  private let grams: [Int32]
  /// Whether some of the hashes are of parts of syllables.
  private let asksForParts: Bool

  var isEmpty: Bool { conditions.isEmpty }

  init(_ wanted: SearchTerms) {
    let words = wanted.words.map(LetterPattern.letters(of:))
    conditions = Set(
      words.map(WordCondition.init(finding:)) + wanted.phrases.map { .has(Self.run(of: $0)) }
    ).sorted()
    grams = Set(
      words.flatMap(GramHashes.wanted(by:))
        + wanted.phrases.joined().flatMap { GramHashes.wanted(by: $0.map(LetterPattern.exactly)) }
    ).filter { !PriceTokens.numbers.contains($0) }.sorted()
    asksForParts = words.contains { $0.contains { $0.syllables != nil } }
  }

  static func run(of phrase: SearchTerms.Phrase) -> String {
    phrase.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
  }

  /// Rows whose hashes tell nothing of parts of syllables have an index of their own, and are compared.
  func conditions(
    usesIndex: Bool, marked marks: String?, _ parameters: inout StatementParameters
  ) -> [String] {
    var parts: [String] = []
    if usesIndex, !grams.isEmpty || marks != nil {
      var hashes = marks.map { ["grams && \($0)::integer[]"] } ?? []
      if !grams.isEmpty { hashes.append("grams @> \(parameters.add(.hashes(grams)))") }
      let all = hashes.joined(separator: " AND ")
      parts.append(asksForParts ? "((\(all)) OR \(GramHashes.isIncomplete))" : all)
    }
    // A word of one or two letters that the index has as it is needs no comparing, but for hashes
    // that two runs share.
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

  /// The condition that letters occur one after the other.
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
    // Whatever has a meaning in an expression is punctuation of ASCII.
    let isPlain = !letter.alone.isASCII || SearchTokenizer.isFrequent(letter.alone)
    return (isPlain ? "" : "\\") + String(letter.alone)
  }
}
