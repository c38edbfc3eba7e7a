internal import MarketModel

/// Content of the list's lines in memory.
struct FavoritesCache {
  private(set) var products: [FavoriteID: FavoriteRow] = [:]
  private(set) var sellers: [FavoriteID: FavoriteSeller] = [:]
  /// Markets of all rows that were read, including dropped ones.
  private(set) var markets: Set<FavoriteMarket> = []
  /// Price of each product before this session's update, if its market has reported another one
  /// since.
  private(set) var previousPrices: [FavoriteID: Money] = [:]

  /// Maximum number of rows; beyond it all are dropped before further ones are added.
  private static let most = 1_000

  /// Ids of the lines whose content is missing; nil if none is.
  func missing(in lines: [PersonalLine]) -> (products: [FavoriteID], sellers: [FavoriteID])? {
    var (products, sellers): ([FavoriteID], [FavoriteID]) = ([], [])
    for line in lines {
      switch line {
      case .product(let id): if self.products[id] == nil { products.append(id) }
      case .seller(let id): if self.sellers[id] == nil { sellers.append(id) }
      case .search, .triggered, .alert, .viewed: break
      }
    }
    return products.isEmpty && sellers.isEmpty ? nil : (products, sellers)
  }

  /// Adds rows.
  mutating func add(_ products: [FavoriteProduct], _ sellers: [FavoriteSeller]) {
    if self.products.count + self.sellers.count > Self.most {
      (self.products, self.sellers) = ([:], [:])
    }
    for product in products { self.products[product.id] = FavoriteRow(product) }
    for seller in sellers { self.sellers[seller.id] = seller }
    markets.formUnion(products.map(\.market) + sellers.map(\.market))
  }

  /// Updates loaded products; false if none has changed.
  mutating func refresh(_ products: [FavoriteProduct]) -> Bool {
    let rows = products.map(FavoriteRow.init).filter { self.products[$0.favorite.id] != $0 }
    for row in rows {
      let id = row.favorite.id
      if previousPrices[id] == nil, let price = self.products[id]?.price, price != row.price {
        previousPrices[id] = price
      }
      self.products[id] = row
    }
    return !rows.isEmpty
  }

  /// Sets the note of a row.
  mutating func write(_ note: String, to key: FavoriteKey) {
    for (id, row) in products where row.favorite.key == key {
      var favorite = row.favorite
      favorite.note = note
      products[id] = FavoriteRow(favorite)
    }
    for (id, seller) in sellers where seller.key == key { sellers[id]?.note = note }
  }
}
