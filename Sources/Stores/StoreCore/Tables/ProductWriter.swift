import MarketModel
import SQLiteKit

/// A product to be inserted, with its id and its search text.
package struct NewProduct {
  package let id: Int64
  package let product: StoredProduct
  package let text: IndexText
}

/// Writer of many new products: those of a sample, and of a batch of an import.
///
/// The caller opens the transaction.
/// - Throws: every call throws the `StoreError` of its statement.
package struct ProductWriter {
  /// Products of one statement; more are no faster.
  private static let batch = 1_000

  private static let products = DialectSQL { sql in
    let columns = ProductColumns.inserted
    return "INSERT INTO product (\(columns.names)) \(sql.values(columns.all.count))"
  }
  private static let importKeys = DialectSQL { sql in
    "INSERT INTO imported_row (key) \(sql.values(1)) ON CONFLICT DO NOTHING RETURNING key"
  }
  private static let takenIDs = DialectSQL { sql in
    "SELECT id FROM product WHERE " + sql.isAny("id", of: "$1")
  }
  private static let keptPasswords = DialectSQL { sql in
    """
    SELECT id, hash FROM password WHERE \(sql.isAny("id", of: "$1"))
    ORDER BY id\(sql.locking("FOR UPDATE"))
    """
  }
  private static let passwords = DialectSQL { sql in
    "INSERT INTO password (hash, uses) \(sql.values(2)) RETURNING id, hash"
  }
  private static let passwordUses = DialectSQL { sql in
    """
    UPDATE password SET uses = uses + counted.count
    FROM \(sql.rows("counted", ["id", "count"])) WHERE password.id = counted.id
    """
  }

  private let database: any MarketDatabase
  /// Search text of a product's name, its description and its seller's name.
  private let text: (String, String, String) -> IndexText

  package init(
    _ database: any MarketDatabase, indexing text: @escaping (String, String, String) -> IndexText
  ) {
    self.database = database
    self.text = text
  }

  /// Inserts all products of a seed.
  package func insert(_ seed: SeedMarket) throws(StoreError) {
    let count = seed.products.count
    guard count > 0 else { return }
    let pictures = try database.pictures.insert(seed.pictures.map(StoredPicture.inside))
    var cache = ImportCache(highestOwnID: 0, highestOwnQuestion: 0)
    let password = try passwords([seed.passwordHash: Int64(count)], &cache)[seed.passwordHash]
    let ids = try database.newProductIDs(count, above: 0)
    try database.changes.insertPlaces(seed.products.lazy.map(\.place))
    try write(count) { index throws(StoreError) in
      let archived = seed.products[index]
      let seller = try database.sellers.seller(of: archived.seller, &cache)
      let stored = StoredProduct(
        archived, id: ids[index], seller: seller.id.rawValue, password: password ?? 0,
        pictures: archived.pictures.compactMap { Int($0).map { pictures[$0] } })
      return NewProduct(
        id: ids[index], product: stored,
        text: text(archived.name, archived.description, seller.name))
    }
  }

  /// Inserts the products of a batch that have not been imported before.
  func insert(
    _ rows: [ImportRow], pictures: [String: StoredPicture], _ tokenizer: SearchTokenizer,
    remembering cache: inout ImportCache
  ) throws(StoreError) -> WrittenBatch {
    // In a file, a product that keeps its id may come among those that are indexed by a previous name.
    if database.dialect == .sqlite {
      while case .renewed = try SellerNameIndex(database, tokenizer).renew() {}
    }
    let new = try newRows(rows)
    let pictures = try keys(ofPictures: new.flatMap(\.product.pictures), among: pictures)
    var uses: [String: Int64] = [:]
    for row in new { uses[row.product.passwordHash, default: 0] += 1 }
    let passwords = try passwords(uses, &cache)
    // Rising ids fill an index in one piece.
    let numbered = zip(try ids(for: new, cache), new).sorted { $0.0 < $1.0 }
    try database.post(
      Self.importKeys[database.dialect],
      rows: numbered.compactMap { id, row in
        row.product.id.flatMap { $0.rawValue == id ? nil : ImportMatch.key(ofRenumbered: id) }
      }.map { [.blob($0)] })
    try database.changes.insertPlaces(new.lazy.map(\.product.place))
    try write(numbered.count) { index throws(StoreError) in
      let (id, row) = numbered[index]
      let seller = try database.sellers.seller(of: row.product.seller, &cache)
      let stored = StoredProduct(
        row.product, id: id, seller: seller.id.rawValue,
        password: passwords[row.product.passwordHash] ?? 0,
        pictures: row.product.pictures.compactMap { pictures[$0]?.key })
      let isRenamed = seller.name != row.product.seller.name
      return NewProduct(
        id: id, product: stored,
        text: isRenamed
          ? text(row.product.name, row.product.description, seller.name) : row.text)
    }
    for (id, row) in numbered where !row.product.questions.isEmpty {
      let seller = try database.sellers.seller(of: row.product.seller, &cache)
      try database.questions.insert(
        row.product.questions, about: id, of: seller.id, remembering: &cache)
    }
    return WrittenBatch(added: numbered.count, pictureNames: pictures.mapValues(\.name))
  }

  /// Inserts products with their dependent rows, and counts and logs them.
  private func write(
    _ count: Int, _ product: (Int) throws(StoreError) -> NewProduct
  ) throws(StoreError) {
    let dialect = database.dialect
    var (blocks, listed) = (BlockChanges(), ListedProducts())
    for start in stride(from: 0, to: count, by: Self.batch) {
      var products: [NewProduct] = []
      for index in start..<min(start + Self.batch, count) { products.append(try product(index)) }
      try database.post(
        Self.products[dialect],
        rows: products.map { ProductColumns.inserted.values(of: $0.product) })
      try database.changes.insertTexts(products.map { ($0.id, $0.product) })
      try database.pictures.attach(products.map { ($0.id, $0.product.pictures) })
      try database.addToIndex(products)
      for new in products {
        blocks.count(new.id, in: new.product.state)
        listed.add(new.product, id: new.id)
      }
    }
    try database.count(blocks)
    try database.log(listed.logged)
  }

  /// The rows that were not imported before; records their keys.
  private func newRows(_ rows: [ImportRow]) throws(StoreError) -> [ImportRow] {
    // In order, so that neighbouring pages are written together and writers wait for each other in turn.
    let keys = Set(rows.map(\.key)).sorted { $0.lexicographicallyPrecedes($1) }
    var new: Set<[UInt8]> = []
    try database.forEach(Self.importKeys[database.dialect], rows: keys.map { [.blob($0)] }) { row in
      new.insert(row.blob(0))
    }
    return rows.filter { new.remove($0.key) != nil }
  }

  /// Ids and names of stored pictures, by their names in the archive.
  private func keys(
    ofPictures names: [String], among files: [String: StoredPicture]
  ) throws(StoreError) -> [String: (key: Int64, name: String)] {
    var found: [String: (key: Int64, name: String)] = [:]
    let new = Set(names).filter { files[$0] != nil }.sorted()
    let pictures = new.compactMap { files[$0] }
    for (name, (key, picture)) in zip(new, zip(try database.pictures.insert(pictures), pictures)) {
      found[name] = (key, Picture(number: key, hash: picture.hash).original)
    }
    var known: [[UInt8]: String] = [:]
    for name in Set(names).subtracting(new) {
      if let hash = Picture.hash(in: name, of: .original) { known[hash] = name }
    }
    for (hash, key) in try database.read(database.pictures.lockedKeys(of: Array(known.keys))) {
      if let name = known[hash] { found[name] = (key, name) }
    }
    return found
  }

  /// An id for each row: its own where that is free and may be preserved, else a new one above all
  /// existing ids.
  private func ids(for rows: [ImportRow], _ cache: ImportCache) throws(StoreError) -> [Int64] {
    let wanted = rows.map { cache.preservableID(of: $0.product) }
    var taken = Set(
      try database.all(
        Self.takenIDs[database.dialect], [.integers(wanted.compactMap(\.self))]
      ) { $0.integer(0) })
    let kept = wanted.map { id in id.flatMap { taken.insert($0).inserted ? $0 : nil } }
    var new = try database.newProductIDs(
      kept.count { $0 == nil }, above: kept.compactMap(\.self).max() ?? 0)[...]
    return kept.map { $0 ?? new.popFirst() ?? 0 }
  }

  /// Keys of password hashes with so many new uses; products with the same hash share one.
  private func passwords(
    _ uses: [String: Int64], _ cache: inout ImportCache
  ) throws(StoreError) -> [String: Int64] {
    let dialect = database.dialect
    var keys: [String: Int64] = [:]
    // Those that were not deleted since.
    let remembered = uses.keys.compactMap { cache.passwords[$0] }.sorted()
    try database.forEach(Self.keptPasswords[dialect], [.integers(remembered)]) { row in
      keys[row.text(1, atMost: StorageRules.passwordHashBytes)] = row.integer(0)
      return true
    }
    let old = keys.compactMap { hash, key in uses[hash].map { (key, $0) } }
    try database.post(
      Self.passwordUses[dialect], rows: old.map { [.integer($0), .integer($1)] })
    let new = uses.filter { keys[$0.key] == nil }.sorted { $0.key < $1.key }
    try database.forEach(
      Self.passwords[dialect], rows: new.map { [.text($0.key), .integer($0.value)] }
    ) { row in keys[row.text(1)] = row.integer(0) }
    for (hash, key) in keys { cache.passwords.remember(key, for: hash) }
    return keys
  }
}

