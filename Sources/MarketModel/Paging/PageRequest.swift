/// One page of a query, as a repository is asked for it.
package struct PageRequest: Hashable, Sendable {
  /// How many products a page may have.
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

/// Where a page begins.
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
