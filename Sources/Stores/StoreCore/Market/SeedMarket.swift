import MarketModel

/// Products that come into a store all at once, with pictures they share.
package struct SeedMarket: Sendable {
  package var products: [SeedProduct]
  /// Fit to be kept, with their thumbnails.
  package var pictures: [PreparedPicture]
  /// The hash of the one password of all these products, as `PasswordHasher.hash` makes it.
  package var passwordHash: String

  package init(products: [SeedProduct], pictures: [PreparedPicture], passwordHash: String) {
    self.products = products
    self.pictures = pictures
    self.passwordHash = passwordHash
  }
}

/// One product of a `SeedMarket`.
package struct SeedProduct: Sendable, Hashable {
  /// Name of the seller; the same name is the same seller, whom nobody can sign in as.
  package var seller: String
  package var name: String
  package var description: String
  package var price: Price
  package var stock: Int64
  /// Time of its registration, in seconds since 1970 in UTC.
  package var created: Int64
  /// Places of its pictures in `SeedMarket.pictures`; the first is the thumbnail.
  package var pictures: [Int]

  package init(
    seller: String, name: String, description: String, price: Price, stock: Int64, created: Int64,
    pictures: [Int]
  ) {
    self.seller = seller
    self.name = name
    self.description = description
    self.price = price
    self.stock = stock
    self.created = created
    self.pictures = pictures
  }

  /// The product as it will be, but for its pictures and its password.
  package var archived: ArchivedProduct {
    ArchivedProduct(
      seller: ArchivedSeller(id: nil, name: seller), name: name, description: description,
      price: price, stock: stock, created: created, changed: created)
  }
}
