package import MarketModel
package import SafeText

/// A product's detail with its foreign texts made drawable once, when it arrived.
package struct LoadedDetail: Hashable, Sendable {
  package let product: ListedProduct
  /// The description's lines as the seller broke them, not yet wrapped.
  package let paragraphs: [SafeText]
  package let pictures: [Picture]
  package let version: ProductVersion?
  /// All that a seller said of it.
  package let values: FieldValues

  package init(_ detail: ProductDetail) {
    product = ListedProduct(detail.product)
    paragraphs = SafeText.lines(detail.description)
    pictures = detail.pictures
    version = detail.version
    values = detail.fieldValues
  }
}
