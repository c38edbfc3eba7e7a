package import MarketModel
package import SafeTextKit

/// What the screens of a market do with what is kept of it.
extension Navigator {
  /// This market as what is kept of it remembers it.
  var favoriteMarket: FavoriteMarket {
    let known = markets?.all.first { $0.key == market }
    return FavoriteMarket(
      key: market, name: (known?.name ?? marketName)?.string,
      location: known?.location.text ?? marketAddress?.string)
  }

  /// What `*` is about: on a seller's page the seller, else the chosen product; nil where there is
  /// neither.
  private var favoriteSubject: FavoriteKey.Subject? {
    if !stack.contains(browser.detail), let sellerVisit { return .seller(sellerVisit.seller) }
    return chosen.map { .product($0.id) }
  }

  package var mayFavorite: Bool { favoriteSubject != nil }

  package var isChosenFavorite: Bool {
    favoriteSubject.map { isFavorite(FavoriteKey($0, in: market)) } ?? false
  }

  private func isFavorite(_ key: FavoriteKey) -> Bool { program.favorites.isFavorite(key) }

  /// `*`: keeps the chosen product or the seller whose page it is, or lets go of that.
  package func toggleFavorite() {
    let favorites = program.favorites
    let tell: (Notice) -> Void = { [weak self] in self?.announce($0) }
    switch favoriteSubject {
    case nil: break
    case .seller:
      guard let visit = sellerVisit else { return }
      let seller = Seller(id: visit.seller, name: visit.name.string)
      favorites.toggle(seller, by: visit.product, of: favoriteMarket, then: tell)
    case .product:
      guard let chosen else { return }
      let description = browser.detail.description(of: chosen.id)
      favorites.toggle(chosen.product, description: description, of: favoriteMarket) {
        [weak self] in
        tell($0)
        if description == nil { self?.keepText(of: chosen.id) }
      }
    }
  }

  /// Takes the text over of a product that was kept from its row alone, where no server learns of that;
  /// what a server has comes with its detail, when that is opened.
  private func keepText(of product: Product.ID) {
    guard isFavorite(product) else { return }
    let (detail, favorites, market) = (browser.detail, program.favorites, market)
    Task.immediate {
      if let read = await detail.readAskingNobody(product) { favorites.didSee(read, in: market) }
    }
  }

  /// `*` on a find of a market that may be another one.
  func toggleFavorite(_ product: ListedProduct, of market: KnownMarket) {
    let favorite = FavoriteMarket(
      key: market.key, name: market.name?.string, location: market.location.text)
    program.favorites.toggle(product.product, description: nil, of: favorite) { [weak self] in
      self?.announce($0)
    }
  }

  /// The note of a product that is kept; nil where there is none.
  package func note(of product: Product.ID) -> SafeText? {
    program.favorites.note(of: FavoriteKey(.product(product), in: market)).map { SafeText($0) }
  }

  package var favoriteProducts: Set<Product.ID> { program.favorites.products(of: market) }

  package func isFavorite(_ product: Product.ID) -> Bool {
    isFavorite(FavoriteKey(.product(product), in: market))
  }

  /// `i`: shows what is kept.
  package func openFavorites() {
    guard let personal = program.personal else { return announce(.hint(.cannotSave)) }
    stack.push(FavoritesListModel(personal, on: self))
  }

  // MARK: What was shown

  package func didShow(_ products: [Product]) {
    program.favorites.load(market) { [weak browser] in browser?.tellShown() }
    program.favorites.didSee(products, in: market)
    relocation.didShow(products, on: self)
  }

  package func didLose(_ products: Set<Product.ID>) {
    program.favorites.didLose(products, in: market)
  }

  /// A detail was read, or was not there to be read.
  func didRead(_ id: Product.ID, _ outcome: Result<ProductDetail, RepositoryError>) {
    switch outcome {
    case .success(let detail): program.favorites.didSee(detail, in: market)
    case .failure(let error):
      if error == .notFound { program.favorites.didLose([id], in: market) }
      if browser.detail.showsKnown { announce(.failed(error)) }
    }
  }
}

/// Follower of a list that has what is kept of it looked after.
final class FavoritesListObserver: ListObserver {
  weak var browser: BrowserModel?

  func didShow() {
    guard let browser else { return }
    // Before the first rows there is nothing to tell, and nothing to look for on the disk.
    let isComing = browser.feed.count == 0 && browser.feed.phase == .loading
    if !isComing { browser.tellShown() }
  }
  func didChange(_ detail: ProductDetail) { browser?.delegate?.didShow([detail.product]) }
  func didDelete(_ id: Product.ID) { browser?.delegate?.didLose([id]) }
}

extension BrowserModel {
  /// Tells which rows are on the screen, and how they are where that was read just now.
  func tellShown() {
    let isFresh = feed.seenAt == nil && !feed.isStale
    delegate?.didShow(
      isFresh ? viewport.visibleWithCutRow.compactMap { feed[$0]?.product } : [])
  }
}

extension Notice {
  /// What came of the wish to keep something.
  static func favoriteChanged(_ thing: FavoriteKey.Subject, _ outcome: FavoriteResult) -> Notice {
    switch outcome {
    case .added: favoriteChanged(thing, isFavorite: true)
    case .full: .hint(.favoritesFull)
    case .failed: .hint(.favoriteNotSaved)
    }
  }

  static func favoriteChanged(_ thing: FavoriteKey.Subject, isFavorite: Bool) -> Notice {
    switch thing {
    case .product: .hint(isFavorite ? .productAdded : .productRemoved)
    case .seller: .hint(isFavorite ? .sellerAdded : .sellerRemoved)
    }
  }
}
