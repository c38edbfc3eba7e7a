/// The port to what a person keeps of markets: products, as a wish list, and sellers.
package protocol KeptBook: Sendable {
  /// Which products and sellers of a market are kept.
  func keptMarks(of market: MarketKey) async -> KeptMarks

  /// Keeps a product as it is now; one that was let go of a moment ago comes back with its note.
  func keep(
    _ product: Product, description: String?, of market: KeptMarket
  ) async -> KeepingOutcome
  /// Keeps a seller, who was met by a product.
  func keep(_ seller: Seller, by product: Product.ID, of market: KeptMarket) async -> KeepingOutcome
  /// Lets go of a product or seller; false where that failed.
  func letGo(_ key: KeptKey) async -> Bool
  /// Keeps again what was let go of a moment ago; false where that failed.
  func takeBack(_ key: KeptKey) async -> Bool
  /// Writes a note to what is kept, of at most `KeptNote.longest` characters; an empty one is none.
  func write(_ note: String, to key: KeptKey) async -> Bool

  /// What is kept with all of these words in it, the latest first.
  func keptList(of words: [String]) async -> KeptList
  /// Some of it; what is not there any more is left out.
  func keptProducts(_ ids: [KeptID]) async -> [KeptProduct]
  func keptSellers(_ ids: [KeptID]) async -> [KeptSeller]
  func keptProduct(_ id: Product.ID, in market: MarketKey) async -> KeptProduct?
  /// The kept picture of a product, a small file; nil where there is none.
  func keptPicture(of id: KeptID) async -> [UInt8]?
  /// The products of each market that were kept last, at most so many of each.
  func latestKept(ofEach limit: Int) async -> [KeptMarket: [Product.ID]]

  /// Takes over how products are now where they are kept, and answers which of them lack a picture.
  func didSeeKept(_ products: [Product], in market: MarketKey) async -> [Product.ID]
  func didSeeKept(_ description: String, of product: Product.ID, in market: MarketKey) async
  /// Takes note that products are not in a market any more.
  func didLoseKept(_ products: [Product.ID], in market: MarketKey) async
  /// Keeps a small file as the picture of a kept product.
  func keep(_ picture: [UInt8], of product: Product, in market: MarketKey) async
}

/// Product or seller of a market that a person may keep, by its number there.
package struct KeptKey: Hashable, Sendable {
  package enum Thing: Hashable, Sendable {
    case product(Product.ID)
    case seller(Seller.ID)
  }

  package var thing: Thing
  package var market: MarketKey

  package init(_ thing: Thing, in market: MarketKey) {
    self.thing = thing
    self.market = market
  }
}

/// Number of a kept product or seller in the person's own list: what was kept later has a higher one.
package struct KeptID: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int64

  package init(rawValue: Int64) {
    self.rawValue = rawValue
  }
}

/// Market of something that is kept: what it is called and where it is, so that one can go there again.
package struct KeptMarket: Hashable, Sendable {
  package var key: MarketKey
  /// Nil is the local market.
  package var name: String?
  /// A file's whole path, or a server's address; nil for the local market.
  package var place: String?

  package init(key: MarketKey, name: String?, place: String?) {
    self.key = key
    self.name = name
    self.place = place
  }
}

/// What of one market is kept.
package struct KeptMarks: Hashable, Sendable {
  package var products: Set<Product.ID>
  package var sellers: Set<Seller.ID>

  package init(products: Set<Product.ID> = [], sellers: Set<Seller.ID> = []) {
    self.products = products
    self.sellers = sellers
  }

  package func contains(_ thing: KeptKey.Thing) -> Bool {
    switch thing {
    case .product(let id): products.contains(id)
    case .seller(let id): sellers.contains(id)
    }
  }

  package mutating func set(_ thing: KeptKey.Thing, isKept: Bool) {
    switch thing {
    case .product(let id): if isKept { products.insert(id) } else { products.remove(id) }
    case .seller(let id): if isKept { sellers.insert(id) } else { sellers.remove(id) }
    }
  }
}

/// What came of the wish to keep something.
package enum KeepingOutcome: Hashable, Sendable {
  case kept
  /// There is no room for more.
  case full
  case failed
}

/// The numbers of all that is kept, the latest first.
package struct KeptList: Hashable, Sendable {
  package var products: [KeptID]
  package var sellers: [KeptID]

  package init(products: [KeptID] = [], sellers: [KeptID] = []) {
    self.products = products
    self.sellers = sellers
  }
}

/// Rules of a note.
package enum KeptNote {
  /// Characters of the longest one.
  package static let longest = 200
}

/// Product that is kept, as it was seen last.
package struct KeptProduct: Hashable, Sendable, Identifiable {
  package var id: KeptID
  package var market: KeptMarket
  package var product: Product
  /// Nil where only lists told of it.
  package var description: String?
  /// Empty where none was written.
  package var note: String
  package var kept: Timestamp
  package var seen: Timestamp
  /// Since when it is known to be gone; nil where it is there as far as is known.
  package var gone: Timestamp?
  package var hasPicture: Bool

  package init(
    id: KeptID, market: KeptMarket, product: Product, description: String? = nil,
    note: String = "", kept: Timestamp, seen: Timestamp, gone: Timestamp? = nil,
    hasPicture: Bool = false
  ) {
    self.id = id
    self.market = market
    self.product = product
    self.description = description
    self.note = note
    self.kept = kept
    self.seen = seen
    self.gone = gone
    self.hasPicture = hasPicture
  }

  package var key: KeptKey { KeptKey(.product(product.id), in: market.key) }
}

/// Seller who is kept.
package struct KeptSeller: Hashable, Sendable, Identifiable {
  package var id: KeptID
  package var market: KeptMarket
  package var seller: Seller
  /// The product by which the seller was met, whose detail tells of the seller.
  package var product: Product.ID
  package var note: String
  package var kept: Timestamp

  package init(
    id: KeptID, market: KeptMarket, seller: Seller, product: Product.ID, note: String = "",
    kept: Timestamp
  ) {
    self.id = id
    self.market = market
    self.seller = seller
    self.product = product
    self.note = note
    self.kept = kept
  }

  package var key: KeptKey { KeptKey(.seller(seller.id), in: market.key) }
}
