internal import MarketModel
internal import SafeText

/// Leaving a market and coming back to where one stood in it.
extension Navigator {
  /// Where one stands now; before anything was read, where one comes back to.
  package var whereabouts: Whereabouts {
    let feed = browser.feed
    if feed.isStale, feed.head.isEmpty, let origin { return origin }
    var place = Whereabouts()
    place.request = searching.request(for: feed.query)
    place.sellers = feed.query.sellers
    place.isMine = showsMine
    place.arrangement = browser.arrangement
    place.row = browser.viewport.selected
    place.product = browser.selected?.id
    place.opened = stack.contains(browser.detail) ? browser.detail.product?.id : nil
    place.sellerPage = sellerVisit.map(page)
    place.pictures = browser.detail.turnedPictures
    return place
  }

  private func page(of visit: SellerVisit) -> Whereabouts.SellerPage {
    let before = visit.placeBefore
    return Whereabouts.SellerPage(
      seller: visit.seller, name: visit.name.string, product: visit.product,
      before: visit.earlier
        ?? Whereabouts.ListPlace(
          request: searching.request(for: before.query), sellers: before.query.sellers,
          row: before.row, product: before.product))
  }

  /// Goes back to a place in the list of which nothing is loaded.
  func goBack(to list: Whereabouts.ListPlace) {
    var place = Whereabouts()
    place.list = list
    browser.show(searching.query(of: list.request, sellers: list.sellers))
    browser.comeBack(to: place) { _ in }
  }

  /// Reads what was shown there, and selects and opens what was selected and open.
  func comeBack(to place: Whereabouts, namingSeller: Bool = true) {
    if let arrangement = place.arrangement { browser.arrange(as: arrangement) }
    browser.detail.remember(place.pictures)
    guard place.isMine else {
      show(place)
      Task.immediate { await selling?.start(namingSeller: namingSeller) }
      return
    }
    // Whose products the own ones are has to be known first.
    Task.immediate {
      await selling?.start(namingSeller: namingSeller)
      show(place)
      await selling?.drafts.load(isOpening: true)
    }
  }

  private func show(_ place: Whereabouts) {
    if let page = place.sellerPage {
      begin(SellerVisit(of: page, from: browser.place, repository: browser.repository))
    }
    browser.start(searching.query(of: place.request, sellers: place.sellers))
    browser.comeBack(to: place) { [weak self] id in self?.reopen(id) }
  }

  /// Opens the detail that was open: of the selected product, or of one that the list has not.
  private func reopen(_ id: Product.ID) {
    guard !stack.isCovered else { return }
    if browser.selected?.id == id { return openDetail() }
    let repository = browser.repository
    let keys = browser.homecoming.keys
    Task.immediate {
      guard let detail = try? await repository.detail(of: id),
        keys == browser.homecoming.keys, !stack.isCovered
      else { return }
      open(ListedProduct(detail.product))
    }
  }
}
