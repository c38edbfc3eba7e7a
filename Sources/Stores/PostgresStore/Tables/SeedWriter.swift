import MarketModel
import SQLiteKit
import StoreCore

/// Writer of many products at once.
struct SeedWriter {
  /// Rows of one statement; more are no faster.
  private static let batch = 1_000

  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  /// Inserts all products of a seed; the caller opens the transaction.
  /// - Throws: the statement's `StoreError`.
  func insert(_ seed: SeedMarket, _ tokenizer: SearchTokenizer) throws(StoreError) {
    guard !seed.products.isEmpty else { return }
    let pictures = try connection.pictures.keep(seed.pictures.map(StoredPicture.init(inside:)))
    let password = try connection.changes.keep(passwordHash: seed.passwordHash)
    var cache = ImportCache(highestOwnID: 0, highestOwnQuestion: 0)
    var blocks = BlockChanges()
    var logged = ListedProducts()
    for start in stride(from: 0, to: seed.products.count, by: Self.batch) {
      let products = seed.products[start...].prefix(Self.batch)
      let ids = try connection.newProductIDs(products.count)
      var rows = ProductRows()
      for (id, product) in zip(ids, products) {
        let keys = product.pictures.map { pictures[$0] }
        let seller = try connection.sellers.seller(of: product.archived.seller, &cache)
        let stored = StoredProduct(
          product.archived, id: id, seller: seller.id.rawValue, password: password,
          pictures: keys)
        rows.append(
          stored,
          IndexText(
            [product.archived.name, product.archived.description, product.seller], tokenizer))
        blocks.count(id, in: stored.state)
        logged.add(stored, id: id)
      }
      for (sql, values) in rows.statements { try connection.post(sql, values) }
    }
    // The insertion has counted one use.
    try connection.post(
      "UPDATE password SET uses = uses + $1 WHERE id = $2",
      [.integer(Int64(seed.products.count) - 1), .integer(password)])
    try BlockCounts(connection).add(blocks)
    try connection.log(logged.logged)
  }
}
