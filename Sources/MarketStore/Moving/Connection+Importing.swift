import MarketModel
import SQLiteKit
import StoreCore

extension Connection: ImportTables {
  package typealias Failure = DatabaseError
  package typealias Words = ProductGrams
  package typealias Text = String

  package func highestProductID() throws(DatabaseError) -> Int64 {
    StoredNumbers.count(
      try integer("SELECT seq FROM sqlite_sequence WHERE name = 'product'") ?? 0)
  }

  package func areThere(_ products: [IncomingProduct]) throws(DatabaseError) -> [Bool] {
    var answers: [Bool] = []
    answers.reserveCapacity(products.count)
    for incoming in products { answers.append(try has(incoming)) }
    return answers
  }

  /// Its tokens, without the one of its seller.
  package static func text(
    of product: ArchivedProduct, under sellerName: String, words grams: ProductGrams
  ) -> String {
    grams.textTokens(
      name: product.name, description: product.description, sellerName: sellerName)
  }

  /// Whether a product has come before, or is one of this file's own as it is now.
  private func has(_ incoming: IncomingProduct) throws(DatabaseError) -> Bool {
    let known = try integer(
      "SELECT 1 FROM arrival WHERE key = ?", .blob(incoming.arrivalKey))
    if known != nil { return true }
    guard let id = incoming.product.id, let own = try archivedProduct(id) else { return false }
    return incoming.isCopy(of: own)
  }

  package func take(
    _ rows: [ImportRow<String>], pictures: [String: PreparedPicture], words grams: ProductGrams,
    remembering memory: inout ImportMemory
  ) throws(DatabaseError) -> ImportReceipt {
    var tally = ProductTally()
    var portion = PortionMemory(pictures: pictures)
    var added = 0
    for row in rows
    where try run("INSERT OR IGNORE INTO arrival (key) VALUES (?)", .blob(row.key)) > 0 {
      added += 1
      let record = try record(of: row.product, &portion, &memory)
      let tokens = text(of: row, under: record.seller.name, words: grams)
      let sellerToken = ProductGrams.token(ofSeller: record.seller.id.rawValue)
      _ = try insert(record, tokens: tokens + sellerToken, counting: &tally)
    }
    try record(tally)
    return ImportReceipt(added: added, pictureNames: portion.pictureNames)
  }

  private func record(
    of product: ArchivedProduct, _ portion: inout PortionMemory, _ memory: inout ImportMemory
  ) throws(DatabaseError) -> ProductRecord {
    ProductRecord(
      id: memory.keptID(of: product),
      seller: try seller(of: product.seller, &memory), name: product.name,
      description: product.description, price: product.price, stock: product.stock,
      created: product.created, changed: product.changed, version: product.version,
      pictures: try keys(of: product.pictures, &portion),
      password: try password(product.passwordHash, &portion, &memory))
  }

  private func keys(
    of names: [String], _ portion: inout PortionMemory
  ) throws(DatabaseError) -> [Int64] {
    var keys: [Int64] = []
    for name in names {
      if portion.keys[name] == nil { portion.keys[name] = try key(ofPicture: name, &portion) }
      if let key = portion.keys[name] { keys.append(key) }
    }
    return keys
  }

  /// The key of a picture that comes with a portion, or that the market has under this name.
  private func key(
    ofPicture name: String, _ portion: inout PortionMemory
  ) throws(DatabaseError) -> Int64? {
    guard let picture = portion.pictures[name] else {
      guard let hash = Picture.hash(in: name, of: .original) else {
        return nil
      }
      return try integer("SELECT id FROM picture WHERE hash = ?", .blob(hash))
    }
    let key = try keep(picture)
    portion.pictureNames[name] =
      Picture(number: key, hash: ContentHash.of(picture.bytes)).original
    return key
  }
}

/// What is known of a portion while it is being written.
struct PortionMemory {
  /// Those that are new to the market, by the names that its products use.
  let pictures: [String: PreparedPicture]
  /// Keys of the pictures that the market has, by those names.
  var keys: [String: Int64] = [:]
  /// Names in the market of the pictures that were new.
  var pictureNames: [String: String] = [:]
  /// Keys of passwords by their hashes.
  var passwords: [String: Int64] = [:]

  init(pictures: [String: PreparedPicture]) {
    self.pictures = pictures
  }
}
