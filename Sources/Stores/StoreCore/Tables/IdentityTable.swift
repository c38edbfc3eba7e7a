import MarketModel
import SQLiteKit

/// Id of a market, with the identity of the file or the tables that it was given to.
///
/// A copy or a restored dump has the same row, but another identity. It gets an id of its own, so that no
/// two markets share one.
/// - Throws: every call throws the `StoreError` of its statement.
package struct IdentityTable {
  private static let maxLocationLength = 256

  let database: any MarketDatabase

  /// The stored row; the id is nil where it is invalid.
  package func row() throws(StoreError) -> (id: MarketID?, location: String)? {
    try database.first("SELECT text, location FROM market_id WHERE id = 1") { row in
      (MarketID(row.text(0, atMost: 64)), row.text(1, atMost: Self.maxLocationLength))
    }
  }

  /// Gives the market a new id where it has none, or that of another location; the caller opens the
  /// transaction.
  package func assignID(
    at location: String, isSame: (String, String) -> Bool = { $0 == $1 }
  ) throws(StoreError) {
    try database.lock("SELECT 1 FROM market_id WHERE id = 1 FOR UPDATE", [])
    let row = try row()
    if let row, row.id != nil, isSame(row.location, location) { return }
    // Of several servers the first succeeds.
    try database.post(
      row == nil
        ? "INSERT INTO market_id (id, text, location) VALUES (1, $1, $2) ON CONFLICT DO NOTHING"
        : "UPDATE market_id SET text = $1, location = $2 WHERE id = 1",
      .text(MarketID.random().text), .text(location))
  }
}
