import SQLiteKit
import StoreCore

/// Names by which products are still found whose sellers have another one since.
struct PreviousSellerNames {
  /// The expression of the name by which a row of `product` is found, of a seller who has no other row.
  static let indexed = """
    coalesce((SELECT former_name.name FROM former_name
      WHERE former_name.seller = product.seller AND last >= product.id
      ORDER BY last LIMIT 1), seller.name)
    """

  private let connection: SQLiteDatabase

  init(_ connection: SQLiteDatabase) {
    self.connection = connection
  }

  var areThere: Bool {
    get throws(StoreError) {
      try connection.integer("SELECT 1 FROM former_name LIMIT 1") != nil
    }
  }

  /// A seller of whose products up to a number some are found by another name.
  ///
  /// What only a forged file has for a seller is passed over, since it could not be forgotten.
  func next() throws(StoreError) -> (seller: Int64, last: Int64)? {
    try connection.first(
      """
      SELECT seller, last FROM former_name WHERE typeof(seller) = 'integer'
      ORDER BY seller DESC, last DESC LIMIT 1
      """
    ) { row in (seller: row.integer(0), last: row.integer(1)) }
  }

  /// Takes note that the products of a seller above a number are found by the seller's name, and the
  /// others as before: those without a note by `name`.
  func keep(upTo last: Int64, of seller: Int64, as name: String) throws(StoreError) {
    let former = try connection.first(
      "SELECT name FROM former_name WHERE seller = ? AND last >= ? ORDER BY last LIMIT 1",
      [.integer(seller), .integer(last)]
    ) { row in row.text(0, atMost: ProductTexts.bytes) }
    try connection.run(
      "DELETE FROM former_name WHERE seller = ? AND last >= ?", .integer(seller), .integer(last))
    try connection.run(
      "INSERT INTO former_name (seller, last, name) VALUES (?, ?, ?)", .integer(seller),
      .integer(last), .text(former ?? name))
  }

  /// Takes note that all products of a seller are found by the seller's name.
  func forget(_ seller: Int64) throws(StoreError) {
    try connection.run("DELETE FROM former_name WHERE seller = ?", .integer(seller))
  }
}
