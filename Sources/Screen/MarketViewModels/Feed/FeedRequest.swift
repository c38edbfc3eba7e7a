package import MarketModel

/// A page that a feed wants to be read, with what is needed to recognise its answer.
package struct FeedRequest: Hashable, Sendable {
  /// Why the page is read; it decides where its products go.
  package enum Purpose: Hashable, Sendable {
    /// The first page of a new query: it replaces what is shown.
    case replace
    /// The page after the last one.
    case append
    /// The page before one that came and may not adjoin what is known, which waits meanwhile.
    case confirm(before: Int)
    /// The first page again, and after it more until it meets what is known.
    case refreshTop(pagesRead: Int)
    /// The page that begins at or behind this product again.
    case refreshAround(Product.ID)
  }

  /// Counts the queries of a feed; an answer of an earlier one is dropped.
  package let generation: Int
  package let page: PageRequest
  package let purpose: Purpose
}
