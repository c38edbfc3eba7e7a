import MarketModel

/// Which products `list` prints, and how `list` and `show` print them.
struct ListOptions: Hashable {
  enum OrderChoice: String, CaseIterable { case newest, cheapest, dearest, reduced }
  enum FilterChoice: String, CaseIterable {
    case inStock = "in-stock"
    case reduced
  }

  static let filterNames = FilterChoice.allCases.map(\.rawValue).joined(separator: "|")

  /// Words that must occur; empty is all.
  var text = ""
  var order = OrderChoice.newest
  var filters: Set<FilterChoice> = []
  /// How many products at most; nil is all of them.
  var limit: Int?
  var writesJSON = false

  var query: ProductQuery {
    ProductQuery(text: text, order: order.order, filters: Set(filters.map(\.filter)))
  }
}

extension ListOptions.OrderChoice {
  fileprivate var order: ProductOrder {
    switch self {
    case .newest: .newest
    case .cheapest: .cheapest
    case .dearest: .dearest
    case .reduced: .mostReduced
    }
  }
}

extension ListOptions.FilterChoice {
  fileprivate var filter: ProductFilter {
    switch self {
    case .inStock: .inStock
    case .reduced: .reduced
    }
  }
}
