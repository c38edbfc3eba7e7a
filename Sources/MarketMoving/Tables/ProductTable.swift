import MarketModel

/// The columns in which products are written as a table.
enum ProductTable {
  static let header = TableRecord.bytes([
    "id", "name", "description", "currency", "price", "discount", "stock", "seller", "created",
    "changed",
  ])

  static func bytes(_ product: ArchivedProduct) -> [UInt8] {
    TableRecord.bytes([
      product.id.map { String($0.rawValue) } ?? "", product.name, product.description,
      product.price.currency.rawValue, amount(product.price.full.hundredths),
      amount(product.price.discountHundredths), String(product.stock), product.seller.name,
      String(product.created), String(product.changed),
    ])
  }

  /// An amount in main units, with decimals only where there are any.
  private static func amount(_ hundredths: Int64) -> String {
    String(hundredths: hundredths, decimals: .twoOrNone)
  }
}
