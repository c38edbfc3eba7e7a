/// Client-side filter of rows, for parts of a query that the market does not support.
///
/// A row has no texts but the product's name and its seller's, so words and phrases are searched in
/// these only.
package struct ProductFilterEvaluator: Sendable {
  private let query: ProductQuery
  private let parts: Set<QueryPart>
  private let wanted: SearchTerms
  private let tokenizer = SearchTokenizer()

  /// Creates a filter for some parts of a query; the market evaluates the others.
  package init(_ query: ProductQuery, parts: Set<QueryPart>) {
    self.query = query
    self.parts = parts
    wanted = tokenizer.wanted(by: query)
  }

  /// Whether a row matches.
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
    case .place: PlaceKey(query.place)?.beginsWord(of: product.place) ?? true
    case .filter(let filter): filter.passes(product)
    case .seller: query.sellers.contains(product.seller.id)
    case .since: query.since.map { product.created.isNot(before: $0) } ?? true
    case .ids: query.ids?.contains(product.id) ?? true
    }
  }
}

extension Timestamp {
  /// Whether it may be at an instant or later; a timestamp of day precision counts to the end of its
  /// day.
  fileprivate func isNot(before instant: Timestamp) -> Bool {
    switch precision {
    case .second: seconds >= instant.seconds
    case .day: utcDay >= instant.utcDay
    }
  }
}
