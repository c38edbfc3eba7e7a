import MarketModel
import SQLiteKit
import StoreCore

/// Writing of imported products.
extension PostgresConnection {
  /// Products of one statement; more are no faster.
  private static let statementSize = 1_000

  package func matches(of products: [IncomingProduct]) throws(StoreError) -> [ImportMatch] {
    var matches: [ImportMatch] = []
    for start in stride(from: 0, to: products.count, by: Self.statementSize) {
      let some = products[start...].prefix(Self.statementSize)
      let keys = Set(
        try run(
          "SELECT key FROM imported_row WHERE key = ANY ($1)", [.blobs(some.flatMap(\.traceKeys))]
        ).map { $0.blob(0) })
      var own: [Product.ID: ArchivedProduct] = [:]
      for product in try archive.products(
        some.compactMap { $0.product.id?.rawValue })
      {
        if let id = product.id { own[id] = product }
      }
      matches += some.map { incoming in
        ImportMatch(of: incoming, keys: keys, own: incoming.product.id.flatMap { own[$0] })
      }
    }
    return matches
  }

  package func insert(
    _ rows: [ImportRow], pictures: [String: StoredPicture], _ tokenizer: SearchTokenizer,
    remembering cache: inout ImportCache
  ) throws(StoreError) -> WrittenBatch {
    let rows = try arriving(rows)
    let pictureKeys = try keys(ofPictures: rows.flatMap(\.product.pictures), among: pictures)
    let ids = try ids(for: rows, cache)
    try noteRenumbered(rows, ids)
    let passwords = try passwords(for: rows, &cache)
    var blocks = BlockChanges()
    var logged = ListedProducts()
    for start in stride(from: 0, to: rows.count, by: Self.statementSize) {
      var listed = ProductRows()
      let some = rows[start...].prefix(Self.statementSize)
      for (row, id) in zip(some, ids[start...]) {
        let keys = row.product.pictures.compactMap { pictureKeys[$0]?.key }
        let seller = try sellers.seller(of: row.product.seller, &cache)
        let product = StoredProduct(
          row.product, id: id, seller: seller.id.rawValue,
          password: passwords[row.product.passwordHash] ?? 0, pictures: keys)
        let text = row.text(under: seller.name) { IndexText([$0, $1, $2], tokenizer) }
        listed.append(product, text)
        blocks.count(id, in: product.state)
        logged.add(product, id: id)
      }
      for (sql, values) in listed.statements { try post(sql, values) }
      for (row, id) in zip(some, ids[start...]) where !row.product.questions.isEmpty {
        let seller = try sellers.seller(of: row.product.seller, &cache)
        try questions.insert(
          row.product.questions, about: id, of: seller.id, remembering: &cache)
      }
    }
    if !rows.isEmpty { try BlockCounts(self).add(blocks) }
    try log(logged.logged)
    return WrittenBatch(added: rows.count, pictureNames: pictureKeys.mapValues(\.name))
  }

  /// Records the ids of products that could not keep their own.
  private func noteRenumbered(
    _ rows: [ImportRow], _ ids: [Int64]
  ) throws(StoreError) {
    let keys = zip(rows, ids).compactMap { row, id in
      row.product.id.flatMap { $0.rawValue == id ? nil : ImportMatch.key(ofRenumbered: id) }
    }
    guard !keys.isEmpty else { return }
    try post(
      "INSERT INTO imported_row (key) SELECT unnest($1) ON CONFLICT DO NOTHING", [.blobs(keys)])
  }

  /// The rows that were not imported before; records their keys.
  private func arriving(
    _ rows: [ImportRow]
  ) throws(StoreError) -> [ImportRow] {
    var new = Set(
      try run(
        """
        INSERT INTO imported_row (key) SELECT DISTINCT key FROM unnest($1) AS listed (key) ORDER BY key
        ON CONFLICT DO NOTHING RETURNING key
        """, [.blobs(rows.map(\.key))]
      ).map { $0.blob(0) })
    return rows.filter { new.remove($0.key) != nil }
  }

  /// Ids and names of stored pictures, by their names in the archive.
  private func keys(
    ofPictures names: [String], among files: [String: StoredPicture]
  ) throws(StoreError) -> [String: (key: Int64, name: String)] {
    var found: [String: (key: Int64, name: String)] = [:]
    var hashes: [[UInt8]: String] = [:]
    let new = Set(names).filter { files[$0] != nil }.sorted()
    let pictures = new.compactMap { files[$0] }
    for (name, (key, picture)) in zip(new, zip(try self.pictures.keep(pictures), pictures)) {
      let kept = Picture(number: key, hash: picture.hash).original
      found[name] = (key, kept)
    }
    for name in Set(names).subtracting(new) {
      if let hash = Picture.hash(in: name, of: .original) {
        hashes[hash] = name
      }
    }
    for (hash, key) in try self.pictures.keys(of: Array(hashes.keys)) {
      if let name = hashes[hash] { found[name] = (key, name) }
    }
    return found
  }

  /// An id for each row: its own where that is free and may be preserved, else a new one above all
  /// existing ids.
  private func ids(for rows: [ImportRow], _ cache: ImportCache)
    throws(StoreError)
    -> [Int64]
  {
    let wanted = rows.map { cache.preservableID(of: $0.product) }
    var taken = Set(
      try run(
        "SELECT id FROM product WHERE id = ANY ($1)", [.integers(wanted.compactMap(\.self))]
      )
      .map { $0.integer(0) })
    let kept = wanted.map { id in id.flatMap { taken.insert($0).inserted ? $0 : nil } }
    if let last = kept.compactMap(\.self).max() {
      try skipNumbers(upTo: last, in: .product)
    }
    var new = try newProductIDs(kept.count { $0 == nil })[...]
    return kept.map { $0 ?? new.popFirst() ?? 0 }
  }

  /// Keys of the password hashes of some products, whose use counts are incremented; products with the
  /// same hash share one.
  private func passwords(
    for rows: [ImportRow], _ cache: inout ImportCache
  ) throws(StoreError) -> [String: Int64] {
    var uses: [String: Int64] = [:]
    for row in rows { uses[row.product.passwordHash, default: 0] += 1 }
    let remembered = uses.keys.compactMap { cache.passwords[$0] }.sorted()
    var keys: [String: Int64] = [:]
    // Those that were not deleted since.
    let present = try run(
      "SELECT id, hash FROM password WHERE id = ANY ($1) ORDER BY id FOR UPDATE",
      [.integers(remembered)])
    for (key, hash) in present.map({ ($0.integer(0), $0.text(1)) }) { keys[hash] = key }
    let added = try run(
      "INSERT INTO password (hash) SELECT hash FROM unnest($1) AS listed (hash) RETURNING id, hash",
      [.texts(uses.keys.filter { keys[$0] == nil }.sorted())])
    for (key, hash) in added.map({ ($0.integer(0), $0.text(1)) }) { keys[hash] = key }
    let counts = uses.compactMap { hash, count in keys[hash].map { ($0, count) } }
    try post(
      """
      UPDATE password SET uses = uses + counted.count
      FROM unnest($1, $2) AS counted (id, count) WHERE password.id = counted.id
      """, [.integers(counts.map(\.0)), .integers(counts.map(\.1))])
    for (hash, key) in keys { cache.passwords.remember(key, for: hash) }
    return keys
  }
}
