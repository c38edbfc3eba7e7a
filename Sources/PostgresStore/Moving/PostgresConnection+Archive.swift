import MarketModel
import StoreCore

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
      SELECT product, picture.id, picture.hash FROM product_picture
      JOIN picture ON picture.id = product_picture.picture
      WHERE product = ANY ($1) ORDER BY product, place
      """, [.integers(rows.map { $0.integer(0) })])
    for (product, picture) in named.map({ ($0.integer(0), $0.picture(id: 1, hash: 2)) }) {
      if let picture { pictures[product, default: []].append(picture.original) }
    }
    return try rows.map { row throws(PostgresError) in
      var product = try row.archivedProduct().orDamaged()
      product.pictures = pictures[row.integer(0)] ?? []
      return product
    }
  }
}
