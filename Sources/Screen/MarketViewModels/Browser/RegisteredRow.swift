internal import MarketModel
internal import SafeTextKit

/// Where a product that was registered just now stands in the list.
package enum RegisteredPosition: Hashable, Sendable {
  /// Among the rows, and selected.
  case shown
  /// Not in the list: a search, a seller or a filter keeps it out.
  case hidden
  /// Behind the rows that were read.
  case furtherDown
}

/// Way of the selection to a product that was registered just now, which the next key ends.
final class RegisteredRow: ListObserver {
  /// Is told where the product stands.
  var announce: (Product.ID, RegisteredPosition) -> Void = { _, _ in }

  private let list: BrowsedList
  private var awaited: ProductDetail?
  private var hasReadTop = false

  init(_ list: BrowsedList) {
    self.list = list
  }

  /// The top of the list is about to be read again, but where its rows are sifted.
  func begin(_ detail: ProductDetail) {
    awaited = detail
    hasReadTop = list.feed.scan != nil
    list.begin(findOf: detail.id)
  }

  func didPressKey() { awaited = nil }

  func didReadTop(_ feed: ProductFeed) { hasReadTop = true }

  func didRead() {
    guard let detail = awaited else { return }
    if list.feed.index(of: detail.id) != nil {
      awaited = nil
      announce(detail.id, .shown)
    } else if hasReadTop, !list.feed.isRefreshing, !list.feed.isStale {
      // The rows on the screen may be read after the top.
      announce(detail.id, detail.isIncluded(by: list.feed.query) ? .furtherDown : .hidden)
    }
  }
}

extension ProductDetail {
  /// Whether a query finds the product, by all its texts.
  fileprivate func isIncluded(by query: ProductQuery) -> Bool {
    var product = product
    product.name += "\n" + description
    return ProductFilterEvaluator(query, parts: query.parts).keeps(product)
  }
}
