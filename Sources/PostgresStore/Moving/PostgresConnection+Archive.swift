import MarketModel
import MarketStore

extension PostgresConnection {
  private static let archiveColumns = """
    SELECT product.id, product.seller, seller.name, seller.identifier, product.name, description,
      currency, price, discount, stock, created, changed, version, password.hash
    FROM product JOIN seller ON seller.id = product.seller
    LEFT JOIN product_text ON product_text.product = product.id
    LEFT JOIN password ON password.id = product.password
    """

  /// The products with ids above `id`, in their order.
  func archivedProducts(
    after id: Int64, atMost limit: Int
  ) throws(PostgresError) -> [ArchivedProduct] {
    try archived(
      try run(
        Self.archiveColumns + " WHERE product.id > $1 ORDER BY product.id LIMIT $2",
        [.integer(id), .integer(Int64(limit))]))
  }

  /// Those of some products that are there.
  func archivedProducts(_ ids: [Int64]) throws(PostgresError) -> [ArchivedProduct] {
    try archived(
      try run(Self.archiveColumns + " WHERE product.id = ANY ($1)", [.integers(ids)]))
  }

  private func archived(_ rows: PostgresRows) throws(PostgresError) -> [ArchivedProduct] {
    var pictures: [Int64: [String]] = [:]
    let named = try run(
      """
      SELECT product, picture.hash FROM product_picture
      JOIN picture ON picture.id = product_picture.picture
      WHERE product = ANY ($1) ORDER BY product, place
      """, [.integers(rows.map { $0.integer(0) })])
    for (product, hash) in named.map({ ($0.integer(0), $0.bytes(1)) }) {
      pictures[product, default: []].append(Picture(number: 0, hash: hash).original)
    }
    var products: [ArchivedProduct] = []
    for product in rows.map({ ArchivedProduct($0, pictures: pictures[$0.integer(0)] ?? []) }) {
      // The tables allow no such price.
      guard let product else { throw .failed(state: "XX001") }
      products.append(product)
    }
    return products
  }
}

extension ArchivedProduct {
  fileprivate init?(_ row: PostgresRow, pictures: [String]) {
    let full = Money(hundredths: row.integer(7), currency: Currency(rawValue: row.text(6)))
    guard let price = Price(full: full, discountHundredths: row.integer(8)) else { return nil }
    self.init(
      id: Product.ID(rawValue: row.integer(0)),
      seller: ArchivedSeller(
        id: Seller.ID(rawValue: row.integer(1)), name: row.text(2),
        identifierHash: row.isNull(3) ? nil : row.bytes(3)),
      name: row.text(4), description: row.text(5), price: price, stock: row.integer(9),
      created: row.integer(10), changed: row.integer(11), version: row.integer(12),
      passwordHash: row.text(13), pictures: pictures)
  }
}
