/// Part of a query that restricts the products: the unit of what a market supports, a screen offers
/// and a user removes.
package enum QueryPart: Hashable, Sendable, CaseIterable {
  case words
  case phrases
  case without
  case price
  /// A choice field.
  case choice(ProductField)
  case place
  case filter(ProductFilter)
  case seller
  case since
  case ids

  package static let allCases: [QueryPart] =
    [.words, .phrases, .without, .price] + ProductField.choices.map(QueryPart.choice)
    + [.place] + ProductFilter.allCases.map(QueryPart.filter) + [.seller, .since, .ids]

  package static let currency = choice(.currency)
  package static let inStock = filter(.inStock)
  package static let reduced = filter(.reduced)

  /// Product field of the filter; nil for parts that use several fields, or none.
  package var field: ProductField? {
    switch self {
    case .choice(let field): field
    case .place: .place
    case .filter(.available), .filter(.reserved), .filter(.unreserved): .reserved
    case .filter(.inStock), .filter(.sold): .stock
    case .words, .phrases, .without, .price, .filter(.reduced), .seller, .since, .ids: nil
    }
  }

  /// Parts that search texts.
  package static let texts: Set<QueryPart> = [.words, .phrases, .without]
}

extension ProductQuery {
  /// Parts that this query has.
  package var parts: Set<QueryPart> { Set(QueryPart.allCases.filter(has)) }

  /// Whether the query has a text search.
  package var isSearch: Bool { QueryPart.texts.contains(where: has) }

  private func has(_ part: QueryPart) -> Bool {
    switch part {
    case .words: !text.isEmpty
    case .phrases: !phrases.isEmpty
    case .without: !without.isEmpty
    case .price: price != .any
    case .choice(let field): choices[field] != nil
    case .place: !place.isEmpty
    case .filter(let filter): filters.contains(filter)
    case .seller: !sellers.isEmpty
    case .since: since != nil
    case .ids: ids != nil
    }
  }

  /// Removes a part.
  package mutating func remove(_ part: QueryPart) {
    switch part {
    case .words: text = ""
    case .phrases: phrases = []
    case .without: without = []
    case .price: price = .any
    case .choice(let field): choices[field] = nil
    case .place: place = ""
    case .filter(let filter): filters.remove(filter)
    case .seller: sellers = []
    case .since: since = nil
    case .ids: ids = nil
    }
  }
}
