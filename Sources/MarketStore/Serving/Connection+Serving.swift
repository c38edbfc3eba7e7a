import MarketModel
import SQLiteKit

extension Connection {
  /// The beginning of a product's text; nil where there is none.
  func description(
    of id: Product.ID, atMost characters: Int
  ) throws(DatabaseError) -> String? {
    try first(
      "SELECT substr(description, 1, ?) FROM product_text WHERE product = ?",
      [.integer(Int64(characters)), .integer(id.rawValue)]
    ) { row in row.text(0) }
  }

  /// The key that servers sign by; the first one that asks makes it.
  func serverKey() throws(DatabaseError) -> [UInt8] {
    try run(
      "INSERT OR IGNORE INTO server_key (id, bytes) VALUES (1, ?)", .blob(ServerSignature.newKey()))
    return try first("SELECT bytes FROM server_key") { row in row.blob(0) } ?? []
  }
}
