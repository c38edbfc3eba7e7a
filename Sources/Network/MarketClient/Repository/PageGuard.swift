import MarketModel
import Synchronization

/// Keeps pages in order, whatever the server sent: not too many products, none twice, and a next
/// page that leads on.
final class PageGuard: Sendable {
  /// The page that was read last: when the next one is the same, the server only repeats itself.
  private let last = Mutex<(request: PageRequest, products: [Product.ID])?>(nil)

  func checked(_ page: ProductPage, for request: PageRequest) -> ProductPage {
    var page = page
    var known: Set<Product.ID> = []
    page.products = page.products.filter { known.insert($0.id).inserted }
    // More than were asked for are kept, since a server may have a page size of its own.
    page.products = Array(page.products.prefix(PageRequest.sizes.upperBound))
    if !leadsOn(page, from: request) { page.next = nil }
    last.withLock { $0 = (request, page.products.map(\.id)) }
    return page
  }

  private func leadsOn(_ page: ProductPage, from request: PageRequest) -> Bool {
    guard !page.products.isEmpty || page.unreadableRows > 0 else { return false }
    switch (request.position, page.next) {
    case (_, nil): return false
    case (.number(let current), .number(let next)?) where next <= current: return false
    case (let current, let next?) where next == current: return false
    case (.first, _): return true
    default: return !isRepetition(page, of: request)
    }
  }

  private func isRepetition(_ page: ProductPage, of request: PageRequest) -> Bool {
    last.withLock { last in
      guard let last, last.request.query == request.query, !page.products.isEmpty,
        Self.follows(request.position, last.request.position)
      else { return false }
      return last.products == page.products.map(\.id)
    }
  }

  private static func follows(_ position: PagePosition, _ earlier: PagePosition) -> Bool {
    switch (earlier, position) {
    case (.first, .number(let number)): number == 2
    case (.number(let earlier), .number(let number)): number == earlier + 1
    case (_, .after): true
    case (_, .first), (.after, .number): false
    }
  }
}
