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
  private let list: BrowsedList
  private let notices: NoticeBoard
  private var awaited: ProductDetail?
  private var hasReadTop = false

  init(_ list: BrowsedList, notices: NoticeBoard) {
    self.list = list
    self.notices = notices
  }

  /// The top of the list is about to be read again, but where its rows are sifted.
  func begin(_ detail: ProductDetail) {
    awaited = detail
    hasReadTop = list.feed.scan != nil
    list.begin(findOf: detail.id)
  }

  func didPressKey() { awaited = nil }

  func didRead(isTop: Bool) {
    if isTop { hasReadTop = true }
    guard let detail = awaited else { return }
    if list.feed.index(of: detail.id) != nil {
      awaited = nil
      say(.shown, of: detail.id)
    } else if hasReadTop, !list.feed.isRefreshing, !list.feed.isStale {
      // The rows on the screen may be read after the top.
      say(detail.isIncluded(by: list.feed.query) ? .furtherDown : .hidden, of: detail.id)
    }
  }

  /// Says where the product stands, where its registration is what was said last.
  private func say(_ position: RegisteredPosition, of id: Product.ID) {
    guard case .registered(let product, _) = notices.notice, product.id == id else { return }
    notices.show(.registered(product, position))
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
