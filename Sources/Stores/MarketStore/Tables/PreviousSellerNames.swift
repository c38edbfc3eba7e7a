import SQLiteKit
import StoreCore

/// Previous names of sellers by which some of their products are still indexed.
///
/// Every call throws the `StoreError` of its statement.
struct PreviousSellerNames {
  /// SQL expression of the name by which a row of `product` is indexed, for a seller without another row.
  static let indexed = """
    coalesce((SELECT previous_seller_name.name FROM previous_seller_name
      WHERE previous_seller_name.seller = product.seller AND last >= product.id
      ORDER BY last LIMIT 1), seller.name)
    """

  private let connection: SQLiteDatabase

  init(_ connection: SQLiteDatabase) {
    self.connection = connection
  }

  var areThere: Bool {
    get throws(StoreError) {
      try connection.integer("SELECT 1 FROM previous_seller_name LIMIT 1") != nil
    }
  }

  /// A seller some of whose products, up to an id, are indexed by a previous name; nil where there is none.
  ///
  /// Rows that only a forged file can contain are skipped, since they could not be deleted.
  func next() throws(StoreError) -> (seller: Int64, last: Int64)? {
    try connection.first(
      """
      SELECT seller, last FROM previous_seller_name WHERE typeof(seller) = 'integer'
      ORDER BY seller DESC, last DESC LIMIT 1
      """
    ) { row in (seller: row.integer(0), last: row.integer(1)) }
  }

  /// Records that the products of a seller above an id are indexed by its current name, and the others as
  /// before: those without a record by `name`.
  func keep(upTo last: Int64, of seller: Int64, as name: String) throws(StoreError) {
    let previous = try connection.first(
      "SELECT name FROM previous_seller_name WHERE seller = ? AND last >= ? ORDER BY last LIMIT 1",
      [.integer(seller), .integer(last)]
    ) { row in row.text(0, atMost: ProductTexts.bytes) }
    try connection.run(
      "DELETE FROM previous_seller_name WHERE seller = ? AND last >= ?", .integer(seller),
      .integer(last))
    try connection.run(
      "INSERT INTO previous_seller_name (seller, last, name) VALUES (?, ?, ?)", .integer(seller),
      .integer(last), .text(previous ?? name))
  }

  /// Records that all products of a seller are indexed by its current name.
  func forget(_ seller: Int64) throws(StoreError) {
    try connection.run("DELETE FROM previous_seller_name WHERE seller = ?", .integer(seller))
  }
}
