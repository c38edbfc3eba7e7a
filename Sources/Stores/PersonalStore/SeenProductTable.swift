import MarketModel
import SQLiteKit

/// The products that were on the screen, and their prices, over one connection; every call stands in a
/// transaction.
struct SeenProductTable {
  /// Products that are remembered, of all markets together.
  static let limit = 100_000
  /// Prices that are no more, of all products together, and how long these are remembered, in seconds.
  static let pastPrices = 100_000
  static let memory: Int64 = 90 * 86_400
  /// Prices of one product.
  static let pricesOfOne = 100
  /// So many rows are forgotten at once at most, more than one screen adds: others may wait for the
  /// file.
  static let step = 200
  /// A code of a currency has no more bytes; a price in what is longer is not remembered.
  static let maxCurrencyLength = 16

  let connection: SQLiteConnection
  var limits = Limits()

  /// Bounds of the tables, which tests make small.
  struct Limits: Sendable {
    var products = SeenProductTable.limit
    var pastPrices = SeenProductTable.pastPrices
  }

  // MARK: Reading

  /// What is known of some products; `visit` is when the last visit ended.
  func seenProducts(
    of products: [Product.ID], in market: MarketKey, before visit: Timestamp?
  ) throws(DatabaseError) -> [Product.ID: SeenRecord] {
    guard let market = try MarketTable(connection).find(market) else { return [:] }
    var seenProducts: [Product.ID: SeenRecord] = [:]
    for product in Set(products) {
      let times = try connection.first(
        "SELECT at, first FROM sight WHERE market = ? AND product = ?",
        [.integer(market), .integer(product.rawValue)]
      ) { row in (at: row.integer(0), first: row.integer(1)) }
      guard let times else { continue }
      let points = try points(of: product, in: market)
      let former = visit.flatMap { visit in points.last { $0.at.seconds <= visit.seconds } }
      seenProducts[product] = SeenRecord(
        at: Timestamp(seconds: times.at), first: Timestamp(seconds: times.first),
        latest: points.last?.price, former: (former ?? points.first)?.price)
    }
    return seenProducts
  }

  func prices(
    of product: Product.ID, in market: MarketKey
  ) throws(DatabaseError) -> [PricePoint] {
    guard let market = try MarketTable(connection).find(market) else { return [] }
    return try points(of: product, in: market)
  }

  private func points(
    of product: Product.ID, in market: Int64
  ) throws(DatabaseError) -> [PricePoint] {
    try connection.all(
      """
      SELECT at, amount, currency FROM price_point WHERE market = ? AND product = ?
      ORDER BY at LIMIT ?
      """, [.integer(market), .integer(product.rawValue), .integer(Int64(Self.pricesOfOne))]
    ) { row in
      PricePoint(
        at: Timestamp(seconds: row.integer(0)),
        price: Money(
          hundredths: row.integer(1),
          currency: Currency(rawValue: row.text(2, atMost: Self.maxCurrencyLength))))
    }
  }

  // MARK: Writing

  /// Takes note of what was on the screen, and forgets a little of what is too much.
  func add(
    _ products: [SeenProduct], in market: MarketKey, at now: Int64
  ) throws(DatabaseError) {
    let market = try MarketTable(connection).findOrAdd(market)
    for product in products {
      try connection.run(
        """
        INSERT INTO sight (market, product, at, first) VALUES (?1, ?2, ?3, ?3)
        ON CONFLICT (market, product) DO UPDATE SET at = ?3
        """, .integer(market), .integer(product.id.rawValue), .integer(now))
      guard let price = product.price, price.hundredths >= 0,
        price.currency.rawValue.utf8.count <= Self.maxCurrencyLength
      else { continue }
      try note(price, of: product.id, in: market, at: now)
    }
    try forgetSome(at: now)
  }

  /// Adds a price where it is another one than the last.
  private func note(
    _ price: Money, of product: Product.ID, in market: Int64, at now: Int64
  ) throws(DatabaseError) {
    let key: [SQLValue] = [.integer(market), .integer(product.rawValue)]
    let last = try connection.first(
      """
      SELECT at, amount, currency FROM price_point
      WHERE market = ? AND product = ? ORDER BY at DESC LIMIT 1
      """, key
    ) { row in
      (at: row.integer(0), amount: row.integer(1), currency: row.text(2, atMost: 64))
    }
    let (amount, currency) = (price.hundredths, price.currency.rawValue)
    if let last, last.amount == amount, last.currency == currency { return }
    // A clock that was set back leaves the order as it is: the price takes the last one's place.
    let time = max(now, last?.at ?? now)
    try connection.run(
      "UPDATE price_point SET until = ? WHERE market = ? AND product = ? AND until IS NULL",
      [.integer(time)] + key)
    try connection.run(
      """
      INSERT OR REPLACE INTO price_point (market, product, at, amount, currency)
      VALUES (?, ?, ?, ?, ?)
      """, key + [.integer(time), .integer(amount), .text(currency)])
    try connection.run(
      """
      DELETE FROM price_point WHERE market = ?1 AND product = ?2 AND at < (
        SELECT at FROM price_point WHERE market = ?1 AND product = ?2
        ORDER BY at DESC LIMIT 1 OFFSET ?3)
      """, key + [.integer(Int64(Self.pricesOfOne - 1))])
  }

