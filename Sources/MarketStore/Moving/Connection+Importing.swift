import MarketModel
import SQLiteKit

extension Connection {
  /// Whether a product has come before, or is one of this file's own as it is now.
  func has(_ incoming: IncomingProduct) throws(DatabaseError) -> Bool {
    let known = try integer(
      "SELECT 1 FROM arrival WHERE key = ?", .blob(incoming.arrivalKey))
    if known != nil { return true }
    guard let id = incoming.product.id, let own = try archivedProduct(id) else { return false }
    var product = incoming.product
    // The names of an archive have an ending.
    product.pictures = product.pictures.map {
      $0.split(separator: ".").first.map(String.init) ?? $0
    }
    return own == product
  }

  /// Inserts what is new of a portion; the caller holds the transaction.
  func take(
    _ rows: [ImportRow], pictures: [String: PreparedPicture], grams: ProductGrams,
    remembering memory: inout ImportMemory
  ) throws(DatabaseError) -> ImportReceipt {
    var tally = ImportTally()
    var added = 0
    for row in rows
    where try run("INSERT OR IGNORE INTO arrival (key) VALUES (?)", .blob(row.key)) > 0 {
      added += 1
      let keys = try keys(of: row.product.pictures, among: pictures, tally: &tally)
      let seller = try seller(of: row.product.seller, &memory)
      let password = try password(row.product.passwordHash, &memory)
      let id = try insert(
        row.product, seller: seller.id, password: password, pictures: keys,
        highestOwnID: memory.highestOwnID)
      let tokens =
        seller.name == row.product.seller.name
        ? row.tokens
        : grams.textTokens(
          name: row.product.name, description: row.product.description, sellerName: seller.name)
      try index(id, tokens + ProductGrams.token(ofSeller: seller.id.rawValue))
      tally.count(row.product, id: id, pictures: keys, password: password)
    }
    try record(tally)
    return ImportReceipt(added: added, pictureNames: tally.pictureNames)
  }

  private func insert(
    _ product: ArchivedProduct, seller: Seller.ID, password: Int64, pictures: [Int64],
    highestOwnID: Int64
  ) throws(DatabaseError) -> Int64 {
    var id = product.id?.rawValue
    if let wanted = id, try !isFree(wanted, above: highestOwnID) { id = nil }
    let price = product.price
    try run(
      """
      INSERT INTO product
        (id, seller, name, currency, price, discount, percent, stock, created, changed, version,
         thumbnail, password)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(orNull: id), .integer(seller.rawValue), .text(product.name),
        .text(price.currency.rawValue), .integer(price.full.hundredths),
        .integer(price.discountHundredths), .integer(Int64(price.discountPercent)),
        .integer(product.stock), .integer(product.created), .integer(product.changed),
        .integer(product.version), .integer(orNull: pictures.first), .integer(password),
      ])
    let key = lastInsertedKey
    try run(
      "INSERT INTO product_text (product, description) VALUES (?, ?)",
      .integer(key), .text(product.description))
    for (place, picture) in pictures.enumerated() {
      try run(
        "INSERT INTO product_picture (product, place, picture) VALUES (?, ?, ?)",
        .integer(key), .integer(Int64(place)), .integer(picture))
    }
    return key
  }

  /// Whether a product may keep its number: no product has it, and none of this file has had it.
  ///
  /// A number out of all proportion would leave none for later products.
  private func isFree(_ id: Int64, above highest: Int64) throws(DatabaseError) -> Bool {
    guard id > highest, ProductIDSet.range.contains(id) else { return false }
    return try integer("SELECT 1 FROM product WHERE id = ?", .integer(id)) == nil
  }

  private func keys(
    of names: [String], among pictures: [String: PreparedPicture], tally: inout ImportTally
  ) throws(DatabaseError) -> [Int64] {
    var keys: [Int64] = []
    for name in names {
      if let key = tally.pictures[name] {
        keys.append(key)
      } else if let picture = pictures[name] {
        let key = try keep(picture)
        tally.pictures[name] = key
        let hash = ContentHash.of(picture.bytes)
        tally.pictureNames[name] = Picture(number: key, hash: hash).original
        keys.append(key)
      } else if let hash = Picture(original: name, thumbnail: name).hash(of: .original),
        let key = try integer("SELECT id FROM picture WHERE hash = ?", .blob(hash))
      {
        tally.pictures[name] = key
        keys.append(key)
      }
    }
    return keys
  }
}
