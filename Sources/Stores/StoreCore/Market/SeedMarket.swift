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
  /// The product but for its pictures and its password; the same name is the same seller, whom nobody
  /// can sign in as.
  package var archived: ArchivedProduct
  /// Places of its pictures in `SeedMarket.pictures`; the first is the thumbnail.
  package var pictures: [Int]

  package init(_ product: ArchivedProduct, pictures: [Int]) {
    archived = product
    self.pictures = pictures
  }

  package init(
    seller: String, name: String, description: String, price: Price, stock: Int64, created: Int64,
    pictures: [Int]
  ) {
    self.init(
      ArchivedProduct(
        seller: ArchivedSeller(id: nil, name: seller), name: name, description: description,
        price: price, stock: stock, created: created, changed: created),
      pictures: pictures)
  }

  package var seller: String { archived.seller.name }
}
