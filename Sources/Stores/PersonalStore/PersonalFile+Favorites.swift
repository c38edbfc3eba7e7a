import MarketModel
import SQLiteKit
import SafeTextKit

/// Favorite products and sellers.
///
/// Adding, changing and removing a favorite is fsynced before the call returns; how a product was last
/// seen is on disk with a later checkpoint.
extension PersonalFile {
  /// Maximum number of pictures; those of the newest favorites stay.
  private static let pictureLimit: Int64 = 4_000
  /// Number of the newest favorites whose current state is requested from markets.
  private static let maxLatest: Int64 = 2_000
  /// Maximum length in bytes of a picture, and of a description below.
  private static let maxPictureSize = 64 << 10
  static let maxDescriptionLength = 8 << 10
  /// Seconds after its removal within which a favorite can be restored.
  static let restoreSeconds: Int64 = 24 * 60 * 60

  package func favoriteMarks(of market: MarketKey) -> FavoriteMarks {
    read { connection throws(StoreError) in
      guard let market = try connection.number(of: market) else { return FavoriteMarks() }
      return FavoriteMarks(
        products: Set(
          try connection.all(
            "SELECT product FROM favorite_product WHERE market = ? AND removed IS NULL LIMIT ?",
            [.integer(market), .integer(limits.products)]
          ) { row in row.product(0) }),
        sellers: Set(
          try connection.all(
            "SELECT seller FROM favorite_seller WHERE market = ? AND removed IS NULL LIMIT ?",
            [.integer(market), .integer(limits.sellers)]
          ) { row in Seller.ID(rawValue: row.integer(0)) }))
    } ?? FavoriteMarks()
  }

  // MARK: Adding

  package func add(
    _ product: Product, description: String?, of market: FavoriteMarket
  ) -> FavoriteResult {
    write(survivingPowerLoss: true) { connection throws(StoreError) in
      let now = now().seconds
      for table in ["favorite_product", "favorite_seller"] {
        try connection.run(
          "DELETE FROM \(table) WHERE removed IS NOT NULL AND abs(removed - ?) > ?", .integer(now),
          .integer(Self.restoreSeconds))
      }
      let count = try connection.integer(
        "SELECT count(*) FROM favorite_product WHERE removed IS NULL")
      guard count ?? 0 < limits.products else { return .full }
      let id = try connection.numberOrNew(of: market)
      try connection.run(
        """
        INSERT INTO favorite_product (market, product, added, seen, seller, seller_name, name, discount,
          currency, stock, created, changed, by_day, words)
        VALUES (?1, ?2, ?3, ?3, 0, '', '', 0, '', 0, 0, 0, 0, '')
        ON CONFLICT (market, product) DO UPDATE SET
          added = CASE WHEN removed IS NULL THEN added ELSE excluded.added END, removed = NULL
        """, .integer(id), .integer(product.id.rawValue), .integer(now))
      try connection.takeOver(product, in: id, at: now)
      if let description { try connection.takeOver(description, of: product.id, in: id) }
      return .added
    } ?? .failed
  }

  package func add(
    _ seller: Seller, by product: Product.ID, of market: FavoriteMarket
  ) -> FavoriteResult {
    write(survivingPowerLoss: true) { connection throws(StoreError) in
      let count = try connection.integer(
        "SELECT count(*) FROM favorite_seller WHERE removed IS NULL")
      guard count ?? 0 < limits.sellers else { return .full }
      let name = seller.name.prefix(bytes: Self.maxTextLength)
      try connection.run(
        """
        INSERT INTO favorite_seller (market, seller, product, added, name, words)
        VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (market, seller) DO UPDATE SET
          added = CASE WHEN removed IS NULL THEN added ELSE excluded.added END, removed = NULL,
          product = excluded.product, name = excluded.name, words = excluded.words
        """,
        .integer(try connection.numberOrNew(of: market)), .integer(seller.id.rawValue),
        .integer(product.rawValue), .integer(now().seconds), .text(name),
        .text(FavoriteSearchTerms.lines(of: [name])))
      return .added
    } ?? .failed
  }

  package func remove(_ key: FavoriteKey) -> Bool {
    change(key, "removed = ?3", .integer(now().seconds))
  }

  package func restore(_ key: FavoriteKey) -> Bool { change(key, "removed = ?3", .null) }

