import MarketModel

/// What is kept, in memory.
struct FakeFavorites {
  struct Entry {
    var product: FavoriteProduct?
    var seller: FavoriteSeller?
    var isRemoved = false

    var key: FavoriteKey? { product?.key ?? seller?.key }
  }

  var entries: [Entry] = []
  var pictures: [FavoriteID: [UInt8]] = [:]
  static let now = Timestamp(seconds: 1_700_000_000)

  func index(of key: FavoriteKey) -> Int? { entries.firstIndex { $0.key == key } }

  var present: [Entry] { entries.filter { !$0.isRemoved } }
}

extension FakePersonalStore {
  /// All products that are kept, the latest first.
  package var favoritesNow: [FavoriteProduct] { favorites.present.reversed().compactMap(\.product) }

  package func favoriteMarks(of market: MarketKey) -> FavoriteMarks {
    let keys = favorites.present.compactMap(\.key).filter { $0.market == market }
    return keys.reduce(into: FavoriteMarks()) { $0.set($1.thing, isFavorite: true) }
  }

  package func add(
    _ product: Product, description: String?, of market: FavoriteMarket
  ) -> FavoriteResult {
    guard !isFull else { return .full }
    let key = FavoriteKey(.product(product.id), in: market.key)
    if let index = favorites.index(of: key) {
      favorites.entries[index].isRemoved = false
      favorites.entries[index].product?.product = product
    } else {
      let id = FavoriteID(rawValue: Int64(favorites.entries.count + 1))
      favorites.entries.append(
        FakeFavorites.Entry(
          product: FavoriteProduct(
            id: id, market: market, product: product, description: description,
            added: FakeFavorites.now, seen: FakeFavorites.now)))
    }
    return .added
  }

  package func add(
    _ seller: Seller, by product: Product.ID, of market: FavoriteMarket
  ) -> FavoriteResult {
    guard !isFull else { return .full }
    if let index = favorites.index(of: FavoriteKey(.seller(seller.id), in: market.key)) {
      favorites.entries[index].isRemoved = false
    } else {
      let id = FavoriteID(rawValue: Int64(favorites.entries.count + 1))
      favorites.entries.append(
        FakeFavorites.Entry(
          seller: FavoriteSeller(
            id: id, market: market, seller: seller, product: product, added: FakeFavorites.now)))
    }
    return .added
  }

  package func remove(_ key: FavoriteKey) -> Bool { change(key) { $0.isRemoved = true } }
  package func restore(_ key: FavoriteKey) -> Bool { change(key) { $0.isRemoved = false } }

  package func write(_ note: String, to key: FavoriteKey) -> Bool {
    change(key) {
      $0.product?.note = note
      $0.seller?.note = note
    }
  }

  private func change(_ key: FavoriteKey, _ change: (inout FakeFavorites.Entry) -> Void) -> Bool {
    guard !isFull, let index = favorites.index(of: key) else { return false }
    change(&favorites.entries[index])
    return true
  }

  package func favoriteList(of words: [String]) -> FavoriteList {
    let found = favorites.present.reversed().filter { entry in
      let text = [
        entry.product?.product.name, entry.product?.note, entry.seller?.seller.name,
        entry.seller?.note,
      ].compactMap(\.self).joined(separator: " ").lowercased()
      return words.allSatisfy { text.contains($0.lowercased()) }
    }
    return FavoriteList(
      products: found.compactMap { $0.product?.id }, sellers: found.compactMap { $0.seller?.id })
  }

  package func favoriteProducts(_ ids: [FavoriteID]) -> [FavoriteProduct] {
    favorites.present.compactMap(\.product).filter { ids.contains($0.id) }
  }

  package func favoriteSellers(_ ids: [FavoriteID]) -> [FavoriteSeller] {
    favorites.present.compactMap(\.seller).filter { ids.contains($0.id) }
  }

  package func favoriteProduct(_ id: Product.ID, in market: MarketKey) -> FavoriteProduct? {
    favorites.present.compactMap(\.product).first {
      $0.key == FavoriteKey(.product(id), in: market)
    }
  }

  package func favoritePicture(of id: FavoriteID) -> [UInt8]? { favorites.pictures[id] }

  package func latestFavorites(ofEach limit: Int) -> [FavoriteMarket: [Product.ID]] {
    Dictionary(grouping: favoritesNow, by: \.market).mapValues {
      $0.prefix(limit).map(\.product.id)
    }
  }

  package func didSeeFavorites(_ products: [Product], in market: MarketKey) -> [Product.ID] {
    for product in products {
      _ = change(FavoriteKey(.product(product.id), in: market)) {
        $0.product?.product = product
        $0.product?.gone = nil
      }
    }
    return []
  }

  package func didSeeFavorites(
    _ description: String, of product: Product.ID, in market: MarketKey
  ) {
    _ = change(FavoriteKey(.product(product), in: market)) { $0.product?.description = description }
  }

  package func didLoseFavorites(_ products: [Product.ID], in market: MarketKey) {
    for product in products {
      _ = change(FavoriteKey(.product(product), in: market)) {
        $0.product?.gone = FakeFavorites.now
      }
    }
  }

  package func add(_ picture: [UInt8], of product: Product, in market: MarketKey) {
    guard let favorites = favoriteProduct(product.id, in: market) else { return }
    self.favorites.pictures[favorites.id] = picture
  }
}
