import MarketModel
import SQLiteKit
import SafeText

/// What is kept is on the disk when the call that keeps it returns; how it was seen last may wait for
/// the next note.
extension PersonalFile {
  /// Products that are looked up or taken over at once.
  private static let mostAtOnce = 1_000

  package func keptMarks(of market: MarketKey) -> KeptMarks {
    reading { connection, now throws(DatabaseError) in
      guard let market = try Markets(connection).find(market) else { return KeptMarks() }
      return KeptMarks(
        products: try KeptProducts(connection: connection, now: now).marks(of: market),
        sellers: try KeptSellers(connection: connection, now: now).marks(of: market))
    } ?? KeptMarks()
  }

  // MARK: Keeping

  package func keep(
    _ product: Product, description: String?, of market: KeptMarket
  ) -> KeepingOutcome {
    writing(survivingPowerLoss: true) { connection, now throws(DatabaseError) in
      try KeptProducts(connection: connection, now: now)
        .keep(product, description: description, of: market)
    } ?? .failed
  }

  package func keep(
    _ seller: Seller, by product: Product.ID, of market: KeptMarket
  ) -> KeepingOutcome {
    writing(survivingPowerLoss: true) { connection, now throws(DatabaseError) in
      try KeptSellers(connection: connection, now: now).keep(seller, by: product, of: market)
    } ?? .failed
  }

  package func letGo(_ key: KeptKey) -> Bool {
    change(key, "dropped = ?3", with: { .integer($0) })
  }

  package func takeBack(_ key: KeptKey) -> Bool {
    change(key, "dropped = ?3", with: { _ in .null })
  }

  package func write(_ note: String, to key: KeptKey) -> Bool {
    let note = String(note.prefix(KeptNote.longest)).prefix(bytes: KeptProducts.longestText)
    return change(
      key, "noted = ?3, note = ?4, note_words = ?5", with: { .integer($0) }, .text(note),
      .text(KeptWords.lines(of: [note])))
  }

  /// Changes the row of a product or seller; what is changed stands in `values`, of which the first one
  /// may depend on the time.
  private func change(
    _ key: KeptKey, _ change: String, with value: (Int64) -> SQLValue, _ more: SQLValue...
  ) -> Bool {
    let changed = writing(survivingPowerLoss: true) { connection, now throws(DatabaseError) in
      guard let market = try Markets(connection).find(key.market) else { return 0 }
      let (table, column, id) = key.thing.place
      return try connection.run(
        "UPDATE \(table) SET \(change) WHERE market = ?1 AND \(column) = ?2",
        [.integer(market), .integer(id), value(now)] + more)
    }
    return changed.map { $0 > 0 } ?? false
  }

  // MARK: Showing

  package func keptList(of words: [String]) -> KeptList {
    let patterns = KeptWords.patterns(of: words)
    return reading { connection, now throws(DatabaseError) in
      KeptList(
        products: try KeptProducts(connection: connection, now: now).list(of: patterns),
        sellers: try KeptSellers(connection: connection, now: now).list(of: patterns))
    } ?? KeptList()
  }

  package func keptProducts(_ ids: [KeptID]) -> [KeptProduct] {
    reading { connection, now throws(DatabaseError) in
      let kept = KeptProducts(connection: connection, now: now)
      var products: [KeptProduct] = []
      for id in ids.prefix(Self.mostAtOnce) {
        if let product = try kept.product(id) { products.append(product) }
      }
      return products
    } ?? []
  }

  package func keptSellers(_ ids: [KeptID]) -> [KeptSeller] {
    reading { connection, now throws(DatabaseError) in
      let kept = KeptSellers(connection: connection, now: now)
      var sellers: [KeptSeller] = []
      for id in ids.prefix(Self.mostAtOnce) {
        if let seller = try kept.seller(id) { sellers.append(seller) }
      }
      return sellers
    } ?? []
  }

  package func keptProduct(_ id: Product.ID, in market: MarketKey) -> KeptProduct? {
    reading { connection, now throws(DatabaseError) in
      try KeptProducts(connection: connection, now: now).product(id, in: market)
    } ?? nil
  }

  package func keptPicture(of id: KeptID) -> [UInt8]? {
    reading { connection, now throws(DatabaseError) in
      try KeptProducts(connection: connection, now: now).picture(of: id)
    } ?? nil
  }

  package func latestKept(ofEach limit: Int) -> [KeptMarket: [Product.ID]] {
    reading { connection, now throws(DatabaseError) in
      try KeptProducts(connection: connection, now: now).latest(ofEach: limit)
    } ?? [:]
  }

  // MARK: Seeing

  package func didSeeKept(_ products: [Product], in market: MarketKey) -> [Product.ID] {
    writing { connection, now throws(DatabaseError) in
      guard let market = try Markets(connection).find(market) else { return [] }
      let kept = KeptProducts(connection: connection, now: now)
      var lacking: [Product.ID] = []
      for product in products.prefix(Self.mostAtOnce)
      where try kept.takeOver(product, in: market) {
        if try kept.lacksPicture(product.id, in: market) { lacking.append(product.id) }
      }
      return lacking
    } ?? []
  }

  package func didSeeKept(
    _ description: String, of product: Product.ID, in market: MarketKey
  ) {
    _ = writing { connection, now throws(DatabaseError) in
      guard let market = try Markets(connection).find(market) else { return }
      try KeptProducts(connection: connection, now: now)
        .takeOver(description, of: product, in: market)
    }
  }

  package func didLoseKept(_ products: [Product.ID], in market: MarketKey) {
    _ = writing { connection, now throws(DatabaseError) in
      guard let market = try Markets(connection).find(market) else { return }
      let kept = KeptProducts(connection: connection, now: now)
      for product in products.prefix(Self.mostAtOnce) { try kept.lose(product, in: market) }
    }
  }

  package func keep(_ picture: [UInt8], of product: Product, in market: MarketKey) {
    _ = writing { connection, now throws(DatabaseError) in
      guard let market = try Markets(connection).find(market) else { return }
      try KeptProducts(connection: connection, now: now).keep(picture, of: product, in: market)
    }
  }
}

extension PersonalFile {
  private func reading<Answer>(
    _ body: (Connection, Int64) throws(DatabaseError) -> Answer
  ) -> Answer? {
    let now = now().seconds
    return read { connection throws(DatabaseError) in try body(connection, now) }
  }

  private func writing<Answer>(
    survivingPowerLoss isUrgent: Bool = false,
    _ body: (Connection, Int64) throws(DatabaseError) -> Answer
  ) -> Answer? {
    let now = now().seconds
    return write(survivingPowerLoss: isUrgent) { connection throws(DatabaseError) in
      try body(connection, now)
    }
  }
}

extension KeptKey.Thing {
  /// The table, the column of the number in the market, and that number.
  fileprivate var place: (table: String, column: String, id: Int64) {
    switch self {
    case .product(let id): ("kept_product", "product", id.rawValue)
    case .seller(let id): ("kept_seller", "seller", id.rawValue)
    }
  }
}
