import MarketModel
import SQLiteKit
import StoreCore

extension Connection {
  package func descriptions(
    of ids: [Product.ID], atMost characters: Int
  ) throws(DatabaseError) -> [String] {
    var texts: [String] = []
    for id in ids {
      let text = try first(
        "SELECT substr(description, 1, ?) FROM product_text WHERE product = ?",
        [.integer(Int64(characters)), .integer(id.rawValue)]
      ) { row in row.text(0, TextLimit(0...characters)) }
      texts.append(text ?? "")
    }
    return texts
  }

  package func storedBytes() throws(DatabaseError) -> Int64 {
    let pages = try integer("PRAGMA page_count") ?? 0
    let free = try integer("PRAGMA freelist_count") ?? 0
    return (pages - free) * (try integer("PRAGMA page_size") ?? 0)
  }

  package func serverKey() throws(DatabaseError) -> [UInt8] {
    try run(
      "INSERT OR IGNORE INTO server_key (id, bytes) VALUES (1, ?)", .blob(ServerSignature.newKey()))
    return try first("SELECT bytes FROM server_key") { row in row.bytes(0, atMost: 1_024) ?? [] }
      ?? []
  }
}
