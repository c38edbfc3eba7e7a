/// Part of a query that keeps products out: what a market can answer, a screen can offer and a person
/// can take away is told in these.
package enum QueryPart: Hashable, Sendable, CaseIterable {
  case words
  case phrases
  case without
  case price
  /// A field that is a choice.
  case choice(ProductField)
  case inStock
  case reduced
  case seller
  case since
  case ids

  package static let allCases: [QueryPart] =
    [.words, .phrases, .without, .price] + ProductField.choices.map(QueryPart.choice)
    + [.inStock, .reduced, .seller, .since, .ids]

  package static let currency = choice(.currency)

  /// The parts that look into texts.
  package static let texts: Set<QueryPart> = [.words, .phrases, .without]

  /// The filter that the part is; nil for others.
  package var filter: ProductFilter? {
    switch self {
    case .inStock: .inStock
    case .reduced: .reduced
    case .words, .phrases, .without, .price, .choice, .seller, .since, .ids: nil
    }
  }
}

extension ProductQuery {
  /// The parts that the query has.
  package var parts: Set<QueryPart> { Set(QueryPart.allCases.filter(has)) }

  private func has(_ part: QueryPart) -> Bool {
    switch part {
    case .words: !text.isEmpty
    case .phrases: !phrases.isEmpty
    case .without: !without.isEmpty
    case .price: price != .any
    case .choice(let field): choices[field] != nil
    case .inStock, .reduced: part.filter.map(filters.contains) ?? false
    case .seller: !sellers.isEmpty
    case .since: since != nil
    case .ids: ids != nil
    }
  }

  /// Takes a part away.
  package mutating func remove(_ part: QueryPart) {
    switch part {
    case .words: text = ""
    case .phrases: phrases = []
    case .without: without = []
    case .price: price = .any
    case .choice(let field): choices[field] = nil
    case .inStock, .reduced: if let filter = part.filter { filters.remove(filter) }
    case .seller: sellers = []
    case .since: since = nil
    case .ids: ids = nil
    }
  }
}
