import MarketModel
import SQLiteKit
import SafeTextKit

/// The products that are kept, over one connection, at one moment; every call that writes stands in a
/// transaction.
struct FavoriteProductTable {
  /// Products that can be kept, of all markets together.
  static let limit: Int64 = 100_000
  /// Of so many of the latest a picture is kept.
  static let pictureLimit: Int64 = 4_000
  /// So many of the latest are looked at where markets are asked what became of them.
  static let maxLatest: Int64 = 2_000
  /// Bytes of the longest picture, description and other text.
  static let maxPictureSize = 64 << 10
  static let maxDescriptionLength = 8 << 10
  static let maxTextLength = 4 << 10
  /// Seconds for which what was let go of can be taken back.
  static let restoreSeconds: Int64 = 24 * 60 * 60

  let connection: SQLiteConnection
  let now: Int64

  private static let columns = """
    k.id, m.place, km.name, km.place, k.product, k.kept, k.seen, k.gone, k.seller, k.seller_name,
    k.name, k.price, k.discount, k.currency, k.stock, k.created, k.changed, k.by_day,
    k.picture_number, k.picture_original, k.picture_thumbnail, k.note,
    EXISTS (SELECT 1 FROM kept_picture p WHERE p.kept = k.id), k.description
    """
  private static let tables = """
    kept_product k JOIN market m ON m.id = k.market LEFT JOIN kept_market km ON km.market = k.market
    """

  // MARK: Reading

  func marks(of market: Int64) throws(DatabaseError) -> Set<Product.ID> {
    Set(
      try connection.all(
        "SELECT product FROM kept_product WHERE market = ? AND dropped IS NULL LIMIT ?",
        [.integer(market), .integer(Self.limit)]
      ) { row in Product.ID(rawValue: row.integer(0)) })
  }

  /// The numbers of what all of these patterns fit, the latest first.
  func list(of patterns: [String]) throws(DatabaseError) -> [FavoriteID] {
    let condition = FavoriteSearchTerms.condition(
      count: patterns.count, columns: ["words", "note_words", "description_words"])
    return try connection.all(
      """
      SELECT id FROM kept_product WHERE dropped IS NULL\(condition) ORDER BY id DESC LIMIT \(Self.limit)
      """, patterns.map { .text($0) }
    ) { row in FavoriteID(rawValue: row.integer(0)) }
  }

  func product(_ id: FavoriteID) throws(DatabaseError) -> FavoriteProduct? {
    try connection.first(
      "SELECT \(Self.columns) FROM \(Self.tables) WHERE k.id = ? AND k.dropped IS NULL",
      [.integer(id.rawValue)]
    ) { row in Self.read(row) }
  }

  func product(
    _ product: Product.ID, in market: MarketKey
  ) throws(DatabaseError) -> FavoriteProduct? {
    try connection.first(
      """
      SELECT \(Self.columns) FROM \(Self.tables)
      WHERE m.place = ? AND k.product = ? AND k.dropped IS NULL
      """, [.text(market.rawValue), .integer(product.rawValue)]
    ) { row in Self.read(row) }
  }

  func picture(of id: FavoriteID) throws(DatabaseError) -> [UInt8]? {
    try connection.first(
      "SELECT bytes FROM kept_picture WHERE kept = ?", [.integer(id.rawValue)]
    ) { row in row.bytes(0, atMost: Self.maxPictureSize) } ?? nil
  }

