import MarketModel
import SQLiteKit
import StoreCore

extension Connection {
  /// Inserts a product with all that belongs to it.
  func insert(
    _ record: ProductRecord, grams: ProductGrams
  ) throws(DatabaseError) -> Product.ID {
    let tokens = grams.tokens(
      name: record.name, description: record.description,
      seller: (record.seller.id.rawValue, record.seller.name))
    var tally = ProductTally()
    let id = try insert(record, tokens: tokens, counting: &tally)
    try self.record(tally)
    return Product.ID(rawValue: id)
  }

  /// Inserts a product that is still to be counted.
  ///
  /// - Parameters:
  ///   - record: the product; where its number is taken it gets the next one.
  ///   - tokens: what it is found by.
  ///   - tally: what counts it.
  /// - Returns: its number.
  /// - Throws: what the database answered.
  func insert(
    _ record: ProductRecord, tokens: String, counting tally: inout ProductTally
  ) throws(DatabaseError) -> Int64 {
    if try !insertRow(record, id: record.id) { _ = try insertRow(record, id: nil) }
    let id = lastInsertedKey
    try run(
      "INSERT INTO product_text (product, description) VALUES (?, ?)",
      .integer(id), .text(record.description))
    try place(record.pictures, in: id)
    try index(id, tokens)
    tally.count(record, id: id)
    return id
  }

  /// - Returns: whether the number was free.
  private func insertRow(_ record: ProductRecord, id: Int64?) throws(DatabaseError) -> Bool {
    try run(
      """
      INSERT INTO product
        (id, seller, name, currency, price, discount, percent, stock, created, changed, version,
         thumbnail, password)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
      """,
      [
        .integer(orNull: id), .integer(record.seller.id.rawValue), .text(record.name),
        .text(record.price.currency.rawValue), .integer(record.price.full.hundredths),
        .integer(record.price.discountHundredths), .integer(Int64(record.price.discountPercent)),
        .integer(record.stock), .integer(record.created), .integer(record.changed),
        .integer(record.version), .integer(orNull: record.pictures.first),
        .integer(record.password),
      ]) > 0
  }

  /// Makes pictures those of a product, which has none.
  func attach(_ pictures: [Int64], to product: Int64) throws(DatabaseError) {
    try place(pictures, in: product)
    for picture in pictures {
      try run("UPDATE picture SET uses = uses + 1 WHERE id = ?", .integer(picture))
    }
  }

  private func place(_ pictures: [Int64], in product: Int64) throws(DatabaseError) {
    for (place, picture) in pictures.enumerated() {
      try run(
        "INSERT INTO product_picture (product, place, picture) VALUES (?, ?, ?)",
        .integer(product), .integer(Int64(place)), .integer(picture))
    }
  }

  /// Whether the last number of a table was given, as only a forged file says; SQLite then reports
  /// that the file is full.
  var hasSpentNumbers: Bool {
    let spent = try? integer(
      "SELECT 1 FROM sqlite_sequence WHERE seq > ?", .integer(StoredNumbers.counts.upperBound))
    return spent != nil
  }

  /// Keeps a picture's file unless it is there already.
  ///
  /// - Returns: its key.
  func keep(_ picture: PreparedPicture) throws(DatabaseError) -> Int64 {
    let hash = SQLValue.blob(ContentHash.of(picture.bytes))
    if let known = try integer("SELECT id FROM picture WHERE hash = ?", hash) { return known }
    try run("INSERT INTO picture (hash) VALUES (?)", hash)
    let key = lastInsertedKey
    try run(
      "INSERT INTO picture_file (picture, thumbnail, original) VALUES (?, ?, ?)",
      .integer(key), .blob(picture.thumbnail), .blob(picture.bytes))
    return key
  }

  /// Keeps a password's hash.
  ///
  /// - Returns: its key.
  func keep(passwordHash: String) throws(DatabaseError) -> Int64 {
    try run("INSERT INTO password (hash) VALUES (?)", .text(passwordHash))
    return lastInsertedKey
  }

  /// Makes a product findable by its tokens.
  func index(_ product: Int64, _ tokens: String) throws(DatabaseError) {
    try run(
      "INSERT INTO product_search (rowid, grams) VALUES (?, ?)", .integer(product), .text(tokens))
  }

  /// Takes the tokens that a product was indexed by out of the index.
  func unindex(_ product: Int64, _ tokens: String) throws(DatabaseError) {
    try run(
      "INSERT INTO product_search (product_search, rowid, grams) VALUES ('delete', ?, ?)",
      .integer(product), .text(tokens))
  }
}
