import MarketModel

/// Products that are added to a store in one call, with pictures they share.
package struct SeedMarket: Sendable {
  package var products: [SeedProduct]
  /// Processed, with their thumbnails.
  package var pictures: [PreparedPicture]
  /// Hash of the password of all these products, as `PasswordHasher.hash` makes it.
  package var passwordHash: String

  package init(products: [SeedProduct], pictures: [PreparedPicture], passwordHash: String) {
    self.products = products
    self.pictures = pictures
    self.passwordHash = passwordHash
  }
}

/// Product to be added by a `SeedMarket`.
package struct SeedProduct: Sendable, Hashable {
  /// The product without its pictures and its password; equal names are one seller, without an
  /// identifier.
  package var archived: ArchivedProduct
  /// Indices of its pictures in `SeedMarket.pictures`; the first is the thumbnail.
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