  /// Of the products that were kept last, so many of each market.
  func latest(ofEach limit: Int) throws(DatabaseError) -> [FavoriteMarket: [Product.ID]] {
    let latest = try connection.all(
      """
      SELECT market, product FROM kept_product WHERE dropped IS NULL ORDER BY id DESC LIMIT ?
      """, [.integer(Self.maxLatest)]
    ) { row in (market: row.integer(0), product: Product.ID(rawValue: row.integer(1))) }
    var products: [FavoriteMarket: [Product.ID]] = [:]
    for (id, ofMarket) in Dictionary(grouping: latest, by: \.market) {
      let market = try connection.first(
        """
        SELECT m.place, km.name, km.place FROM market m JOIN kept_market km ON km.market = m.id
        WHERE m.id = ?
        """, [.integer(id)]
      ) { row in FavoriteMarket.read(row, from: 0) }
      if let market { products[market] = ofMarket.prefix(max(0, limit)).map(\.product) }
    }
    return products
  }

  // MARK: Keeping

  func add(
    _ product: Product, description: String?, of market: FavoriteMarket
  ) throws(DatabaseError) -> FavoriteResult {
    try forgetDropped()
    let count =
      try connection.integer(
        "SELECT count(*) FROM kept_product WHERE dropped IS NULL") ?? 0
    guard count < Self.limit else { return .full }
    let id = try MarketTable(connection).findOrAdd(market)
    try connection.run(
      """
      INSERT INTO kept_product (market, product, kept, seen, seller, seller_name, name, discount,
        currency, stock, created, changed, by_day, words)
      VALUES (?1, ?2, ?3, ?3, 0, '', '', 0, '', 0, 0, 0, 0, '')
      ON CONFLICT (market, product) DO UPDATE SET
        kept = CASE WHEN dropped IS NULL THEN kept ELSE excluded.kept END, dropped = NULL
      """, .integer(id), .integer(product.id.rawValue), .integer(now))
    try takeOver(product, in: id)
    if let description { try takeOver(description, of: product.id, in: id) }
    return .added
  }

  /// Takes over how a product is now; false where it is not kept.
  @discardableResult
  func takeOver(_ product: Product, in market: Int64) throws(DatabaseError) -> Bool {
    let price = product.pricing.price
    let name = product.name.prefix(bytes: Self.maxTextLength)
    let seller = product.seller.name.prefix(bytes: Self.maxTextLength)
    let picture = product.thumbnail.flatMap { picture in
      max(picture.original.utf8.count, picture.thumbnail.utf8.count) <= Self.maxTextLength
        ? picture : nil
    }
    return try connection.run(
      """
      UPDATE kept_product SET seen = ?, gone = NULL, seller = ?, seller_name = ?, name = ?, price = ?,
        discount = ?, currency = ?, stock = ?, created = ?, changed = ?, by_day = ?,
        picture_number = ?, picture_original = ?, picture_thumbnail = ?, words = ?
      WHERE market = ? AND product = ? AND dropped IS NULL
      """,
      [
        .integer(now), .integer(product.seller.id.rawValue), .text(seller), .text(name),
        .integer(price?.full.hundredths), .integer(price?.discountHundredths ?? 0),
        .text((price?.currency.rawValue ?? "").prefix(bytes: 16)), .integer(product.stock),
        .integer(product.created.seconds), .integer(product.changed.seconds),
        .integer(product.created.precision == .day ? 1 : 0),
        .integer(picture?.number), picture.map { .text($0.original) } ?? .null,
        picture.map { .text($0.thumbnail) } ?? .null,
        .text(FavoriteSearchTerms.lines(of: [name, seller])),
        .integer(market), .integer(product.id.rawValue),
      ]) > 0
  }

  func takeOver(
    _ description: String, of product: Product.ID, in market: Int64
  ) throws(DatabaseError) {
    let text = description.prefix(bytes: Self.maxDescriptionLength)
    try connection.run(
      """
      UPDATE kept_product SET description = ?, description_words = ?
      WHERE market = ? AND product = ? AND dropped IS NULL
      """, .text(text), .text(FavoriteSearchTerms.lines(of: [text])), .integer(market),
      .integer(product.rawValue))
  }