/// Changes of the counts of blocks, so that each count is written once.
package struct BlockChanges {
  private struct Block: Hashable, Comparable {
    let level: Int64
    let number: Int64

    static func < (left: Block, right: Block) -> Bool {
      (left.level, left.number) < (right.level, right.number)
    }
  }

  private var counts: [Block: [Int64]] = [:]

  package init() {}

  /// Changes of one product, whose state is nil where there is none.
  package init(of id: Product.ID, from before: Int?, to after: Int?) {
    if let before { count(id.rawValue, in: before, by: -1) }
    if let after { count(id.rawValue, in: after) }
  }

  /// Adds `change` to the counts of a product's blocks: 1 for a new one, -1 for a deleted one.
  package mutating func count(_ id: Int64, in state: Int, by change: Int64 = 1) {
    for (level, shift) in ProductBlocks.shifts.enumerated() {
      let block = Block(level: Int64(level), number: id >> shift)
      counts[block, default: [0, 0, 0, 0]][state] += change
    }
  }

  /// Level, number and the four counts of each block; in one order, so that transactions cannot deadlock.
  package var rows: [[SQLValue]] {
    counts.sorted { $0.key < $1.key }.map { block, counts in
      [.integer(block.level), .integer(block.number)] + counts.map { .integer($0) }
    }
  }
}

/// Products that are added to a store in one call, with pictures they share.
package struct SeedMarket: Sendable {
  /// Products without passwords; equal names of sellers are one seller, without an identifier, and their
  /// pictures are named by their indices in `pictures`.
  package var products: [ArchivedProduct]
  /// Processed, with their thumbnails.
  package var pictures: [PreparedPicture]
  /// Hash of the password of all these products, as `PasswordHasher.hash` makes it.
  package var passwordHash: String

  package init(products: [ArchivedProduct], pictures: [PreparedPicture], passwordHash: String) {
    self.products = products
    self.pictures = pictures
    self.passwordHash = passwordHash
  }
}

extension ArchivedProduct {
  /// A product of a `SeedMarket`; the first picture is the thumbnail.
  package init(
    seller: String, name: String, description: String, price: Price, stock: Int64, created: Int64,
    pictures: [Int]
  ) {
    self.init(
      seller: ArchivedSeller(id: nil, name: seller), name: name, description: description,
      price: price, stock: stock, created: created, changed: created,
      pictures: pictures.map { String($0) })
  }
}
