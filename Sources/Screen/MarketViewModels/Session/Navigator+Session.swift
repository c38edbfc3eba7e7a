internal import MarketModel
internal import SafeTextKit

/// Saving and restoring the position in a market.
extension Navigator {
  /// Current position; the one to be restored as long as nothing has been read.
  package var navigationState: NavigationState {
    let feed = browser.feed
    if feed.isStale, feed.head.isEmpty, let origin { return origin }
    var state = NavigationState()
    state.request = searching.request(for: feed.query)
    state.sellers = feed.query.sellers
    state.isMine = showsMine
    state.row = browser.viewport.selected
    state.product = browser.selected?.id
    state.opened = stack.contains(browser.detail) ? browser.detail.product?.id : nil
    state.sellerPage = sellerVisit.map(page)
    return state
  }

  private func page(of visit: SellerVisit) -> NavigationState.SellerPage {
    let before = visit.placeBefore
    return NavigationState.SellerPage(
      seller: visit.seller, name: visit.name.string, product: visit.product,
      before: visit.earlier
        ?? NavigationState.ListState(
          request: searching.request(for: before.query), sellers: before.query.sellers,
          row: before.row, product: before.product))
  }

  /// Restores a position in a list that is not loaded.
  func goBack(to list: NavigationState.ListState) {
    var state = NavigationState()
    state.list = list
    browser.show(searching.query(of: list.request, sellers: list.sellers))
    restorer.restore(state)
  }

  /// Reads the list at a position, and selects and opens the same products.
  func restore(to state: NavigationState, namingSeller: Bool = true) {
    guard state.isMine else {
      show(state)
      Task.immediate { await selling?.start(namingSeller: namingSeller) }
      return
    }
    // The own products can be queried only after the account is read.
    Task.immediate {
      await selling?.start(namingSeller: namingSeller)
      show(state)
      await selling?.drafts.load(isOpening: true)
    }
  }

  private func show(_ state: NavigationState) {
    if let page = state.sellerPage {
      sellerVisits.start(
        SellerVisit(of: page, from: browser.list.snapshot, repository: browser.repository))
    }
    browser.start(searching.query(of: state.request, sellers: state.sellers))
    restorer.restore(state)
  }
}
