/// Key of a favorite: a product or seller by its number in a market.
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

/// Number of a favorite in the user's list; later ones are higher.
package struct FavoriteID: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int64

  package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// Market of a favorite, with its name and location, so that programs can open it again.
package struct FavoriteMarket: Hashable, Sendable {
  package var key: MarketKey
  /// Nil for the local market.
  package var name: String?
  /// Absolute path of a file, or address of a server; nil for the local market.
  package var location: String?

  package init(key: MarketKey, name: String?, location: String?) {
    self.key = key
    self.name = name
    self.location = location
  }
}

/// Favorites of one market.
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

/// Result of adding a favorite.
package enum FavoriteResult: Hashable, Sendable {
  case added
  /// The maximum number of favorites is reached.
  case full
  case failed
}

/// Ids of all favorites, the latest first.
package struct FavoriteList: Hashable, Sendable {
  package var products: [FavoriteID]
  package var sellers: [FavoriteID]

  package init(products: [FavoriteID] = [], sellers: [FavoriteID] = []) {
    self.products = products
    self.sellers = sellers
  }
}

/// Rules for notes on favorites.
package enum FavoriteNoteRules {
  /// Maximum length in characters; the store cuts longer notes.
  package static let longest = 200
}

/// Favorite product, as last seen.
package struct FavoriteProduct: Hashable, Sendable, Identifiable {
  package var id: FavoriteID
  package var market: FavoriteMarket
  package var product: Product
  /// Nil where only lists showed the product.
  package var description: String?
  /// Empty for no note.
  package var note: String
  package var added: Timestamp
  package var seen: Timestamp
  /// When the product was first found missing; nil while it is listed.
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

/// Favorite seller.
package struct FavoriteSeller: Hashable, Sendable, Identifiable {
  package var id: FavoriteID
  package var market: FavoriteMarket
  package var seller: Seller
  /// Product from whose page the seller was added; its detail has the seller's contact.
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
