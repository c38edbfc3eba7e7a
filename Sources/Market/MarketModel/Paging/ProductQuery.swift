/// Which products are wanted, and in which order.
package struct ProductQuery: Hashable, Sendable {
  /// What was typed into the search: all its words must occur; empty is all.
  package var text: String
  package var order: ProductOrder
  package var filters: Set<ProductFilter>
  /// Only the products of this seller.
  package var seller: Seller.ID?

  package init(
    text: String = "", order: ProductOrder = .newest, filters: Set<ProductFilter> = [],
    seller: Seller.ID? = nil
  ) {
    self.text = text
    self.order = order
    self.filters = filters
    self.seller = seller
  }
}

/// The orders a market can be read in.
package enum ProductOrder: Hashable, Sendable, CaseIterable {
  /// Highest id first.
  case newest
  /// Lowest price to pay first, grouped by currency.
  case cheapest
  /// Highest price to pay first, grouped by currency.
  case priceDescending
  /// Largest discount in percent of the price first.
  case biggestDiscount
}

/// The conditions a list can be narrowed by.
package enum ProductFilter: Hashable, Sendable, CaseIterable {
  case inStock
  case reduced
}

extension ProductQuery {
  /// Whether the text asks for nothing that can be looked for, and so finds nothing: it is not blank,
  /// but has control characters and marks alone.
  package var findsNothing: Bool {
    !text.allSatisfy(\.isWhitespace) && text.unicodeScalars.allSatisfy(Self.cannotBeLookedFor)
  }

  private static func cannotBeLookedFor(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .nonspacingMark, .spacingMark, .enclosingMark: true
    default: scalar.properties.isWhitespace
    }
  }
}

/// Makes texts that count as equal in a search the same: NFC, then case folded.
///
/// A port, because the standard library offers neither; the program hands one in.
package typealias TextFolding = @Sendable (String) -> String
