import MarketModel
import SQLiteKit
import StoreCore

/// Writing of imported products.
extension SQLiteDatabase {
  package func matches(of products: [IncomingProduct]) throws(StoreError) -> [ImportMatch] {
    var matches: [ImportMatch] = []
    matches.reserveCapacity(products.count)
    for incoming in products { matches.append(try match(of: incoming)) }
    return matches
  }

  private func match(of incoming: IncomingProduct) throws(StoreError) -> ImportMatch {
    let match = ImportMatch(of: incoming, keys: try present([incoming.arrivalKey]), own: nil)
    // Most products were imported before, or have a free id.
    guard !match.hasArrived, let id = incoming.product.id,
      let own = try archive.products([id.rawValue]).first
    else { return match }
    let keys = try present([ImportMatch.key(ofRenumbered: id.rawValue)])
    return ImportMatch(of: incoming, keys: keys, own: own)
  }

  private func present(_ keys: [[UInt8]]) throws(StoreError) -> Set<[UInt8]> {
    var present: Set<[UInt8]> = []
    for key in keys {
      let known = try integer("SELECT 1 FROM imported_row WHERE key = $1", .blob(key))
      if known != nil { present.insert(key) }
    }
    return present
  }

  package func insert(
    _ rows: [ImportRow], pictures: [String: StoredPicture], _ tokenizer: SearchTokenizer,
    remembering cache: inout ImportCache
  ) throws(StoreError) -> WrittenBatch {
    let grams = ProductGrams(tokenizer)
    // A product that keeps its id may come among those that are indexed by a previous name.
    while case .renewed = try SellerNames(self).renew(grams) {}
    let products = ProductRows(self)
    var tally = ProductTally()
    var batch = BatchCache(pictures: pictures)
    var listed = ListedProducts()
    var added = 0
    let isNew = try note(rows)
    for row in rising(rows.indices.filter { isNew[$0] }.map { rows[$0] }) {
      added += 1
      let seller = try sellers.seller(of: row.product.seller, &cache)
      let product = StoredProduct(
        row.product, id: cache.preservableID(of: row.product), seller: seller.id.rawValue,
        password: try password(row.product.passwordHash, &batch, &cache),
        pictures: try keys(of: row.product.pictures, &batch))
      let id = try products.insert(
        product, row.text(under: seller.name, grams.text), counting: &tally)
      try questions.insert(
        row.product.questions, about: id.rawValue, of: seller.id, remembering: &cache)
      if let wanted = row.product.id, wanted != id {
        _ = try noteArrival(ImportMatch.key(ofRenumbered: id.rawValue))
      }
      listed.add(product, id: id.rawValue)
    }
    try products.record(tally)
    try log(listed.logged)
    return WrittenBatch(added: added, pictureNames: batch.pictureNames)
  }

  /// The rows in the order of their ids, which FTS5 takes in one piece, and then those without one.
  private func rising(_ rows: [ImportRow]) -> [ImportRow] {
    let ids = rows.map { $0.product.id?.rawValue ?? .max }
    return rows.indices.sorted { (ids[$0], $0) < (ids[$1], $1) }.map { rows[$0] }
  }

  /// Records the arrival keys, and returns which rows are new; sorted by key, so that neighbouring pages
  /// are written together.
  private func note(_ rows: [ImportRow]) throws(StoreError) -> [Bool] {
    var isNew = [Bool](repeating: false, count: rows.count)
    let beginnings = rows.map { row in row.key.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    // Equal keys in their own order.
    for position in rows.indices.sorted(by: { (beginnings[$0], $0) < (beginnings[$1], $1) }) {
      isNew[position] = try noteArrival(rows[position].key)
    }
    return isNew
  }

  private func keys(
    of names: [String], _ batch: inout BatchCache
  ) throws(StoreError) -> [Int64] {
    var keys: [Int64] = []
    for name in names {
      if batch.keys[name] == nil { batch.keys[name] = try key(ofPicture: name, &batch) }
      if let key = batch.keys[name] { keys.append(key) }
    }
    return keys
  }

  /// The id of a picture in the batch, or of the market's own picture of this name; nil where there is
  /// neither.
  private func key(
    ofPicture name: String, _ batch: inout BatchCache
  ) throws(StoreError) -> Int64? {
    guard let picture = batch.pictures[name] else {
      guard let hash = Picture.hash(in: name, of: .original) else { return nil }
      return try pictures.keys(of: [hash])[hash]
    }
    guard let key = try pictures.keep([picture]).first else { return nil }
    batch.pictureNames[name] =
      Picture(number: key, hash: picture.hash).original
    return key
  }

  /// The key of a password hash; products of an import with the same hash share it.
  private func password(
    _ hash: String, _ batch: inout BatchCache, _ cache: inout ImportCache
  ) throws(StoreError) -> Int64 {
    if let known = batch.passwords[hash] { return known }
    let key: Int64
    if let earlier = try remembered(hash, cache) {
      key = earlier
    } else {
      key = try ProductRows(self).keep(passwordHash: hash)
    }
    batch.passwords[hash] = key
    cache.passwords.remember(key, for: hash)
    return key
  }

  /// The key of a hash that an earlier batch stored; nil where it was deleted since.
  private func remembered(_ hash: String, _ cache: ImportCache) throws(StoreError) -> Int64? {
    guard let key = cache.passwords[hash] else { return nil }
    return try integer(
      "SELECT id FROM password WHERE id = $1 AND hash = $2", .integer(key), .text(hash))
  }
}

/// Cache of a batch while it is written.
private struct BatchCache {
  /// New pictures, by the names that its products use.
  let pictures: [String: StoredPicture]
  /// Ids of stored pictures, by those names.
  var keys: [String: Int64] = [:]
  /// Names in the market of the new pictures.
  var pictureNames: [String: String] = [:]
  /// Keys of passwords by their hashes.
  var passwords: [String: Int64] = [:]
}
