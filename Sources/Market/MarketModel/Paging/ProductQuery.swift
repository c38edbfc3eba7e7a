/// Query for products: text, filters, seller and order.
package struct ProductQuery: Hashable, Sendable {
  /// Text of the search: all its words must occur; empty is all.
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
  /// Whether a text, a seller or filters keep products out.
  package var isNarrowed: Bool { !text.isEmpty || seller != nil || !filters.isEmpty }

  /// The query without its text; where it has none, of all sellers, and then without its filters.
  package var widened: ProductQuery {
    var query = self
    if !text.isEmpty {
      query.text = ""
    } else if seller != nil {
      query.seller = nil
    } else {
      query.filters = []
    }
    return query
  }

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

/// One page of a query, as a repository is asked for it.
package struct PageRequest: Hashable, Sendable {
  /// Numbers of products that a page may have.
  package static let sizes = 1...1_000

  package var query: ProductQuery
  package var position: PagePosition
  /// Products a page, within `sizes`.
  package var size: Int

  package init(
    query: ProductQuery = ProductQuery(), position: PagePosition = .first, size: Int = 20
  ) {
    self.query = query
    self.position = position
    self.size = size
  }
}

/// Position at which a page begins.
package enum PagePosition: Hashable, Sendable {
  case first
  /// After the last product of an earlier page; only from a repository that has cursors.
  case after(PageCursor)
  /// A page by its number: 1 is the first.
  case number(Int)
}

/// A place between two products of a query, in words that only its repository understands.
package struct PageCursor: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }
}

/// A page of products as a repository answered it.
package struct ProductPage: Hashable, Sendable {
  /// The products in the order of the query.
  package var products: [Product]
  /// The texts of the products, in their order, for those who list products with them; empty where
  /// the repository leaves them to the detail.
  package var descriptions: [String]
  /// Number of products that match in all.
  package var total: ProductTotal
  /// Position of the next page; nil at the end.
  package var next: PagePosition?
  /// Rows that the source sent and nobody can read; each costs itself alone.
  package var unreadableRows: Int

  package init(
    products: [Product], descriptions: [String] = [], total: ProductTotal, next: PagePosition?,
    unreadableRows: Int = 0
  ) {
    self.products = products
    self.descriptions = descriptions
    self.total = total
    self.next = next
    self.unreadableRows = unreadableRows
  }
}

/// A count of products that may be too dear to know exactly.
package enum ProductTotal: Hashable, Sendable {
  case exactly(Int)
  case atLeast(Int)
  /// The source does not count (v1).
  case unknown
}

extension ProductPage {
  /// The page of what can have no finds.
  package static let nothing = ProductPage(products: [], total: .exactly(0), next: nil)
}
