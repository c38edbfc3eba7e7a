import MarketModel

/// How the products of an order are found: by columns that all rise.
extension ProductOrder {
  /// Key columns of the index of this order, after the state; the last makes a key unique.
  package var columns: [String] {
    switch self {
    case .newest: ["newness"]
    case .cheapest: ["currency", "to_pay", "newness"]
    case .dearest: ["currency", "dearness", "newness"]
    case .mostReduced: ["reduction", "newness"]
    }
  }

  package var index: String {
    switch self {
    case .newest: "product_newest"
    case .cheapest: "product_cheapest"
    case .dearest: "product_dearest"
    case .mostReduced: "product_reduced"
    }
  }

  /// One letter for cursors.
  var letter: String {
    switch self {
    case .newest: "n"
    case .cheapest: "c"
    case .dearest: "d"
    case .mostReduced: "r"
    }
  }
}
