import MarketModel

/// One call over the wire: what a client wants and a server is asked, whatever the dialect.
///
/// A dialect writes an operation as a request and reads a request as the same operation.
package enum MarketOperation: Sendable {
  /// Is there a market at all? (v2)
  case health
  case page(PageRequest)
  case detail(Product.ID)
  /// The key is nil where the client sent none.
  case register(ProductRegistration, Author, IdempotencyKey?)
  /// An edit that names nothing but the password: it changes nothing and answers the product.
  case verify(Product.ID, Password, Author)
  case update(ProductUpdate)
  /// Deletes at once (v1).
  case delete(Product.ID, Password, DeletionEcho)
  /// First step of deleting on v2: the password is traded for a key.
  case requestDeletion(Product.ID, Password, Author, DeletionRoute)
  /// Second step of deleting on v2.
  case confirmDeletion(DeletionKey, Author)
  /// The seller behind an identifier (an addition of ours).
  case seller(SellerIdentifier)
  /// Another name for the seller (an addition of ours).
  case rename(SellerIdentifier, String)
  case picture(PictureAddress)
}

/// An edit of one product.
package struct ProductUpdate: Sendable {
  package var id: Product.ID
  package var patch: ProductPatch
  package var password: Password
  package var author: Author
  /// The version that was read; nil changes whatever is there.
  package var expected: ProductVersion?

  package init(
    id: Product.ID, patch: ProductPatch, password: Password, author: Author,
    expected: ProductVersion? = nil
  ) {
    self.id = id
    self.patch = patch
    self.password = password
    self.author = author
    self.expected = expected
  }
}
