/// Request for one page of a query.
package struct PageRequest: Hashable, Sendable {
  /// Valid products a page.
  package static let sizes = 1...1_000

  package var query: ProductQuery
  package var position: PagePosition
  /// Products a page, within `sizes`.
  package var size: Int
  /// Whether products may lack the fields that a printed line omits: seller's name, category,
  /// condition, place, time of the last change and picture.
  package var isBrief = false
  /// Whether the matches of words are counted to 10,000 instead of 1,000.
  package var countsExactly: Bool
  /// Whether the page has `rows`, where the repository keeps them.
  package var hasRows = false

  package init(
    query: ProductQuery = ProductQuery(), position: PagePosition = .first, size: Int = 20,
    countsExactly: Bool = false
  ) {
    self.query = query
    self.position = position
    self.size = size
    self.countsExactly = countsExactly
  }
}

/// Position of a page.
package enum PagePosition: Hashable, Sendable {
  case first
  /// After the last product of an earlier page; only for repositories with `Paging.cursor`.
  case after(PageCursor)
  /// Page by number, from 1.
  case number(Int)
}

/// Cursor between two products of a query; only its repository interprets it.
package struct PageCursor: RawRepresentable, Hashable, Sendable {
  /// Maximum length in bytes; longer ones are ignored.
  package static let maxBytes = 4_096

  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }
}

/// Page of products from a repository, the unit of pagination.
package struct ProductPage: Hashable, Sendable {
  /// Products in the order of the query.
  package var products: [Product]
  /// Descriptions of the products, in their order; empty where the repository returns them only in
  /// details.
  package var descriptions: [String]
  /// The products with their descriptions as the store keeps them, in their order; empty where the
  /// request asks for none or the store keeps none.
  package var rows: [ListedRow] = []
  /// Total number of matching products.
  package var total: ProductTotal
  /// Position of the next page; nil at the end.
  package var next: PagePosition?
  /// Rows that the source sent and the client could not parse; they are left out.
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

  /// Page of kept rows.
  package init(rows: [ListedRow], total: ProductTotal, next: PagePosition?) {
    self.init(
      products: rows.map(\.product), descriptions: rows.map(\.description), total: total,
      next: next)
    self.rows = rows
  }
}

/// Count of products, which may be too expensive to know exactly.
package enum ProductTotal: Hashable, Sendable {
  case exactly(Int)
  case atLeast(Int)
  /// The source does not count (v1).
  case unknown
}

extension ProductPage {
  /// Page of a query that cannot match anything.
  package static let nothing = ProductPage(products: [], total: .exactly(0), next: nil)
}
