import MarketModel
import SQLiteKit

/// Alerts that fired, over one connection.
struct TriggeredAlertTable {
  /// Hits that are remembered.
  static let limit = 10_000

  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  /// Adds an alert that fired, or its products to one that is there.
  func add(_ triggered: TriggeredAlert, to earlier: TriggeredAlert.ID?) throws(DatabaseError)
    -> TriggeredAlert
  {
    var triggered = triggered
    triggered.name = AlertTable.shortened(triggered.name)
    if let earlier {
      let found = try connection.run(
        "UPDATE hit SET count = count + ? WHERE id = ?", .integer(Int64(triggered.count)),
        .integer(earlier.rawValue))
      triggered.id = earlier
      if found > 0 { return triggered }
    }
    let market = try MarketTable(connection).findOrAdd(triggered.market)
    let condition = triggered.condition.stored
    try connection.run(
      """
      INSERT INTO hit (market, place, condition, below, below_currency, wait_name, product, name,
        hundredths, currency, seen, count)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)
      """,
      .integer(market), .text(orNull: triggered.location), .text(condition.kind),
      .integer(condition.limit?.hundredths),
      .text(orNull: condition.limit?.currency.rawValue), .text(triggered.alertName),
      .integer(triggered.product.rawValue), .text(triggered.name),
      .integer(triggered.price?.hundredths),
      .text(orNull: triggered.price?.currency.rawValue), .integer(Int64(triggered.count)))
    triggered.id = TriggeredAlert.ID(rawValue: connection.lastInsertedKey)
    try connection.run(
      "DELETE FROM hit WHERE id <= ?", .integer(triggered.id.rawValue - Int64(Self.limit)))
    return triggered
  }

  /// What has come, the latest first.
  func latest(atMost limit: Int) throws(DatabaseError) -> [TriggeredAlert] {
    try connection.all(
      """
      SELECT hit.id, market.place, hit.place, condition, below, below_currency, wait_name,
        product, name, hundredths, currency, seen, count
      FROM hit JOIN market ON market.id = hit.market ORDER BY hit.id DESC LIMIT ?
      """, [.integer(Int64(min(max(0, limit), Self.limit)))], read: Self.read
    ).compactMap(\.self)
  }

  func unseen() throws(DatabaseError) -> Int {
    Int(try connection.integer("SELECT count(*) FROM hit WHERE seen = 0") ?? 0)
  }

  func markAllSeen() throws(DatabaseError) {
    try connection.run("UPDATE hit SET seen = 1 WHERE seen = 0")
  }

  func forget(_ id: TriggeredAlert.ID) throws(DatabaseError) {
    try connection.run("DELETE FROM hit WHERE id = ?", .integer(id.rawValue))
  }

  private static func read(_ row: Row) -> TriggeredAlert? {
    let limit = row.isNull(4) ? nil : row.integer(4)
    guard
      let condition = Alert.Condition(
        stored: row.text(3, atMost: 16), limit, currency: row.text(5, atMost: 16))
    else { return nil }
    return TriggeredAlert(
      id: TriggeredAlert.ID(rawValue: row.integer(0)),
      market: MarketKey(rawValue: row.text(1, atMost: MarketKey.longest)),
      location: row.isNull(2) ? nil : row.text(2, atMost: AlertTable.maxPlaceLength),
      condition: condition,
      alertName: row.text(6, atMost: AlertTable.maxNameLength),
      product: Product.ID(rawValue: row.integer(7)),
      name: row.text(8, atMost: AlertTable.maxNameLength),
      price: row.isNull(9)
        ? nil
        : Money(
          hundredths: row.integer(9), currency: Currency(rawValue: row.text(10, atMost: 16))),
      count: Int(clamping: max(1, row.integer(12))), isSeen: row.integer(11) != 0)
  }
}

// MARK: As the tables have them
