import MarketModel

/// What filters ask of a product, as one number that the tables keep and count.
package enum ProductState {
  private static let inStock = 1
  private static let reduced = 2

  package static func of(stock: Int64, isReduced: Bool) -> Int {
    (stock > 0 ? inStock : 0) + (isReduced ? reduced : 0)
  }

  /// The states of products that some filters leave over.
  static func all(passing filters: Set<ProductFilter>) -> [Int] {
    (0...3).filter { state in
      (!filters.contains(.inStock) || state & inStock != 0)
        && (!filters.contains(.reduced) || state & reduced != 0)
    }
  }
}

extension Product {
  package var state: Int {
    ProductState.of(stock: stock, isReduced: pricing.price?.isReduced == true)
  }
}

extension Set<ProductFilter> {
  /// The states that products may be in.
  package var states: [Int] { ProductState.all(passing: self) }
}
