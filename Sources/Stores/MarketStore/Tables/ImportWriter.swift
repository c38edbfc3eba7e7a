import MarketModel
import SQLiteKit
import StoreCore

/// Writer of products that an import brings.
package struct ImportWriter: ImportTable {
  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  package func highestProductID() throws(DatabaseError) -> Int64 {
    StoredNumbers.count(
      try connection.integer("SELECT seq FROM sqlite_sequence WHERE name = 'product'") ?? 0)
  }

  package func traces(of products: [IncomingProduct]) throws(DatabaseError) -> [ImportMatch] {
    var traces: [ImportMatch] = []
    traces.reserveCapacity(products.count)
    for incoming in products { traces.append(try trace(of: incoming)) }
    return traces
  }

  private func trace(of incoming: IncomingProduct) throws(DatabaseError) -> ImportMatch {
    let trace = ImportMatch(of: incoming, keys: try present(incoming.arrivalKeys), own: nil)
    // Most products have come before, or have a number that is free.
    guard !trace.hasArrived, let id = incoming.product.id,
      let own = try ArchiveReader(connection).product(id)
    else { return trace }
    let keys = try present([ImportMatch.key(ofRenumbered: id.rawValue)])
    return ImportMatch(of: incoming, keys: keys, own: own)
  }

  private func present(_ keys: [[UInt8]]) throws(DatabaseError) -> Set<[UInt8]> {
    var present: Set<[UInt8]> = []
    for key in keys {
      let known = try connection.integer("SELECT 1 FROM arrival WHERE key = ?", .blob(key))
      if known != nil { present.insert(key) }
    }
    return present
  }

  package func note(_ key: [UInt8]) throws(DatabaseError) -> Bool {
    try connection.run("INSERT OR IGNORE INTO arrival (key) VALUES (?)", .blob(key)) > 0
  }

  /// Its tokens, without the one of its seller.
  package static func text(
    of product: ArchivedProduct, under sellerName: String, tokenizer grams: ProductGrams
  ) -> String {
    grams.textTokens(
      name: product.name, description: product.description, sellerName: sellerName)
  }

  package func take(
    _ rows: [ImportRow<String>], pictures: [String: StoredPicture], tokenizer grams: ProductGrams,
    remembering cache: inout ImportCache
  ) throws(DatabaseError) -> WrittenBatch {
    // A product that keeps its number may come among those that are found by a former name.
    while case .renewed = try Sellers(connection).renewNames(tokenizer: grams) {}
    let changes = ProductChanges(connection)
    var tally = ProductTally()
    var batch = BatchCache(pictures: pictures)
    var listed = ListedProducts()
    var added = 0
    let isNew = try note(rows)
    for (position, row) in rows.enumerated() where isNew[position] {
      added += 1
      let seller = try Sellers(connection).seller(of: row.product.seller, &cache)
      let product = StoredProduct(
        row.product, id: cache.preservableID(of: row.product), seller: seller.id.rawValue,
        password: try password(row.product.passwordHash, &batch, &cache),
        pictures: try keys(of: row.product.pictures, &batch))
      let tokens = text(of: row, under: seller.name, tokenizer: grams)
      let sellerToken = ProductGrams.token(ofSeller: product.seller)
      let id = try changes.insert(product, tokens: tokens + sellerToken, counting: &tally)
      if let wanted = row.product.id, wanted.rawValue != id {
        _ = try note(ImportMatch.key(ofRenumbered: id))
      }
      listed.add(product, id: id)
    }
    try changes.record(tally)
    try LogTable(connection).add(listed.logged)
    return WrittenBatch(added: added, pictureNames: batch.pictureNames)
  }

  /// Notes which rows come for the first time; in the order of their keys, so that neighbours meet.
  private func note(_ rows: [ImportRow<String>]) throws(DatabaseError) -> [Bool] {
    var isNew = [Bool](repeating: false, count: rows.count)
    let beginnings = rows.map { row in row.key.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    // Equal ones in their own order.
    for position in rows.indices.sorted(by: { (beginnings[$0], $0) < (beginnings[$1], $1) }) {
      isNew[position] = try note(rows[position].key)
    }
    return isNew
  }

  private func keys(
    of names: [String], _ batch: inout BatchCache
  ) throws(DatabaseError) -> [Int64] {
    var keys: [Int64] = []
    for name in names {
      if batch.keys[name] == nil { batch.keys[name] = try key(ofPicture: name, &batch) }
      if let key = batch.keys[name] { keys.append(key) }
    }
    return keys
  }

  /// The key of a picture that comes with a batch, or that the market has under this name.
  private func key(
    ofPicture name: String, _ batch: inout BatchCache
  ) throws(DatabaseError) -> Int64? {
    guard let picture = batch.pictures[name] else {
      guard let hash = Picture.hash(in: name, of: .original) else { return nil }
      return try Pictures(connection).key(of: hash)
    }
    let key = try Pictures(connection).keep(picture)
    batch.pictureNames[name] =
      Picture(number: key, hash: picture.hash).original
    return key
  }

  /// The key of a password's hash; products that come with the same hash share it.
  private func password(
    _ hash: String, _ batch: inout BatchCache, _ cache: inout ImportCache
  ) throws(DatabaseError) -> Int64 {
    if let known = batch.passwords[hash] { return known }
    let key: Int64
    if let earlier = try remembered(hash, cache) {
      key = earlier
    } else {
      key = try ProductChanges(connection).keep(passwordHash: hash)
    }
    batch.passwords[hash] = key
    cache.passwords.remember(key, for: hash)
    return key
  }

  /// What another batch has kept, unless somebody has deleted it since.
  private func remembered(_ hash: String, _ cache: ImportCache) throws(DatabaseError) -> Int64? {
    guard let key = cache.passwords[hash] else { return nil }
    return try connection.integer(
      "SELECT id FROM password WHERE id = ? AND hash = ?", .integer(key), .text(hash))
  }
}

/// Memory of a batch while it is being written.
private struct BatchCache {
  /// Those that are new to the market, by the names that its products use.
  let pictures: [String: StoredPicture]
  /// Keys of the pictures that the market has, by those names.
  var keys: [String: Int64] = [:]
  /// Names in the market of the pictures that were new.
  var pictureNames: [String: String] = [:]
  /// Keys of passwords by their hashes.
  var passwords: [String: Int64] = [:]

  init(pictures: [String: StoredPicture]) {
    self.pictures = pictures
  }
}
