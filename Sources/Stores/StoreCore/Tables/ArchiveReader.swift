import MarketModel
import SQLiteKit

/// Reader of whole products, with all that a market holds of them.
package struct ArchiveReader {
  private static let next = SQL(
    once: ProductColumns.archive + " WHERE product.id > $1 ORDER BY product.id LIMIT $2")
  private static let some = SQL(once: ProductColumns.archive + " WHERE product.id = ANY ($1)")

  let database: any MarketDatabase

  /// The products with ids above `id`, in their order.
  package func products(
    after id: Int64, atMost limit: Int
  ) throws(StoreError) -> [ArchivedProduct] {
    try products(Self.next, [.integer(id), .integer(Int64(limit))])
  }

  /// Those of some products that are there.
  package func products(_ ids: [Int64]) throws(StoreError) -> [ArchivedProduct] {
    try products(Self.some, [.integers(ids)])
  }

  private func products(
    _ sql: SQL, _ values: [SQLValue]
  ) throws(StoreError) -> [ArchivedProduct] {
    let stored = try database.all(sql, values) { ProductColumns.archived.product(in: $0) }
    let illustrated = stored.filter { $0.thumbnail != 0 }.compactMap(\.id)
    let pictures = try database.pictures.names(ofProducts: illustrated)
    return try stored.map { stored throws(StoreError) in
      var product = try stored.archived.orDamaged()
      product.pictures = stored.id.flatMap { pictures[$0] } ?? []
      return product
    }
  }
}
