/// Sieve for the rows of a list: tells of one row whether parts of a query keep it, where the market
/// itself cannot.
///
/// A row has no text but the product's name and its seller's, so that words and phrases are looked for
/// in these alone.
package struct ProductSieve: Sendable {
  private let query: ProductQuery
  private let parts: Set<QueryPart>
  private let words: [[UInt8]]
  private let phrases: [[UInt8]]
  private let without: [[UInt8]]
  private let fold: TextFolding

  /// A sieve for some parts of a query; the others are the market's.
  package init(_ query: ProductQuery, parts: Set<QueryPart>, fold: @escaping TextFolding) {
    self.query = query
    self.parts = parts
    self.fold = fold
    words = query.text.split(whereSeparator: \.isWhitespace).map { Array(fold(String($0)).utf8) }
    phrases = query.phrases.map { Array(fold($0).utf8) }
    without = query.without.map { Array(fold($0).utf8) }
  }

  /// Whether a row stays in the list.
  package func keeps(_ product: Product) -> Bool {
    let asked = query.parts.intersection(parts)
    let texts =
      asked.isDisjoint(with: QueryPart.texts)
      ? [] : [product.name, product.seller.name].map { Array(fold($0).utf8) }
    return asked.allSatisfy { keeps(product, texts, by: $0) }
  }

  private func keeps(_ product: Product, _ texts: [[UInt8]], by part: QueryPart) -> Bool {
    switch part {
    case .words: !query.findsNothing && words.allSatisfy { Self.occurs($0, in: texts) }
    case .phrases: phrases.allSatisfy { Self.occurs($0, in: texts) }
    case .without: !without.contains { Self.occurs($0, in: texts) }
    case .price: product.pricing.price.map { query.price.contains($0.toPay.hundredths) } ?? false
    case .currency: product.pricing.price?.currency == query.currency
    case .inStock: !product.isSoldOut
    case .reduced: product.pricing.price?.isReduced == true
    case .seller: query.sellers.contains(product.seller.id)
    case .since: query.since.map { product.created.isNot(before: $0) } ?? true
    case .ids: query.ids?.contains(product.id) ?? true
    }
  }

  private static func occurs(_ run: [UInt8], in texts: [[UInt8]]) -> Bool {
    texts.contains { $0.contains(run) }
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