  /// Makes one row of prices of those that came from two places: each lasts until the next one, and
  /// differs from it.
  ///
  /// `market` is whose prices these are; nil for all.
  func joinPrices(of market: Int64? = nil) throws(DatabaseError) {
    try connection.run(
      """
      DELETE FROM price_point WHERE (market, product, at) IN (
        SELECT market, product, at FROM (
          SELECT market, product, at, amount, currency, lag(amount) OVER one AS amount_before,
            lag(currency) OVER one AS currency_before
          FROM price_point WHERE ?1 IS NULL OR market = ?1
          WINDOW one AS (PARTITION BY market, product ORDER BY at))
        WHERE amount = amount_before AND currency = currency_before)
      """, .integer(market))
    try connection.run(
      """
      UPDATE price_point SET until = next.at
      FROM (
        SELECT market, product, at AS start,
          lead(at) OVER (PARTITION BY market, product ORDER BY at) AS at
        FROM price_point WHERE ?1 IS NULL OR market = ?1
      ) AS next
      WHERE price_point.market = next.market AND price_point.product = next.product
        AND price_point.at = next.start AND price_point.until IS NOT next.at
      """, .integer(market))
  }

  func addAll(through newest: Product.ID, in market: MarketKey) throws(DatabaseError) {
    let market = try MarketTable(connection).findOrAdd(market)
    try connection.run(
      """
      INSERT INTO seen_through (market, product) VALUES (?1, ?2)
      ON CONFLICT (market) DO UPDATE SET product = max(product, ?2)
      """, .integer(market), .integer(newest.rawValue))
  }

  // MARK: Forgetting

  /// Forgets one step of what is too old or too much: prices that are no more, then products.
  private func forgetSome(at now: Int64) throws(DatabaseError) {
    try connection.run(
      """
      DELETE FROM price_point WHERE (market, product, at) IN (
        SELECT market, product, at FROM price_point WHERE until < ? LIMIT ?)
      """, .integer(now.subtractingReportingOverflow(Self.memory).partialValue),
      .integer(Int64(Self.step)))
    let past = try connection.integer("SELECT count(*) FROM price_point WHERE until IS NOT NULL")
    try connection.run(
      """
      DELETE FROM price_point WHERE (market, product, at) IN (
        SELECT market, product, at FROM price_point WHERE until IS NOT NULL
        ORDER BY until LIMIT ?)
      """, .integer(excess(past, over: limits.pastPrices)))
    let known = try connection.integer("SELECT count(*) FROM sight")
    let oldest = try connection.all(
      "SELECT market, product FROM sight ORDER BY at LIMIT ?",
      [.integer(excess(known, over: limits.products))]
    ) { row in [SQLValue.integer(row.integer(0)), .integer(row.integer(1))] }
    for key in oldest {
      try connection.run("DELETE FROM sight WHERE market = ? AND product = ?", key)
      try connection.run("DELETE FROM price_point WHERE market = ? AND product = ?", key)
    }
  }

  /// How many rows to forget now.
  private func excess(_ count: Int64?, over limit: Int) -> Int64 {
    min(Int64(Self.step), max(0, (count ?? 0) - Int64(limit)))
  }
}

extension PersonalFile {
  /// More than any screen shows at once.
  private static let maxAtOnce = 1_000

  package func seenProducts(
    of products: [Product.ID], in market: MarketKey, before visit: Timestamp?
  ) -> [Product.ID: SeenRecord] {
    read { connection throws(DatabaseError) in
      try SeenProductTable(connection: connection).seenProducts(
        of: products, in: market, before: visit)
    } ?? [:]
  }

  package func didSee(_ products: [SeenProduct], in market: MarketKey) {
    let now = now().seconds
    write { connection throws(DatabaseError) in
      try SeenProductTable(connection: connection)
        .add(Array(products.prefix(Self.maxAtOnce)), in: market, at: now)
    }
  }

  package func didSeeAll(through newest: Product.ID, in market: MarketKey) {
    write { connection throws(DatabaseError) in
      try SeenProductTable(connection: connection).addAll(through: newest, in: market)
    }
  }

  package func prices(of product: Product.ID, in market: MarketKey) -> [PricePoint] {
    read { connection throws(DatabaseError) in
      try SeenProductTable(connection: connection).prices(of: product, in: market)
    } ?? []
  }
}
