internal import MarketModel

/// What was read of the lines of the kept things, as far as it is held in memory.
struct KeptCache {
  private(set) var products: [KeptID: KeptRow] = [:]
  private(set) var sellers: [KeptID: KeptSeller] = [:]
  /// The markets of what was read, also where that is not held any more.
  private(set) var markets: Set<KeptMarket> = []
  /// What products cost as they were seen last, where their markets named another price since.
  private(set) var formerPrices: [KeptID: Money] = [:]

  /// Rows that are held.
  private static let most = 1_000

  /// The numbers of what lies in these lines and is not held; nil where all is.
  func missing(
    in lines: KeptLines, _ shown: Range<Int>
  ) -> (products: [KeptID], sellers: [KeptID])? {
    var (products, sellers): ([KeptID], [KeptID]) = ([], [])
    for index in shown {
      switch lines[index] {
      case .product(let id): if self.products[id] == nil { products.append(id) }
      case .seller(let id): if self.sellers[id] == nil { sellers.append(id) }
      case .heading, .hit, .search, nil: break
      }
    }
    return products.isEmpty && sellers.isEmpty ? nil : (products, sellers)
  }

  /// Takes in what was read; what lies far from it makes room.
  mutating func take(_ products: [KeptProduct], _ sellers: [KeptSeller]) {
    if self.products.count + self.sellers.count > Self.most {
      (self.products, self.sellers) = ([:], [:])
    }
    for product in products { self.products[product.id] = KeptRow(product) }
    for seller in sellers { self.sellers[seller.id] = seller }
    markets.formUnion(products.map(\.market) + sellers.map(\.market))
  }

  /// Takes in how products are by now, where they are held; false where nothing is new.
  mutating func refresh(_ products: [KeptProduct]) -> Bool {
    let rows = products.map(KeptRow.init).filter { self.products[$0.kept.id] != $0 }
    for row in rows {
      let id = row.kept.id
      if formerPrices[id] == nil, let former = self.products[id]?.price, former != row.price {
        formerPrices[id] = former
      }
      self.products[id] = row
    }
    return !rows.isEmpty
  }

  /// Writes a note to what has a key.
  mutating func write(_ note: String, to key: KeptKey) {
    for (id, row) in products where row.kept.key == key {
      var kept = row.kept
      kept.note = note
      products[id] = KeptRow(kept)
    }
    for (id, seller) in sellers where seller.key == key { sellers[id]?.note = note }
  }
}
