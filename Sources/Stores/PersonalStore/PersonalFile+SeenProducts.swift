import MarketModel
import SQLiteKit

/// Products that were on the screen, and their prices.
extension PersonalFile {
  /// Seconds for which past prices are stored.
  static let priceRetentionSeconds: Int64 = 90 * 86_400
  /// Maximum number of prices of one product; the oldest are deleted beyond it.
  static let maxPricesOfOne: Int64 = 100
  /// Maximum number of rows deleted at once, more than one screen adds: other programs may wait for the
  /// file.
  static let deletedAtOnce: Int64 = 200
  /// Maximum length of a currency code in bytes; a price in a longer one is not stored.
  static let maxCurrencyLength = 16

  package func seenProducts(
    of products: [Product.ID], in market: MarketKey, before visit: Timestamp?
  ) -> [Product.ID: SeenRecord] {
    read { connection throws(StoreError) in
      guard let market = try connection.number(of: market) else { return [:] }
      var seenProducts: [Product.ID: SeenRecord] = [:]
      for product in Set(products) {
        let times = try connection.first(
          "SELECT at, first FROM seen_product WHERE market = ? AND product = ?",
          [.integer(market), .integer(product.rawValue)]
        ) { row in (at: row.time(0), first: row.time(1)) }
        guard let times else { continue }
        let points = try connection.prices(of: product, in: market)
        let previous = visit.flatMap { visit in points.last { $0.at.seconds <= visit.seconds } }
        seenProducts[product] = SeenRecord(
          at: times.at, first: times.first, latest: points.last?.price,
          previous: (previous ?? points.first)?.price)
      }
      return seenProducts
    } ?? [:]
  }

  package func prices(of product: Product.ID, in market: MarketKey) -> [PricePoint] {
    read { connection throws(StoreError) in
      guard let market = try connection.number(of: market) else { return [] }
      return try connection.prices(of: product, in: market)
    } ?? []
  }

  /// Records the products on the screen, and deletes some rows beyond the limits.
  package func didSee(_ products: [SeenProduct], in market: MarketKey) {
    write { connection throws(StoreError) in
      let now = now().seconds
      let market = try connection.numberOrNew(of: market)
      for product in products.prefix(Self.maxAtOnce) {
        try connection.run(
          """
          INSERT INTO seen_product (market, product, at, first) VALUES (?1, ?2, ?3, ?3)
          ON CONFLICT (market, product) DO UPDATE SET at = ?3
          """, .integer(market), .integer(product.id.rawValue), .integer(now))
        guard let price = product.price, price.hundredths >= 0,
          price.currency.rawValue.utf8.count <= Self.maxCurrencyLength
        else { continue }
        try connection.add(price, of: product.id, in: market, at: now)
      }
      try connection.deleteSome(beyond: limits, at: now)
    }
  }

  package func didSeeAll(through newest: Product.ID, in market: MarketKey) {
    write { connection throws(StoreError) in
      try connection.run(
        """
        INSERT INTO seen_through (market, product) VALUES (?1, ?2)
        ON CONFLICT (market) DO UPDATE SET product = max(product, ?2)
        """, .integer(try connection.numberOrNew(of: market)), .integer(newest.rawValue))
    }
  }
}

extension SQLiteConnection {
  fileprivate func prices(
    of product: Product.ID, in market: Int64
  ) throws(StoreError) -> [PricePoint] {
    try all(
      """
      SELECT at, amount, currency FROM price_point WHERE market = ? AND product = ?
      ORDER BY at LIMIT ?
      """,
      [.integer(market), .integer(product.rawValue), .integer(PersonalFile.maxPricesOfOne)]
    ) { row in
      row.money(1, 2).map { PricePoint(at: row.time(0), price: $0) }
    }.compactMap(\.self)
  }

  /// Adds a price where it differs from the last one.
  fileprivate func add(
    _ price: Money, of product: Product.ID, in market: Int64, at now: Int64
  ) throws(StoreError) {
    let key: [SQLValue] = [.integer(market), .integer(product.rawValue)]
    let last = try first(
      """
      SELECT at, amount, currency FROM price_point
      WHERE market = ? AND product = ? ORDER BY at DESC LIMIT 1
      """, key
    ) { row in
      (
        at: row.integer(0), amount: row.integer(1),
        currency: row.text(2, atMost: PersonalFile.maxCurrencyLength)
      )
    }
    let (amount, currency) = (price.hundredths, price.currency.rawValue)
    if let last, last.amount == amount, last.currency == currency { return }
    // After the clock was set back the order stays: the price replaces the last one.
    let time = max(now, last?.at ?? now)
    try run(
      "UPDATE price_point SET until = ? WHERE market = ? AND product = ? AND until IS NULL",
      [.integer(time)] + key)
    try run(
      """
      INSERT OR REPLACE INTO price_point (market, product, at, amount, currency)
      VALUES (?, ?, ?, ?, ?)
      """, key + [.integer(time), .integer(amount), .text(currency)])
    try run(
      """
      DELETE FROM price_point WHERE market = ?1 AND product = ?2 AND at < (
        SELECT at FROM price_point WHERE market = ?1 AND product = ?2
        ORDER BY at DESC LIMIT 1 OFFSET ?3)
      """, key + [.integer(PersonalFile.maxPricesOfOne - 1)])
  }

  /// Joins the merged prices of each product into one series: each is valid until the next one, and
  /// differs from it.
  ///
  /// `market` is the market of the prices; nil is all.
  func joinPrices(of market: Int64? = nil) throws(StoreError) {
    try run(
      """
      DELETE FROM price_point WHERE (market, product, at) IN (
        SELECT market, product, at FROM (
          SELECT market, product, at, amount, currency, lag(amount) OVER one AS amount_before,
            lag(currency) OVER one AS currency_before
          FROM price_point WHERE ?1 IS NULL OR market = ?1
          WINDOW one AS (PARTITION BY market, product ORDER BY at))
        WHERE amount = amount_before AND currency = currency_before)
      """, .integer(market))
    try run(
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

  /// Deletes some rows that are too old or too many: past prices, then products.
  fileprivate func deleteSome(
    beyond limits: PersonalFile.Limits, at now: Int64
  ) throws(StoreError) {
    try run(
      """
      DELETE FROM price_point WHERE (market, product, at) IN (
        SELECT market, product, at FROM price_point WHERE until < ? LIMIT ?)
      """,
      .integer(now.subtractingReportingOverflow(PersonalFile.priceRetentionSeconds).partialValue),
      .integer(PersonalFile.deletedAtOnce))
    let past = try integer("SELECT count(*) FROM price_point WHERE until IS NOT NULL")
    try run(
      """
      DELETE FROM price_point WHERE (market, product, at) IN (
        SELECT market, product, at FROM price_point WHERE until IS NOT NULL
        ORDER BY until LIMIT ?)
      """, .integer(excess(past, over: limits.pastPrices)))
    let known = try integer("SELECT count(*) FROM seen_product")
    // The prices first, while their products are still in `seen_product`.
    for table in ["price_point", "seen_product"] {
      try run(
        """
        DELETE FROM \(table) WHERE (market, product) IN (
          SELECT market, product FROM seen_product ORDER BY at LIMIT ?)
        """, .integer(excess(known, over: limits.seenProducts)))
    }
  }

  /// Number of rows to delete now.
  private func excess(_ count: Int64?, over limit: Int64) -> Int64 {
    min(PersonalFile.deletedAtOnce, max(0, (count ?? 0) - limit))
  }
}
