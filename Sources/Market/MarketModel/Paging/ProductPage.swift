/// One page of a query, as a repository is asked for it.
package struct PageRequest: Hashable, Sendable {
  /// Numbers of products that a page may have.
  package static let sizes = 1...1_000

  package var query: ProductQuery
  package var position: PagePosition
  /// Products a page, within `sizes`.
  package var size: Int
  /// Whether products may lack what a printed line leaves out: the seller's name, category, condition,
  /// place, time of the last change and picture.
  package var isBrief = false

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
