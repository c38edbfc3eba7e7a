import MarketModel
import StoreCore

/// Writer of products: inserts, changes and deletes them with all that belongs to them.
package struct ProductChanges: ProductWriting {
  /// What is known of a new product before its number, its password's and its pictures'.
  private static let plain = ProductColumn.inserted.without("id").without("thumbnail")
    .without("password")
  private static let insertion = """
    WITH kept AS (
      INSERT INTO password (hash, uses) VALUES ($\(plain.all.count + 1), 1) RETURNING id)
    INSERT INTO product (\(plain.names), thumbnail, password)
    SELECT \(plain.marks(from: 1)),
      (SELECT id FROM picture WHERE hash = $\(plain.all.count + 2)), kept.id
    FROM kept RETURNING id
    """
  private static let insertionOfTexts = """
    INSERT INTO product_text (product, \(ProductColumn.insertedTexts.names))
    VALUES ($1, \(ProductColumn.insertedTexts.marks(from: 2)))
    """
  private static let change = """
    UPDATE product SET \(ProductColumn.changed.assignments), version = version + 1
    WHERE id = $\(ProductColumn.changed.all.count + 1)
    """
  private static let changeOfTexts = """
    UPDATE product_text SET \(ProductColumn.changedTexts.assignments)
    WHERE product = $\(ProductColumn.changedTexts.all.count + 1)
    """

  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  /// The statement that inserts a product with its password's hash and gives its number; what it refers
  /// to has to be there, and the rest follows.
  ///
  /// `thumbnail` is the hash of the first picture, nil for none.
  static func inserting(
    _ product: StoredProduct, passwordHash: String, thumbnail: [UInt8]?
  ) -> PostgresStatement {
    PostgresStatement(
      insertion, plain.values(of: product) + [.text(passwordHash), .bytes(thumbnail)])
  }

  /// Adds what a product has beside its row.
  func complete(_ id: Int64, _ product: StoredProduct, _ text: SearchableText)
    throws(PostgresError)
  {
    try connection.post(
      Self.insertionOfTexts, [.integer(id)] + ProductColumn.insertedTexts.values(of: product))
    try Pictures(connection).attach(product.pictures, to: id)
    let id = Product.ID(rawValue: id)
    try index(id, text)
    try BlockCounts(connection).count(id, from: nil, to: product.state)
  }

  /// Keeps a password's hash, for one product, and gives its key.
  func keep(passwordHash: String) throws(PostgresError) -> Int64 {
    try connection.key(
      "INSERT INTO password (hash, uses) VALUES ($1, 1) RETURNING id", [.text(passwordHash)])
  }

  /// Makes a product findable by its words.
  func index(_ product: Product.ID, _ text: SearchableText) throws(PostgresError) {
    try connection.post(
      """
      INSERT INTO product_search (product, words, grams) VALUES ($1, $2, $3)
      ON CONFLICT (product) DO UPDATE SET words = excluded.words, grams = excluded.grams
      """, [.integer(product.rawValue), .text(text.words), .hashes(text.grams)])
  }

  package func apply(
    _ patch: ProductPatch, to old: ProductDetail, files: [StoredPicture], now: Int64,
    tokenizer: SearchTokenizer
  ) throws(PostgresError) -> ProductDetail? {
    var new = old
    new.change(by: patch)
    try update(old, to: new, now: now)
    if let change = patch.pictures { try replacePictures(of: old, by: change, files: files) }
    let text = SearchableText(new, tokenizer: tokenizer)
    if text != SearchableText(old, tokenizer: tokenizer) { try index(old.id, text) }
    try BlockCounts(connection).count(
      old.id, from: old.product.state, to: new.product.state)
    // Its version is the next one.
    let version = old.version.flatMap { Int64($0.rawValue) } ?? 0
    let next = StoredNumbers.count(version + (new.product.pricing.price == nil ? 0 : 1))
    try LogTable(connection).note(.changed, old.id, version: next, of: old.product.seller.id)
    return try ProductQueries(connection).committedDetail(of: old.id)
  }

  private func update(
    _ old: ProductDetail, to new: ProductDetail, now: Int64
  ) throws(PostgresError) {
    let id = PostgresValue.integer(old.id.rawValue)
    let (before, after) = (StoredProduct(old, changed: now), StoredProduct(new, changed: now))
    if new.product.pricing.price != nil {
      try connection.post(Self.change, ProductColumn.changed.values(of: after) + [id])
    }
    if !ProductColumn.changedTexts.areSame(before, after) {
      try connection.post(Self.changeOfTexts, ProductColumn.changedTexts.values(of: after) + [id])
    }
  }

  private func replacePictures(
    of old: ProductDetail, by change: ProductPatch.Pictures, files: [StoredPicture]
  ) throws(PostgresError) {
    let (pictures, id) = (Pictures(connection), old.id.rawValue)
    var new = try pictures.keep(files)[...]
    let keys = change.keys(over: old.pictures, files: files) { _ in new.popFirst() ?? 0 }
    try connection.post("DELETE FROM product_picture WHERE product = $1", [.integer(id)])
    try pictures.attach(keys, to: id)
    try connection.post(
      "UPDATE product SET thumbnail = $1 WHERE id = $2", [.integer(keys.first), .integer(id)])
    try pictures.use(keys)
    try pictures.release(old.pictures.compactMap(\.number))
  }

  package func setPassword(of id: Product.ID, toHash hash: String) throws(PostgresError) {
    let old = try connection.key(
      "SELECT password FROM product WHERE id = $1", [.integer(id.rawValue)])
    try connection.post(
      "UPDATE product SET password = $1 WHERE id = $2",
      [.integer(try keep(passwordHash: hash)), .integer(id.rawValue)])
    try releasePassword(old)
  }

  /// Takes a product off those that share a password, which goes with the last of them.
  private func releasePassword(_ password: Int64) throws(PostgresError) {
    try connection.post("UPDATE password SET uses = uses - 1 WHERE id = $1", [.integer(password)])
    try connection.post("DELETE FROM password WHERE id = $1 AND uses = 0", [.integer(password)])
  }

  package func delete(_ detail: ProductDetail, tokenizer: SearchTokenizer) throws(PostgresError) {
    let id = detail.id.rawValue
    try releasePassword(
      try connection.key("DELETE FROM product WHERE id = $1 RETURNING password", [.integer(id)]))
    try Pictures(connection).release(detail.pictures.compactMap(\.number))
    try BlockCounts(connection).count(detail.id, from: detail.product.state, to: nil)
  }
}