  package func write(_ note: String, to key: FavoriteKey) -> Bool {
    let note = String(note.prefix(FavoriteNoteRules.longest)).prefix(bytes: Self.maxTextLength)
    return change(
      key, "note_changed = ?3, note = ?4, note_words = ?5", .integer(now().seconds), .text(note),
      .text(FavoriteSearchTerms.lines(of: [note])))
  }

  /// Changes the row of a favorite; false where there is none.
  private func change(_ key: FavoriteKey, _ change: String, _ values: SQLValue...) -> Bool {
    let (table, column, id) =
      switch key.thing {
      case .product(let id): ("favorite_product", "product", id.rawValue)
      case .seller(let id): ("favorite_seller", "seller", id.rawValue)
      }
    return write(survivingPowerLoss: true) { connection throws(StoreError) in
      guard let market = try connection.number(of: key.market) else { return false }
      return try connection.run(
        "UPDATE \(table) SET \(change) WHERE market = ?1 AND \(column) = ?2",
        [.integer(market), .integer(id)] + values) > 0
    } ?? false
  }

  // MARK: Showing

  package func favoriteList(of words: [String]) -> FavoriteList {
    let patterns = FavoriteSearchTerms.patterns(of: words)
    return read { connection throws(StoreError) in
      func ids(
        _ table: String, _ limit: Int64, _ columns: [String]
      ) throws(StoreError) -> [FavoriteID] {
        let condition = FavoriteSearchTerms.condition(count: patterns.count, columns: columns)
        return try connection.all(
          """
          SELECT id FROM \(table) WHERE removed IS NULL\(condition) ORDER BY id DESC LIMIT \(limit)
          """, patterns.map { .text($0) }
        ) { row in FavoriteID(rawValue: row.integer(0)) }
      }
      return FavoriteList(
        products: try ids(
          "favorite_product", limits.products, ["words", "note_words", "description_words"]),
        sellers: try ids("favorite_seller", limits.sellers, ["words", "note_words"]))
    } ?? FavoriteList()
  }

  package func favoriteProducts(_ ids: [FavoriteID]) -> [FavoriteProduct] {
    read { connection throws(StoreError) in
      var products: [FavoriteProduct] = []
      for id in ids.prefix(Self.maxAtOnce) {
        products += try connection.favorites("k.id = ?", .integer(id.rawValue))
      }
      return products
    } ?? []
  }

  package func favoriteProduct(_ id: Product.ID, in market: MarketKey) -> FavoriteProduct? {
    read { connection throws(StoreError) in
      try connection.favorites(
        "m.key = ? AND k.product = ?", .text(market.rawValue), .integer(id.rawValue))
    }?.first
  }

  package func favoriteSellers(_ ids: [FavoriteID]) -> [FavoriteSeller] {
    read { connection throws(StoreError) in
      var sellers: [FavoriteSeller] = []
      for id in ids.prefix(Self.maxAtOnce) {
        sellers += try connection.all(
          """
          SELECT k.id, m.key, fm.name, fm.location, k.seller, k.name, k.product, k.note, k.added
          FROM favorite_seller k JOIN market m ON m.id = k.market
            LEFT JOIN favorite_market fm ON fm.market = k.market
          WHERE k.id = ? AND k.removed IS NULL
          """, [.integer(id.rawValue)]
        ) { row in
          FavoriteSeller(
            id: FavoriteID(rawValue: row.integer(0)), market: row.market(from: 1),
            seller: Seller(
              id: Seller.ID(rawValue: row.integer(4)),
              name: row.text(5, atMost: Self.maxTextLength)),
            product: row.product(6), note: row.note(7), added: row.time(8))
        }
      }
      return sellers
    } ?? []
  }

  package func favoritePicture(of id: FavoriteID) -> [UInt8]? {
    read { connection throws(StoreError) in
      try connection.first(
        "SELECT bytes FROM favorite_picture WHERE favorite = ?", [.integer(id.rawValue)]
      ) { row in row.bytes(0, atMost: Self.maxPictureSize) } ?? nil
    } ?? nil
  }

