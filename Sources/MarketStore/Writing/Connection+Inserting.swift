import MarketModel
import SQLiteKit

extension Connection {
  /// Inserts a product with all that belongs to it.
  func insert(
    _ record: ProductRecord, grams: ProductGrams
  ) throws(DatabaseError) -> Product.ID {
    try run(
      """
      INSERT INTO product
        (seller, name, currency, price, discount, percent, stock, created, changed, thumbnail,
         password)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9, ?10)
      """,
      [
        .integer(record.seller.id.rawValue), .text(record.name),
        .text(record.price.currency.rawValue), .integer(record.price.full.hundredths),
        .integer(record.price.discountHundredths), .integer(Int64(record.price.discountPercent)),
        .integer(record.stock), .integer(record.created), .integer(orNull: record.pictures.first),
        .integer(record.password),
      ])
    let id = lastInsertedKey
    try run(
      "INSERT INTO product_text (product, description) VALUES (?, ?)",
      .integer(id), .text(record.description))
    try run("UPDATE password SET uses = uses + 1 WHERE id = ?", .integer(record.password))
    try attach(record.pictures, to: id)
    try count(id, state: record.state, by: 1)
    try index(
      id,
      grams.tokens(
        name: record.name, description: record.description,
        seller: (record.seller.id.rawValue, record.seller.name)))
    return Product.ID(rawValue: id)
  }

  /// Makes pictures those of a product, which has none.
  func attach(_ pictures: [Int64], to product: Int64) throws(DatabaseError) {
    for (place, picture) in pictures.enumerated() {
      try run(
        "INSERT INTO product_picture (product, place, picture) VALUES (?, ?, ?)",
        .integer(product), .integer(Int64(place)), .integer(picture))
      try run("UPDATE picture SET uses = uses + 1 WHERE id = ?", .integer(picture))
    }
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
