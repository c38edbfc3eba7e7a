internal import MarketModel

/// What was read of the lines of the kept things, as far as it is held in memory.
struct FavoritesCache {
  private(set) var products: [FavoriteID: FavoriteRow] = [:]
  private(set) var sellers: [FavoriteID: FavoriteSeller] = [:]
  /// The markets of what was read, also where that is not held any more.
  private(set) var markets: Set<FavoriteMarket> = []
  /// What products cost as they were seen last, where their markets named another price since.
  private(set) var formerPrices: [FavoriteID: Money] = [:]

  /// Rows that are held.
  private static let most = 1_000

  /// The numbers of those of these lines that are not held; nil where all are.
  func missing(in lines: [FavoriteLine]) -> (products: [FavoriteID], sellers: [FavoriteID])? {
    var (products, sellers): ([FavoriteID], [FavoriteID]) = ([], [])
    for line in lines {
      switch line {
      case .product(let id): if self.products[id] == nil { products.append(id) }
      case .seller(let id): if self.sellers[id] == nil { sellers.append(id) }
      case .triggered, .search: break
      }
    }
    return products.isEmpty && sellers.isEmpty ? nil : (products, sellers)
  }

  /// Takes in what was read; what lies far from it makes room.
  mutating func take(_ products: [FavoriteProduct], _ sellers: [FavoriteSeller]) {
    if self.products.count + self.sellers.count > Self.most {
      (self.products, self.sellers) = ([:], [:])
    }
    for product in products { self.products[product.id] = FavoriteRow(product) }
    for seller in sellers { self.sellers[seller.id] = seller }
    markets.formUnion(products.map(\.market) + sellers.map(\.market))
  }

  /// Takes in how products are by now, where they are held; false where nothing is new.
  mutating func refresh(_ products: [FavoriteProduct]) -> Bool {
    let rows = products.map(FavoriteRow.init).filter { self.products[$0.favorite.id] != $0 }
    for row in rows {
      let id = row.favorite.id
      if formerPrices[id] == nil, let former = self.products[id]?.price, former != row.price {
        formerPrices[id] = former
      }
      self.products[id] = row
    }
    return !rows.isEmpty
  }

  /// Writes a note to what has a key.
  mutating func write(_ note: String, to key: FavoriteKey) {
    for (id, row) in products where row.favorite.key == key {
      var favorite = row.favorite
      favorite.note = note
      products[id] = FavoriteRow(favorite)
    }
    for (id, seller) in sellers where seller.key == key { sellers[id]?.note = note }
  }
}