  package func latestFavorites(ofEach limit: Int) -> [FavoriteMarket: [Product.ID]] {
    read { connection throws(StoreError) in
      let latest = try connection.all(
        "SELECT market, product FROM favorite_product WHERE removed IS NULL ORDER BY id DESC LIMIT ?",
        [.integer(Self.maxLatest)]
      ) { row in (market: row.integer(0), product: row.product(1)) }
      var products: [FavoriteMarket: [Product.ID]] = [:]
      for (id, ofMarket) in Dictionary(grouping: latest, by: \.market) {
        let market = try connection.first(
          """
          SELECT m.key, fm.name, fm.location FROM market m JOIN favorite_market fm ON fm.market = m.id
          WHERE m.id = ?
          """, [.integer(id)]
        ) { row in row.market(from: 0) }
        if let market { products[market] = ofMarket.prefix(max(0, limit)).map(\.product) }
      }
      return products
    } ?? [:]
  }

  // MARK: Seeing

  package func didSeeFavorites(_ products: [Product], in market: MarketKey) -> [Product.ID] {
    write { connection throws(StoreError) in
      guard let market = try connection.number(of: market) else { return [] }
      let now = now().seconds
      var lacking: [Product.ID] = []
      for product in products.prefix(Self.maxAtOnce)
      where try connection.takeOver(product, in: market, at: now) {
        // Its picture is not stored, or has changed.
        let lacks = try connection.integer(
          """
          SELECT 1 FROM favorite_product k LEFT JOIN favorite_picture p ON p.favorite = k.id
          WHERE k.market = ? AND k.product = ? AND k.removed IS NULL
            AND k.picture_thumbnail IS NOT NULL AND k.picture_thumbnail IS NOT p.thumbnail
          """, .integer(market), .integer(product.id.rawValue))
        if lacks != nil { lacking.append(product.id) }
      }
      return lacking
    } ?? []
  }

  package func didSeeFavorites(
    _ description: String, of product: Product.ID, in market: MarketKey
  ) {
    write { connection throws(StoreError) in
      guard let market = try connection.number(of: market) else { return }
      try connection.takeOver(description, of: product, in: market)
    }
  }

  package func didLoseFavorites(_ products: [Product.ID], in market: MarketKey) {
    write { connection throws(StoreError) in
      guard let market = try connection.number(of: market) else { return }
      let now = now().seconds
      for product in products.prefix(Self.maxAtOnce) {
        try connection.run(
          "UPDATE favorite_product SET gone = ? WHERE market = ? AND product = ? AND gone IS NULL",
          .integer(now), .integer(market), .integer(product.rawValue))
      }
    }
  }

  package func add(_ picture: [UInt8], of product: Product, in market: MarketKey) {
    guard let thumbnail = product.thumbnail?.thumbnail, picture.count <= Self.maxPictureSize else {
      return
    }
    write { connection throws(StoreError) in
      let id = try connection.integer(
        """
        SELECT k.id FROM favorite_product k JOIN market m ON m.id = k.market
        WHERE m.key = ? AND k.product = ? AND k.removed IS NULL
        """, .text(market.rawValue), .integer(product.id.rawValue))
      guard let id else { return }
      try connection.run(
        "INSERT OR REPLACE INTO favorite_picture (favorite, thumbnail, bytes) VALUES (?, ?, ?)",
        .integer(id), .text(thumbnail), .blob(picture))
      try connection.run(
        """
        DELETE FROM favorite_picture WHERE favorite <= (
          SELECT favorite FROM favorite_picture ORDER BY favorite DESC LIMIT 1 OFFSET ?)
        """, .integer(Self.pictureLimit))
    }
  }
}