  /// Whether a kept product has a picture that is not kept yet, or another one than is kept.
  func lacksPicture(_ product: Product.ID, in market: Int64) throws(DatabaseError) -> Bool {
    try connection.integer(
      """
      SELECT 1 FROM kept_product k LEFT JOIN kept_picture p ON p.kept = k.id
      WHERE k.market = ? AND k.product = ? AND k.dropped IS NULL
        AND k.picture_thumbnail IS NOT NULL AND k.picture_thumbnail IS NOT p.thumbnail
      """, .integer(market), .integer(product.rawValue)) != nil
  }

  func lose(_ product: Product.ID, in market: Int64) throws(DatabaseError) {
    try connection.run(
      "UPDATE kept_product SET gone = ? WHERE market = ? AND product = ? AND gone IS NULL",
      .integer(now), .integer(market), .integer(product.rawValue))
  }

  func add(
    _ bytes: [UInt8], of product: Product, in market: Int64
  ) throws(DatabaseError) {
    guard let thumbnail = product.thumbnail?.thumbnail, bytes.count <= Self.maxPictureSize,
      let id = try connection.integer(
        "SELECT id FROM kept_product WHERE market = ? AND product = ? AND dropped IS NULL",
        .integer(market), .integer(product.id.rawValue))
    else { return }
    try connection.run(
      "INSERT OR REPLACE INTO kept_picture (kept, thumbnail, bytes) VALUES (?, ?, ?)",
      .integer(id), .text(thumbnail), .blob(bytes))
    try connection.run(
      """
      DELETE FROM kept_picture WHERE kept <= (
        SELECT kept FROM kept_picture ORDER BY kept DESC LIMIT 1 OFFSET ?)
      """, .integer(Self.pictureLimit))
  }

  /// Forgets for good what was let go of long ago.
  private func forgetDropped() throws(DatabaseError) {
    for table in ["kept_product", "kept_seller"] {
      try connection.run(
        "DELETE FROM \(table) WHERE dropped IS NOT NULL AND abs(dropped - ?) > ?", .integer(now),
        .integer(Self.restoreSeconds))
    }
  }

  // MARK: Rows

  private static func read(_ row: Row) -> FavoriteProduct {
    let precision: Timestamp.Precision = row.integer(17) == 0 ? .second : .day
    let product = Product(
      id: Product.ID(rawValue: row.integer(4)),
      seller: Seller(
        id: Seller.ID(rawValue: row.integer(8)), name: row.text(9, atMost: maxTextLength)),
      name: row.text(10, atMost: maxTextLength), pricing: pricing(row),
      stock: max(0, row.integer(14)),
      created: Timestamp(seconds: row.integer(15), precision: precision),
      changed: Timestamp(seconds: row.integer(16), precision: precision),
      thumbnail: row.isNull(20)
        ? nil
        : Picture(
          number: row.isNull(18) ? nil : row.integer(18),
          original: row.text(19, atMost: maxTextLength),
          thumbnail: row.text(20, atMost: maxTextLength))
    )
    return FavoriteProduct(
      id: FavoriteID(rawValue: row.integer(0)), market: .read(row, from: 1), product: product,
      description: row.isNull(23) ? nil : row.text(23, atMost: maxDescriptionLength),
      note: String(row.text(21, atMost: maxTextLength).prefix(FavoriteNoteRules.longest)),
      added: Timestamp(seconds: row.integer(5)), seen: Timestamp(seconds: row.integer(6)),
      gone: row.isNull(7) ? nil : Timestamp(seconds: row.integer(7)),
      hasPicture: row.integer(22) != 0)
  }

  private static func pricing(_ row: Row) -> Pricing {
    guard !row.isNull(11),
      let price = Price(
        full: Money(
          hundredths: row.integer(11), currency: Currency(rawValue: row.text(13, atMost: 16))),
        discountHundredths: row.integer(12))
    else { return .unreadable }
    return .readable(price)
  }
}

/// Words that are looked for in what is kept.
enum FavoriteSearchTerms {
  /// Words of one question; more say no more.
  static let most = 8

