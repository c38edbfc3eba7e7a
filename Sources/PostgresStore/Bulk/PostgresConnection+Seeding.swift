import MarketModel
import StoreCore

extension PostgresConnection {
  /// Rows of one statement; more at a time is no faster.
  private static let portion = 1_000

  /// Inserts all products of a seed; the caller holds the transaction.
  func insert(_ seed: SeedMarket, words: SearchWords) throws(PostgresError) {
    guard !seed.products.isEmpty else { return }
    let pictures = try keep(seed.pictures)
    let password = try keep(passwordHash: seed.passwordHash)
    let sellers = try sellers(of: seed.products)
    var blocks = BlockChanges()
    var uses: [Int64] = []
    for start in stride(from: 0, to: seed.products.count, by: Self.portion) {
      let products = seed.products[start...].prefix(Self.portion)
      let ids = try newProductIDs(products.count)
      var rows = ProductRows()
      for (id, product) in zip(ids, products) {
        let keys = product.pictures.map { pictures[$0] }
        uses += keys
        rows.append(
          product.archived,
          as: ProductRows.Row(
            id: id, seller: sellers[product.seller] ?? 0, password: password, pictures: keys,
            text: SearchableText(
              [product.name, product.description, product.seller], words: words)))
        blocks.count(id, in: product.archived.state)
      }
      for (sql, values) in rows.statements { try post(sql, values) }
    }
    // One use was counted when it was kept.
    try post(
      "UPDATE password SET uses = uses + $1 WHERE id = $2",
      [.integer(Int64(seed.products.count) - 1), .integer(password)])
    try use(uses)
    try add(blocks)
  }

  /// Numbers of products that do not exist yet, rising.
  func newProductIDs(_ count: Int) throws(PostgresError) -> [Int64] {
    try run(
      """
      SELECT nextval(pg_get_serial_sequence('product', 'id'))
      FROM generate_series(1, $1::bigint)
      """, [.integer(Int64(count))]
    ).map { $0.integer(0) }.sorted()
  }

  /// The sellers of a seed by their names; nobody can sign in as one.
  private func sellers(of products: [SeedProduct]) throws(PostgresError) -> [String: Int64] {
    var sellers: [String: Int64] = [:]
    for name in products.map(\.seller) where sellers[name] == nil {
      let known = try run(
        "SELECT id FROM seller WHERE identifier IS NULL AND name = $1 ORDER BY id LIMIT 1",
        [.text(name)])
      if let row = known.first {
        sellers[name] = row.integer(0)
      } else {
        sellers[name] = try newUnidentifiedSeller(name)
      }
    }
    return sellers
  }

  /// Adds a seller that nobody can sign in as; those have numbers below 0.
  func newUnidentifiedSeller(_ name: String) throws(PostgresError) -> Int64 {
    try key(
      "INSERT INTO seller (id, name) SELECT min(id) - 1, $1 FROM seller WHERE id > $2 RETURNING id",
      [.text(name), .integer(StoredNumbers.lowestCountedSellerID)])
  }
}

extension SeedProduct {
  fileprivate var archived: ArchivedProduct {
    ArchivedProduct(
      name: name, description: description, price: price, stock: stock, created: created,
      changed: created)
  }
}