extension ProductColumns {
  /// The parameters of their values, `$1`, `$2` and so on.
  func marks(from first: Int) -> String {
    all.indices.map { "$\($0 + first)" }.joined(separator: ", ")
  }

  fileprivate var assignments: String {
    all.enumerated().map { "\($1.name) = $\($0 + 1)" }.joined(separator: ", ")
  }

  /// What the columns hold of a product.
  fileprivate func values(of product: StoredProduct) -> [PostgresValue] {
    all.map { column in
      switch column.content {
      case .integer(let get, _): .integer(get(product))
      case .text(_, let get, _): .text(get(product))
      case .bytes(_, let get, _): .bytes(get(product))
      }
    }
  }

  /// What the columns hold of many products, column by column, as `unnest` takes them.
  func arrays(of products: [StoredProduct]) -> [PostgresValue] {
    all.map { column in
      switch column.content {
      case .integer(let get, _): .integers(products.map(get))
      case .text(_, let get, _): .texts(products.map(get))
      case .bytes(_, let get, _): .blobs(products.map(get))
      }
    }
  }
}

/// Rows of several tables, column by column, as few statements take them.
struct ProductRows {
  private static let products = """
    INSERT INTO product (\(ProductColumn.inserted.names))
    SELECT \(ProductColumn.inserted.names)
    FROM unnest(\(ProductColumn.inserted.marks(from: 1)))
      AS listed (\(ProductColumn.inserted.names))
    """
  private static let texts = """
    INSERT INTO product_text (product, \(ProductColumn.insertedTexts.names))
    SELECT * FROM unnest($1, \(ProductColumn.insertedTexts.marks(from: 2)))
    """

  /// With their numbers.
  private var rows: [StoredProduct] = []
  private var pictureProducts: [Int64] = []
  private var picturePlaces: [Int64] = []
  private var pictures: [Int64] = []
  private var words: [String] = []
  /// The text form of an array each.
  private var grams: [String] = []

  mutating func append(_ product: StoredProduct, _ text: SearchableText) {
    rows.append(product)
    for (cursor, picture) in product.pictures.enumerated() {
      pictureProducts.append(product.id ?? 0)
      picturePlaces.append(Int64(cursor))
      pictures.append(picture)
    }
    words.append(text.words)
    grams.append(text.arrayText)
  }

  var statements: [(sql: String, values: [PostgresValue])] {
    let ids = PostgresValue.integers(rows.map(\.id))
    return [
      (Self.products, ProductColumn.inserted.arrays(of: rows)),
      (Self.texts, [ids] + ProductColumn.insertedTexts.arrays(of: rows)),
      (
        "INSERT INTO product_picture (product, place, picture) SELECT * FROM unnest($1, $2, $3)",
        [.integers(pictureProducts), .integers(picturePlaces), .integers(pictures)]
      ),
      (
        """
        INSERT INTO product_search (product, words, grams)
        SELECT product, words, grams::integer[]
        FROM unnest($1, $2, $3) AS listed (product, words, grams)
        """, [ids, .texts(words), .texts(grams)]
      ),
    ]
  }
}
