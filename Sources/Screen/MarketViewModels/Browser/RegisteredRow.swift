internal import MarketModel
internal import SafeTextKit

/// Position of a registered product in the list.
package enum RegisteredPosition: Hashable, Sendable {
  /// In the list and selected.
  case shown
  /// Excluded by the search, seller or filters of the list.
  case hidden
  /// Behind the loaded rows.
  case furtherDown
}

/// Selection of a registered product as soon as it is loaded; the next key on the list ends it.
final class RegisteredRow: ListObserver {
  private let list: ProductList
  /// The registered product, until the number of key presses changes; nil without one.
  private var awaited: (detail: ProductDetail, keyPresses: Int)?
  private var hasReadTop = false

  init(_ list: ProductList) { self.list = list }

  /// Whether the selection still waits for the product.
  var isWaiting: Bool { awaited?.keyPresses == list.keyPresses }

  /// Begins to wait for the product; the first page is about to be read again, except for a scan.
  func expect(_ detail: ProductDetail) {
    awaited = (detail, list.keyPresses)
    hasReadTop = list.feed.scan != nil
    list.selectWhenRead(detail.id)
  }

  func didRead(isTop: Bool) {
    if isTop { hasReadTop = true }
    guard isWaiting, let (detail, _) = awaited else { return }
    if list.feed.index(of: detail.id) != nil {
      awaited = nil
      say(.shown, of: detail.id)
    } else if hasReadTop, !list.feed.isRefreshing, !list.feed.isStale {
      // The visible rows may arrive after the first page.
      say(detail.isIncluded(by: list.feed.query) ? .furtherDown : .hidden, of: detail.id)
    }
  }

  /// Adds the position to the notice of the registration, if that is still shown.
  private func say(_ position: RegisteredPosition, of id: Product.ID) {
    guard case .registered(let product, _) = list.notices.notice, product.id == id else { return }
    list.notices.show(.registered(product, position))
  }
}

extension ProductDetail {
  /// Whether a query matches the product by its name, description and filters.
  fileprivate func isIncluded(by query: ProductQuery) -> Bool {
    var product = product
    product.name += "\n" + description
    return ProductFilterEvaluator(query, parts: query.parts).keeps(product)
  }
}
