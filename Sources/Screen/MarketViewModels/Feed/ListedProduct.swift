package import MarketModel
package import SafeText

/// A product of a list with its foreign texts made drawable once, when it arrived.
package struct ListedProduct: Hashable, Sendable, Identifiable {
  package let product: Product
  /// A dash where nothing of the name can be seen, so that no row seems empty.
  package let name: SafeText
  package let seller: SafeText

  package init(_ product: Product) {
    self.product = product
    let name = SafeText(product.name)
    self.name = name.string.allSatisfy(\.isWhitespace) ? "—" : name
    seller = SafeText(product.seller.name)
  }

  package var id: Product.ID { product.id }
}
