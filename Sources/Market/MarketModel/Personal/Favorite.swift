/// Product or seller of a market that a person may keep, by its number there.
package struct FavoriteKey: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    case product(Product.ID)
    case seller(Seller.ID)
  }

  package var thing: Subject
  package var market: MarketKey

  package init(_ thing: Subject, in market: MarketKey) {
    self.thing = thing
    self.market = market
  }
}

/// Number of a kept product or seller in the person's own list: what was kept later has a higher one.
package struct FavoriteID: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int64

  package init(rawValue: Int64) {
    self.rawValue = rawValue
  }
}

/// Market of something that is kept: what it is called and where it is, so that one can go there again.
package struct FavoriteMarket: Hashable, Sendable {
  package var key: MarketKey
  /// Nil is the local market.
  package var name: String?
  /// A file's whole path, or a server's address; nil for the local market.
  package var location: String?

  package init(key: MarketKey, name: String?, location: String?) {
    self.key = key
    self.name = name
    self.location = location
  }
}

/// What of one market is kept.
package struct FavoriteMarks: Hashable, Sendable {
  package var products: Set<Product.ID>
  package var sellers: Set<Seller.ID>

  package init(products: Set<Product.ID> = [], sellers: Set<Seller.ID> = []) {
    self.products = products
    self.sellers = sellers
  }

  package func contains(_ thing: FavoriteKey.Subject) -> Bool {
    switch thing {
    case .product(let id): products.contains(id)
    case .seller(let id): sellers.contains(id)
    }
  }

  package mutating func set(_ thing: FavoriteKey.Subject, isFavorite: Bool) {
    switch thing {
    case .product(let id): if isFavorite { products.insert(id) } else { products.remove(id) }
    case .seller(let id): if isFavorite { sellers.insert(id) } else { sellers.remove(id) }
    }
  }
}

/// What came of the wish to keep something.
package enum FavoriteResult: Hashable, Sendable {
  case added
  /// There is no room for more.
  case full
  case failed
}

/// The numbers of all that is kept, the latest first.
package struct FavoriteList: Hashable, Sendable {
  package var products: [FavoriteID]
  package var sellers: [FavoriteID]

  package init(products: [FavoriteID] = [], sellers: [FavoriteID] = []) {
    self.products = products
    self.sellers = sellers
  }
}

/// Rules of a note.
package enum FavoriteNoteRules {
  /// Characters of the longest one.
  package static let longest = 200
}

/// Product that is kept, as it was seen last.
package struct FavoriteProduct: Hashable, Sendable, Identifiable {
  package var id: FavoriteID
  package var market: FavoriteMarket
  package var product: Product
  /// Nil where only lists told of it.
  package var description: String?
  /// Empty where none was written.
  package var note: String
  package var added: Timestamp
  package var seen: Timestamp
  /// Since when it is known to be gone; nil where it is there as far as is known.
  package var gone: Timestamp?
  package var hasPicture: Bool

  package init(
    id: FavoriteID, market: FavoriteMarket, product: Product, description: String? = nil,
    note: String = "", added: Timestamp, seen: Timestamp, gone: Timestamp? = nil,
    hasPicture: Bool = false
  ) {
    self.id = id
    self.market = market
    self.product = product
    self.description = description
    self.note = note
    self.added = added
    self.seen = seen
    self.gone = gone
    self.hasPicture = hasPicture
  }

  package var key: FavoriteKey { FavoriteKey(.product(product.id), in: market.key) }
}

/// Seller who is kept.
package struct FavoriteSeller: Hashable, Sendable, Identifiable {
  package var id: FavoriteID
  package var market: FavoriteMarket
  package var seller: Seller
  /// The product by which the seller was met, whose detail tells of the seller.
  package var product: Product.ID
  package var note: String
  package var added: Timestamp

  package init(
    id: FavoriteID, market: FavoriteMarket, seller: Seller, product: Product.ID, note: String = "",
    added: Timestamp
  ) {
    self.id = id
    self.market = market
    self.seller = seller
    self.product = product
    self.note = note
    self.added = added
  }

  package var key: FavoriteKey { FavoriteKey(.seller(seller.id), in: market.key) }
}
