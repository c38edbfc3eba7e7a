/// A product with everything its detail shows.
package struct ProductDetail: Hashable, Sendable, Identifiable {
  package var product: Product
  /// The text as it came; foreign text, may be empty.
  package var description: String
  /// All pictures in order; the first is the thumbnail.
  package var pictures: [Picture]
  /// What an edit must name to be sure that it changes what was read; nil where the source has no
  /// versions.
  package var version: ProductVersion?

  package init(
    product: Product, description: String, pictures: [Picture], version: ProductVersion?
  ) {
    self.product = product
    self.description = description
    self.pictures = pictures
    self.version = version
  }

  package var id: Product.ID { product.id }
}

/// A state of one product: a counter of the store, or the entity tag of a server.
package struct ProductVersion: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }
}
