import MarketModel
import SQLiteKit
import StoreCore

/// Reader of whole products, with all that a market holds of them.
struct ArchiveReader {
  private static let next =
    ProductColumns.archive + " WHERE product.id > ? ORDER BY product.id LIMIT ?"
  private static let one = ProductColumns.archive + " WHERE product.id = ?"

  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  /// The products with ids above `id`, in their order.
  func products(after id: Int64, atMost limit: Int) throws(DatabaseError) -> [ArchivedProduct] {
    try connection.all(Self.next, [.integer(id), .integer(Int64(limit))]) {
      row throws(DatabaseError) in try product(in: row)
    }
  }

  /// One product; nil where there is none.
  func product(_ id: Product.ID) throws(DatabaseError) -> ArchivedProduct? {
    try connection.first(Self.one, [.integer(id.rawValue)]) { row throws(DatabaseError) in
      try product(in: row)
    }
  }

  private func product(in row: borrowing Row) throws(DatabaseError) -> ArchivedProduct {
    let stored = ProductColumn.archived.product(in: row)
    var product = try stored.archived.orDamaged()
    if let id = stored.id, stored.thumbnail != 0 {
      product.pictures = try Pictures(connection).pictures(of: id).map(\.original)
    }
    return product
  }
}
