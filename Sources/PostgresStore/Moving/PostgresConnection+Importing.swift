import MarketModel
import StoreCore

extension PostgresConnection: ImportTables {
  package typealias Failure = PostgresError
  package typealias Words = SearchWords
  package typealias Text = SearchableText

  package static func text(
    of product: ArchivedProduct, under sellerName: String, words: SearchWords
  ) -> SearchableText {
    SearchableText([product.name, product.description, sellerName], words: words)
  }

  /// Products of one statement; more at a time is no faster.
  private static let statementSize = 1_000

  package func areThere(_ products: [IncomingProduct]) throws(PostgresError) -> [Bool] {
    var answers: [Bool] = []
    for start in stride(from: 0, to: products.count, by: Self.statementSize) {
      let some = products[start...].prefix(Self.statementSize)
      let keys = some.map(\.arrivalKey)
      let arrived = Set(
        try run("SELECT key FROM arrival WHERE key = ANY ($1)", [.blobs(keys)]).map { $0.bytes(0) })
      var own: [Product.ID: ArchivedProduct] = [:]
      for product in try archivedProducts(some.compactMap { $0.product.id?.rawValue }) {
        if let id = product.id { own[id] = product }
      }
      answers += zip(some, keys).map { incoming, key in
        let known = incoming.product.id.flatMap { own[$0] }
        return arrived.contains(key) || known.map(incoming.isCopy) ?? false
      }
    }
    return answers
  }

  package func take(
    _ rows: [ImportRow<SearchableText>], pictures: [String: PreparedPicture], words: SearchWords,
    remembering memory: inout ImportMemory
  ) throws(PostgresError) -> ImportReceipt {
    let rows = try arriving(rows)
    let pictureKeys = try keys(ofPictures: rows.flatMap(\.product.pictures), among: pictures)
    let ids = try ids(for: rows, memory)
    let passwords = try passwords(for: rows, &memory)
    var blocks = BlockChanges()
    var uses: [Int64] = []
    for start in stride(from: 0, to: rows.count, by: Self.statementSize) {
      var listed = ProductRows()
      let some = rows[start...].prefix(Self.statementSize)
      for (row, id) in zip(some, ids[start...]) {
        let keys = row.product.pictures.compactMap { pictureKeys[$0]?.key }
        uses += keys
        let seller = try seller(of: row.product.seller, &memory)
        listed.append(
          row.product,
          as: ProductRows.Row(
            id: id, seller: seller.id.rawValue,
            password: passwords[row.product.passwordHash] ?? 0, pictures: keys,
            text: text(of: row, under: seller.name, words: words)))
        blocks.count(id, in: row.product.state)
      }
      for (sql, values) in listed.statements { try post(sql, values) }
    }
    try use(uses)
    if !rows.isEmpty { try add(blocks) }
    return ImportReceipt(added: rows.count, pictureNames: pictureKeys.mapValues(\.name))
  }

  /// The rows that come for the first time, which is noted.
  private func arriving(
    _ rows: [ImportRow<SearchableText>]
  ) throws(PostgresError) -> [ImportRow<SearchableText>] {
    var new = Set(
      try run(
        """
        INSERT INTO arrival (key) SELECT DISTINCT key FROM unnest($1) AS listed (key) ORDER BY key
        ON CONFLICT DO NOTHING RETURNING key
        """, [.blobs(rows.map(\.key))]
      ).map { $0.bytes(0) })
    return rows.filter { new.remove($0.key) != nil }
  }

  /// Keys of pictures and the names by which the market keeps them, by the names of the archive.
  private func keys(
    ofPictures names: [String], among files: [String: PreparedPicture]
  ) throws(PostgresError) -> [String: (key: Int64, name: String)] {
    var found: [String: (key: Int64, name: String)] = [:]
    var hashes: [[UInt8]: String] = [:]
    let new = Set(names).filter { files[$0] != nil }.sorted()
    let pictures = new.compactMap { files[$0] }
    for (name, (key, picture)) in zip(new, zip(try keep(pictures), pictures)) {
      let kept = Picture(number: key, hash: ContentHash.of(picture.bytes)).original
      found[name] = (key, kept)
    }
    for name in Set(names).subtracting(new) {
      if let hash = Picture.hash(in: name, of: .original) {
        hashes[hash] = name
      }
    }
    let known = try run(
      "SELECT id, hash FROM picture WHERE hash = ANY ($1) ORDER BY id FOR UPDATE",
      [.blobs(Array(hashes.keys))])
    for (key, hash) in known.map({ ($0.integer(0), $0.bytes(1)) }) {
      if let name = hashes[hash] { found[name] = (key, name) }
    }
    return found
  }
}