extension SQLiteConnection {
  /// Updates the last seen state of a product; false where it is not a favorite.
  @discardableResult
  fileprivate func takeOver(
    _ product: Product, in market: Int64, at now: Int64
  ) throws(StoreError) -> Bool {
    let longest = PersonalFile.maxTextLength
    let price = product.pricing.price
    let name = product.name.prefix(bytes: longest)
    let seller = product.seller.name.prefix(bytes: longest)
    let picture = product.thumbnail.flatMap { picture in
      max(picture.original.utf8.count, picture.thumbnail.utf8.count) <= longest ? picture : nil
    }
    return try run(
      """
      UPDATE favorite_product SET seen = ?, gone = NULL, seller = ?, seller_name = ?, name = ?, price = ?,
        discount = ?, currency = ?, stock = ?, created = ?, changed = ?, by_day = ?,
        picture_number = ?, picture_original = ?, picture_thumbnail = ?, words = ?, category = ?,
        condition = ?, place = ?, reserved = ?
      WHERE market = ? AND product = ? AND removed IS NULL
      """,
      .integer(now), .integer(product.seller.id.rawValue), .text(seller), .text(name),
      .integer(price?.full.hundredths), .integer(price?.discountHundredths ?? 0),
      .text((price?.currency.rawValue ?? "").prefix(bytes: PersonalFile.maxCurrencyLength)),
      .integer(product.stock),
      .integer(product.created.seconds), .integer(product.changed.seconds),
      .integer(product.created.precision == .day ? 1 : 0), .integer(picture?.number),
      .text(picture?.original), .text(picture?.thumbnail),
      .text(FavoriteSearchTerms.lines(of: [name, seller])), .text(product.category?.rawValue),
      .text(product.condition?.rawValue), .text(product.place?.prefix(bytes: longest)),
      .integer(product.isReserved ? 1 : 0), .integer(market), .integer(product.id.rawValue)) > 0
  }

  fileprivate func takeOver(
    _ description: String, of product: Product.ID, in market: Int64
  ) throws(StoreError) {
    let text = description.prefix(bytes: PersonalFile.maxDescriptionLength)
    try run(
      """
      UPDATE favorite_product SET description = ?, description_words = ?
      WHERE market = ? AND product = ? AND removed IS NULL
      """, .text(text), .text(FavoriteSearchTerms.lines(of: [text])), .integer(market),
      .integer(product.rawValue))
  }

  /// The favorite products that meet a condition.
  fileprivate func favorites(
    _ condition: String, _ values: SQLValue...
  ) throws(StoreError) -> [FavoriteProduct] {
    try all(
      """
      SELECT k.id, m.key, fm.name, fm.location, k.product, k.added, k.seen, k.gone, k.seller,
        k.seller_name, k.name, k.price, k.discount, k.currency, k.stock, k.created, k.changed,
        k.by_day, k.picture_number, k.picture_original, k.picture_thumbnail, k.note,
        EXISTS (SELECT 1 FROM favorite_picture p WHERE p.favorite = k.id), k.description, k.category,
        k.condition, k.place, k.reserved
      FROM favorite_product k JOIN market m ON m.id = k.market
        LEFT JOIN favorite_market fm ON fm.market = k.market
      WHERE \(condition) AND k.removed IS NULL
      """, values
    ) { row in FavoriteProduct(row) }
  }
}

extension FavoriteProduct {
  fileprivate init(_ row: Row) {
    let longest = PersonalFile.maxTextLength
    let precision: Timestamp.Precision = row.integer(17) == 0 ? .second : .day
    let price = row.money(11, 13).flatMap {
      Price(full: $0, discountHundredths: row.integer(12))
    }
    let thumbnail = row.text(orNull: 20, atMost: longest).map {
      Picture(
        number: row.integer(orNull: 18), original: row.text(19, atMost: longest), thumbnail: $0)
    }
    var product = Product(
      id: row.product(4),
      seller: Seller(
        id: Seller.ID(rawValue: row.integer(8)), name: row.text(9, atMost: longest)),
      name: row.text(10, atMost: longest), pricing: price.map(Pricing.readable) ?? .unreadable,
      stock: max(0, row.integer(14)),
      created: Timestamp(seconds: row.integer(15), precision: precision),
      changed: Timestamp(seconds: row.integer(16), precision: precision), thumbnail: thumbnail)
    product.category = row.text(orNull: 24, atMost: longest).flatMap(ProductCategory.init)
    product.condition = row.text(orNull: 25, atMost: longest).flatMap(ProductCondition.init)
    product.place = row.text(orNull: 26, atMost: longest)
    product.isReserved = row.integer(27) != 0
    self.init(
      id: FavoriteID(rawValue: row.integer(0)), market: row.market(from: 1), product: product,
      description: row.text(orNull: 23, atMost: PersonalFile.maxDescriptionLength),
      note: row.note(21), added: row.time(5), seen: row.time(6),
      gone: row.integer(orNull: 7).map { Timestamp(seconds: $0) }, hasPicture: row.integer(22) != 0)
  }
}

extension Row {
  fileprivate func note(_ column: Int32) -> String {
    String(text(column, atMost: PersonalFile.maxTextLength).prefix(FavoriteNoteRules.longest))
  }
}
