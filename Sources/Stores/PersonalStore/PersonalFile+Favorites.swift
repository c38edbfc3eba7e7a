import MarketModel
import SQLiteKit
import SafeTextKit

/// What is kept is on the disk when the call that keeps it returns; how it was seen last may wait for
/// the next note.
extension PersonalFile {
  /// Products that are looked up or taken over at once.
  private static let maxAtOnce = 1_000

  package func favoriteMarks(of market: MarketKey) -> FavoriteMarks {
    reading { connection, now throws(DatabaseError) in
      guard let market = try MarketTable(connection).find(market) else { return FavoriteMarks() }
      return FavoriteMarks(
        products: try FavoriteProductTable(connection: connection, now: now).marks(of: market),
        sellers: try FavoriteSellerTable(connection: connection, now: now).marks(of: market))
    } ?? FavoriteMarks()
  }

  // MARK: Keeping

  package func add(
    _ product: Product, description: String?, of market: FavoriteMarket
  ) -> FavoriteResult {
    writing(survivingPowerLoss: true) { connection, now throws(DatabaseError) in
      try FavoriteProductTable(connection: connection, now: now)
        .add(product, description: description, of: market)
    } ?? .failed
  }

  package func add(
    _ seller: Seller, by product: Product.ID, of market: FavoriteMarket
  ) -> FavoriteResult {
    writing(survivingPowerLoss: true) { connection, now throws(DatabaseError) in
      try FavoriteSellerTable(connection: connection, now: now).add(seller, by: product, of: market)
    } ?? .failed
  }

  package func remove(_ key: FavoriteKey) -> Bool {
    change(key, "dropped = ?3", with: { .integer($0) })
  }

  package func restore(_ key: FavoriteKey) -> Bool {
    change(key, "dropped = ?3", with: { _ in .null })
  }

  package func write(_ note: String, to key: FavoriteKey) -> Bool {
    let note = String(note.prefix(FavoriteNoteRules.longest)).prefix(
      bytes: FavoriteProductTable.maxTextLength)
    return change(
      key, "noted = ?3, note = ?4, note_words = ?5", with: { .integer($0) }, .text(note),
      .text(FavoriteSearchTerms.lines(of: [note])))
  }

  /// Changes the row of a product or seller; what is changed stands in `values`, of which the first one
  /// may depend on the time.
  private func change(
    _ key: FavoriteKey, _ change: String, with value: (Int64) -> SQLValue, _ more: SQLValue...
  ) -> Bool {
    let changed = writing(survivingPowerLoss: true) { connection, now throws(DatabaseError) in
      guard let market = try MarketTable(connection).find(key.market) else { return 0 }
      let (table, column, id) = key.thing.location
      return try connection.run(
        "UPDATE \(table) SET \(change) WHERE market = ?1 AND \(column) = ?2",
        [.integer(market), .integer(id), value(now)] + more)
    }
    return changed.map { $0 > 0 } ?? false
  }

  // MARK: Showing

  package func favoriteList(of words: [String]) -> FavoriteList {
    let patterns = FavoriteSearchTerms.patterns(of: words)
    return reading { connection, now throws(DatabaseError) in
      FavoriteList(
        products: try FavoriteProductTable(connection: connection, now: now).list(of: patterns),
        sellers: try FavoriteSellerTable(connection: connection, now: now).list(of: patterns))
    } ?? FavoriteList()
  }

  package func favoriteProducts(_ ids: [FavoriteID]) -> [FavoriteProduct] {
    reading { connection, now throws(DatabaseError) in
      let favorite = FavoriteProductTable(connection: connection, now: now)
      var products: [FavoriteProduct] = []
      for id in ids.prefix(Self.maxAtOnce) {
        if let product = try favorite.product(id) { products.append(product) }
      }
      return products
    } ?? []
  }

  package func favoriteSellers(_ ids: [FavoriteID]) -> [FavoriteSeller] {
    reading { connection, now throws(DatabaseError) in
      let favorite = FavoriteSellerTable(connection: connection, now: now)
      var sellers: [FavoriteSeller] = []
      for id in ids.prefix(Self.maxAtOnce) {
        if let seller = try favorite.seller(id) { sellers.append(seller) }
      }
      return sellers
    } ?? []
  }

  package func favoriteProduct(_ id: Product.ID, in market: MarketKey) -> FavoriteProduct? {
    reading { connection, now throws(DatabaseError) in
      try FavoriteProductTable(connection: connection, now: now).product(id, in: market)
    } ?? nil
  }

  package func favoritePicture(of id: FavoriteID) -> [UInt8]? {
    reading { connection, now throws(DatabaseError) in
      try FavoriteProductTable(connection: connection, now: now).picture(of: id)
    } ?? nil
  }

  package func latestFavorites(ofEach limit: Int) -> [FavoriteMarket: [Product.ID]] {
    reading { connection, now throws(DatabaseError) in
      try FavoriteProductTable(connection: connection, now: now).latest(ofEach: limit)
    } ?? [:]
  }

  // MARK: Seeing

  package func didSeeFavorites(_ products: [Product], in market: MarketKey) -> [Product.ID] {
    writing { connection, now throws(DatabaseError) in
      guard let market = try MarketTable(connection).find(market) else { return [] }
      let favorite = FavoriteProductTable(connection: connection, now: now)
      var lacking: [Product.ID] = []
      for product in products.prefix(Self.maxAtOnce)
      where try favorite.takeOver(product, in: market) {
        if try favorite.lacksPicture(product.id, in: market) { lacking.append(product.id) }
      }
      return lacking
    } ?? []
  }

  package func didSeeFavorites(
    _ description: String, of product: Product.ID, in market: MarketKey
  ) {
    _ = writing { connection, now throws(DatabaseError) in
      guard let market = try MarketTable(connection).find(market) else { return }
      try FavoriteProductTable(connection: connection, now: now)
        .takeOver(description, of: product, in: market)
    }
  }

  package func didLoseFavorites(_ products: [Product.ID], in market: MarketKey) {
    _ = writing { connection, now throws(DatabaseError) in
      guard let market = try MarketTable(connection).find(market) else { return }
      let favorite = FavoriteProductTable(connection: connection, now: now)
      for product in products.prefix(Self.maxAtOnce) { try favorite.lose(product, in: market) }
    }
  }

  package func add(_ picture: [UInt8], of product: Product, in market: MarketKey) {
    _ = writing { connection, now throws(DatabaseError) in
      guard let market = try MarketTable(connection).find(market) else { return }
      try FavoriteProductTable(connection: connection, now: now).add(
        picture, of: product, in: market)
    }
  }
}

extension PersonalFile {
  private func reading<Answer>(
    _ body: (SQLiteConnection, Int64) throws(DatabaseError) -> Answer
  ) -> Answer? {
    let now = now().seconds
    return read { connection throws(DatabaseError) in try body(connection, now) }
  }

  private func writing<Answer>(
    survivingPowerLoss isUrgent: Bool = false,
    _ body: (SQLiteConnection, Int64) throws(DatabaseError) -> Answer
  ) -> Answer? {
    let now = now().seconds
    return write(survivingPowerLoss: isUrgent) { connection throws(DatabaseError) in
      try body(connection, now)
    }
  }
}

extension FavoriteKey.Subject {
  /// The table, the column of the number in the market, and that number.
  fileprivate var location: (table: String, column: String, id: Int64) {
    switch self {
    case .product(let id): ("kept_product", "product", id.rawValue)
    case .seller(let id): ("kept_seller", "seller", id.rawValue)
    }
  }
}
