package import MarketModel

/// QR code of a product's page, to open it on a telephone.
package final class ProductCodeModel: Layer {
  package let product: ListedProduct
  package let address: ProductAddress

  init(_ product: ListedProduct, at address: ProductAddress) {
    (self.product, self.address) = (product, address)
  }
}
