import MarketModel
import SQLiteKit
import SafeTextKit

/// The sellers who are kept, over one connection, at one moment; every call that writes stands in a
/// transaction.
struct FavoriteSellerTable {
  /// Sellers that can be kept, of all markets together.
  static let limit: Int64 = 10_000

  let connection: SQLiteConnection
  let now: Int64

  func marks(of market: Int64) throws(DatabaseError) -> Set<Seller.ID> {
    Set(
      try connection.all(
        "SELECT seller FROM kept_seller WHERE market = ? AND dropped IS NULL LIMIT ?",
        [.integer(market), .integer(Self.limit)]
      ) { row in Seller.ID(rawValue: row.integer(0)) })
  }

  /// The numbers of those where all of these patterns fit name or note, the latest first.
  func list(of patterns: [String]) throws(DatabaseError) -> [FavoriteID] {
    let condition = FavoriteSearchTerms.condition(
      count: patterns.count, columns: ["words", "note_words"])
    return try connection.all(
      """
      SELECT id FROM kept_seller WHERE dropped IS NULL\(condition) ORDER BY id DESC LIMIT \(Self.limit)
      """, patterns.map { .text($0) }
    ) { row in FavoriteID(rawValue: row.integer(0)) }
  }

  func seller(_ id: FavoriteID) throws(DatabaseError) -> FavoriteSeller? {
    try connection.first(
      """
      SELECT k.id, m.place, km.name, km.place, k.seller, k.name, k.product, k.note, k.kept
      FROM kept_seller k JOIN market m ON m.id = k.market
        LEFT JOIN kept_market km ON km.market = k.market
      WHERE k.id = ? AND k.dropped IS NULL
      """, [.integer(id.rawValue)]
    ) { row in
      FavoriteSeller(
        id: FavoriteID(rawValue: row.integer(0)), market: .read(row, from: 1),
        seller: Seller(
          id: Seller.ID(rawValue: row.integer(4)),
          name: row.text(5, atMost: FavoriteProductTable.maxTextLength)),
        product: Product.ID(rawValue: row.integer(6)),
        note: String(
          row.text(7, atMost: FavoriteProductTable.maxTextLength).prefix(FavoriteNoteRules.longest)),
        added: Timestamp(seconds: row.integer(8)))
    }
  }

  func add(
    _ seller: Seller, by product: Product.ID, of market: FavoriteMarket
  ) throws(DatabaseError) -> FavoriteResult {
    let count =
      try connection.integer(
        "SELECT count(*) FROM kept_seller WHERE dropped IS NULL") ?? 0
    guard count < Self.limit else { return .full }
    let market = try MarketTable(connection).findOrAdd(market)
    let name = seller.name.prefix(bytes: FavoriteProductTable.maxTextLength)
    try connection.run(
      """
      INSERT INTO kept_seller (market, seller, product, kept, name, words)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (market, seller) DO UPDATE SET
        kept = CASE WHEN dropped IS NULL THEN kept ELSE excluded.kept END, dropped = NULL,
        product = excluded.product, name = excluded.name, words = excluded.words
      """,
      .integer(market), .integer(seller.id.rawValue), .integer(product.rawValue), .integer(now),
      .text(name), .text(FavoriteSearchTerms.lines(of: [name])))
    return .added
  }
}
