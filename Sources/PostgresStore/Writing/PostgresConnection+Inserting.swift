import MarketModel
import StoreCore

/// A new product as it goes into the tables; everything it refers to is there already.
struct NewProduct {
  var seller: Seller.ID
  var draft: RegistrationDraft
  /// Seconds since 1970.
  var created: Int64
  /// Keys of its pictures, in order.
  var pictures: [Int64]
  /// Key of its password's hash.
  var password: Int64
}

extension PostgresConnection {
  /// Inserts a product with its text; the rest follows.
  func insert(_ record: NewProduct) throws(PostgresError) -> Product.ID {
    let id = try key(
      """
      INSERT INTO product
        (seller, name, currency, price, discount, percent, stock, created, changed, thumbnail,
         password)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10) RETURNING id
      """,
      [
        .integer(record.seller.rawValue), .text(record.draft.name),
        .text(record.draft.price.currency.rawValue), .integer(record.draft.price.full.hundredths),
        .integer(record.draft.price.discountHundredths),
        .integer(Int64(record.draft.price.discountPercent)),
        .integer(record.draft.stock), .integer(record.created), .integer(record.pictures.first),
        .integer(record.password),
      ])
    try post(
      "INSERT INTO product_text (product, description) VALUES ($1, $2)",
      [.integer(id), .text(record.draft.description)])
    try attach(record.pictures, to: id)
    return Product.ID(rawValue: id)
  }

  /// Makes pictures those of a product that has none; `use(_:)` counts that.
  func attach(_ pictures: [Int64], to product: Int64) throws(PostgresError) {
    try post(
      """
      INSERT INTO product_picture (product, place, picture)
      SELECT $1, place - 1, picture
      FROM unnest($2) WITH ORDINALITY AS listed (picture, place)
      """, [.integer(product), .integers(pictures)])
  }

  /// Keeps a password's hash, for one product.
  ///
  /// - Returns: its key.
  func keep(passwordHash: String) throws(PostgresError) -> Int64 {
    try key("INSERT INTO password (hash, uses) VALUES ($1, 1) RETURNING id", [.text(passwordHash)])
  }

  /// Makes a product findable by its words.
  func index(_ product: Product.ID, _ text: SearchableText) throws(PostgresError) {
    try post(
      """
      INSERT INTO product_search (product, words, grams) VALUES ($1, $2, $3)
      ON CONFLICT (product) DO UPDATE SET words = excluded.words, grams = excluded.grams
      """, [.integer(product.rawValue), .text(text.words), .hashes(text.grams)])
  }

  /// Runs a statement that returns one key.
  func key(_ sql: String, _ values: [PostgresValue]) throws(PostgresError) -> Int64 {
    try run(sql, values).first?.integer(0) ?? 0
  }
}
