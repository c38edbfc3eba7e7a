package import MarketModel
package import SafeTextKit

/// Favorites in the screens of a market.
extension Navigator {
  /// This market, as favorites refer to it.
  var favoriteMarket: FavoriteMarket {
    let known = markets?.all.first { $0.key == market }
    return FavoriteMarket(
      key: market, name: (known?.name ?? marketName)?.string,
      location: known?.location.text ?? marketAddress?.string)
  }

  /// Subject of `*`: the seller of a seller's page, else the chosen product; nil if there is neither.
  func favoriteSubject(choosing chosen: ListedProduct?) -> FavoriteKey.Subject? {
    if !stack.contains(browser.detail), let sellerVisit { return .seller(sellerVisit.seller) }
    return chosen.map { .product($0.id) }
  }

  func isFavorite(_ key: FavoriteKey) -> Bool { program.favorites.isFavorite(key) }

  /// `*`: adds the seller of the page or the chosen product to the favorites, or removes it.
  package func toggleFavorite() {
    let (favorites, favoriteMarket) = (program.favorites, favoriteMarket)
    switch favoriteSubject(choosing: chosen) {
    case nil: break
    case .seller:
      guard let visit = sellerVisit else { return }
      let seller = Seller(id: visit.seller, name: visit.name.string)
      Task.immediate {
        announce(await favorites.toggle(seller, by: visit.product, of: favoriteMarket))
      }
    case .product:
      guard let chosen else { return }
      let description = browser.detail.description(of: chosen.id)
      Task.immediate {
        announce(
          await favorites.toggle(chosen.product, description: description, of: favoriteMarket))
        if description == nil { await keepText(of: chosen.id) }
      }
    }
  }

  /// Saves the description of a favorite that was added from its row, if that needs no request; from
  /// a server it is saved when the detail is opened.
  private func keepText(of product: Product.ID) async {
    guard isFavorite(product), let read = await browser.detail.reader.readAskingNobody(product)
    else {
      return
    }
    program.favorites.didSee(read, in: market)
  }

  /// `*` on a search result, which may be of another market.
  func toggleFavorite(_ product: ListedProduct, of market: KnownMarket) {
    let favorite = FavoriteMarket(
      key: market.key, name: market.name?.string, location: market.location.text)
    Task.immediate {
      announce(await program.favorites.toggle(product.product, description: nil, of: favorite))
    }
  }

  /// Note of a favorite; nil if there is none.
  package func note(of product: Product.ID) -> SafeText? {
    program.favorites.note(of: FavoriteKey(.product(product), in: market)).map { SafeText($0) }
  }

  package func isFavorite(_ product: Product.ID) -> Bool {
    isFavorite(FavoriteKey(.product(product), in: market))
  }
}

extension Notice {
  /// Notice of the result of adding a favorite.
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