  /// Patterns of SQLite's GLOB for words, which find what `SearchedTexts.have(words:)` finds.
  static func patterns(of words: [String]) -> [String] {
    let tokenizer = SearchTokenizer()
    return words.prefix(most).flatMap { word in
      tokenizer.wanted(by: word.prefix(bytes: FavoriteProductTable.maxTextLength)).map { word in
        "*" + LetterPattern.letters(of: word).map(pattern(of:)).joined() + "*"
      }
    }
  }

  private static func pattern(of letter: LetterPattern) -> String {
    if let syllables = letter.syllables {
      return "[\(letter.alone)\(syllables.lowerBound)-\(syllables.upperBound)]"
    }
    let hasMeaning = "*?[".unicodeScalars.contains(letter.alone)
    return hasMeaning ? "[\(letter.alone)]" : String(letter.alone)
  }

  /// Texts as words are looked for in them.
  static func lines(of texts: [String]) -> String {
    texts.map(SearchTokenizer().line(of:)).joined(separator: "\n")
  }

  /// Makes all texts anew that words are looked for in, since an older version has made them in another
  /// way.
  static func renew(over connection: SQLiteConnection) throws(DatabaseError) {
    try renew(
      "kept_product",
      texts: [
        "words": ["name", "seller_name"], "note_words": ["note"],
        "description_words": ["description"],
      ], over: connection)
    try renew("kept_seller", texts: ["words": ["name"], "note_words": ["note"]], over: connection)
  }

  private static func renew(
    _ table: String, texts: [String: [String]], over connection: SQLiteConnection
  ) throws(DatabaseError) {
    let ids = try connection.all("SELECT id FROM \(table)") { row in row.integer(0) }
    for (column, sources) in texts {
      for id in ids {
        let texts = try connection.first(
          "SELECT \(sources.joined(separator: ", ")) FROM \(table) WHERE id = ? AND \(sources[0]) <> ''",
          [.integer(id)]
        ) { row in
          sources.indices.map {
            row.text(Int32($0), atMost: FavoriteProductTable.maxDescriptionLength)
          }
        }
        guard let texts else { continue }
        try connection.run(
          "UPDATE \(table) SET \(column) = ? WHERE id = ?", .text(lines(of: texts)), .integer(id))
      }
    }
  }

  /// A condition that each of so many patterns fits one of the columns.
  static func condition(count: Int, columns: [String]) -> String {
    (0..<count).map { index in
      " AND (" + columns.map { "\($0) GLOB ?\(index + 1)" }.joined(separator: " OR ") + ")"
    }.joined()
  }
}

extension FavoriteMarket {
  private static let longest = 4 << 10

  /// Reads key, name and place from three columns.
  static func read(_ row: Row, from column: Int32) -> FavoriteMarket {
    FavoriteMarket(
      key: MarketKey(rawValue: row.text(column, atMost: MarketKey.longest)),
      name: row.isNull(column + 1) ? nil : row.text(column + 1, atMost: longest),
      location: row.isNull(column + 2) ? nil : row.text(column + 2, atMost: longest))
  }
}

extension MarketTable {
  /// The number of a market, whose name and place are taken over.
  func findOrAdd(_ market: FavoriteMarket) throws(DatabaseError) -> Int64 {
    let id = try findOrAdd(market.key)
    try connection.run(
      "INSERT OR REPLACE INTO kept_market (market, name, place) VALUES (?, ?, ?)",
      .integer(id), market.name.map { .text($0) } ?? .null,
      market.location.map { .text($0) } ?? .null)
    return id
  }
}

extension String {
  /// The beginning of at most so many bytes, which ends between two characters.
  func prefix(bytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var end = utf8.index(startIndex, offsetBy: limit)
    while end > startIndex, end.samePosition(in: self) == nil { utf8.formIndex(before: &end) }
    return String(self[..<end])
  }
}
