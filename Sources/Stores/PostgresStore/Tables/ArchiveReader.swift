import MarketModel
import StoreCore

/// Reader of whole products, with all that a market holds of them.
struct ArchiveReader {
  private static let next =
    ProductColumns.archive + " WHERE product.id > $1 ORDER BY product.id LIMIT $2"
  private static let some = ProductColumns.archive + " WHERE product.id = ANY ($1)"

  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  /// The products with ids above `id`, in their order.
  func products(after id: Int64, atMost limit: Int) throws(PostgresError) -> [ArchivedProduct] {
    try products(in: try connection.run(Self.next, [.integer(id), .integer(Int64(limit))]))
  }

  /// Those of some products that are there.
  func products(_ ids: [Int64]) throws(PostgresError) -> [ArchivedProduct] {
    try products(in: try connection.run(Self.some, [.integers(ids)]))
  }

  private func products(in rows: PostgresRows) throws(PostgresError) -> [ArchivedProduct] {
    let stored = rows.map { ProductColumn.archived.product(in: $0) }
    let pictures = try Pictures(connection).names(ofProducts: stored.compactMap(\.id))
    return try stored.map { stored throws(PostgresError) in
      var product = try stored.archived.orDamaged()
      product.pictures = stored.id.flatMap { pictures[$0] } ?? []
      return product
    }
  }
}
