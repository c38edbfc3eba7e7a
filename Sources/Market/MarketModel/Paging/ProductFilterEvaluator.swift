/// Sieve for the rows of a list: tells of one row whether parts of a query keep it, where the market
/// itself cannot.
///
/// A row has no text but the product's name and its seller's, so that words and phrases are looked for
/// in these alone.
package struct ProductFilterEvaluator: Sendable {
  private let query: ProductQuery
  private let parts: Set<QueryPart>
  private let wanted: SearchTerms
  private let tokenizer = SearchTokenizer()

  /// A sieve for some parts of a query; the others are the market's.
  package init(_ query: ProductQuery, parts: Set<QueryPart>) {
    self.query = query
    self.parts = parts
    wanted = tokenizer.wanted(by: query)
  }

  /// Whether a row stays in the list.
  package func keeps(_ product: Product) -> Bool {
    let asked = query.parts.intersection(parts)
    let texts = SearchedTexts(
      asked.isDisjoint(with: QueryPart.texts) ? [] : [product.name, product.seller.name], tokenizer)
    return asked.allSatisfy { keeps(product, texts, by: $0) }
  }

  private func keeps(_ product: Product, _ texts: SearchedTexts, by part: QueryPart) -> Bool {
    switch part {
    case .words: !query.findsNothing && texts.have(words: wanted.words)
    case .phrases: wanted.phrases.allSatisfy { texts.have(phrase: $0) }
    case .without: !wanted.without.contains { texts.have(phrase: $0) }
    case .price: product.pricing.price.map { query.price.contains($0.toPay.hundredths) } ?? false
    case .choice(let field):
      ProductDetail(product: product)[field]?.code.map { code in
        query.choices[field]?.contains(code) ?? true
      } ?? false
    case .place: PlaceKey(query.place)?.begins(product.place) ?? true
    case .filter(let filter): filter.passes(product)
    case .seller: query.sellers.contains(product.seller.id)
    case .since: query.since.map { product.created.isNot(before: $0) } ?? true
    case .ids: query.ids?.contains(product.id) ?? true
    }
  }
}

extension Timestamp {
  /// Whether it may be at an instant or later: of a day alone all of the day counts.
  fileprivate func isNot(before instant: Timestamp) -> Bool {
    switch precision {
    case .second: seconds >= instant.seconds
    case .day: utcDay >= instant.utcDay
    }
  }
}
