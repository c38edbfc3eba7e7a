import MarketModel

extension IncomingProduct {
  /// 16 bytes, by which the product is known to have come.
  package var arrivalKey: [UInt8] { Array(ContentHash.of(identity).prefix(16)) }

  /// Whether it is nothing but a product of the market as that is now.
  package func isCopy(of own: ArchivedProduct) -> Bool {
    var product = product
    // The names of an archive have an ending.
    product.pictures = product.pictures.map {
      $0.split(separator: ".").first.map(String.init) ?? $0
    }
    return own == product
  }
}
