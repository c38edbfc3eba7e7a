import MarketModel
import SQLiteKit

/// Alerts that are set, over one connection; every call stands in a transaction.
struct AlertTable {
  /// Waits that there can be.
  static let limit = 1_000
  /// Products of a seller or a search that are known for one alert; of more the oldest are not followed.
  static let maxProducts = 200_000
  /// Bytes of a place, a search and a name.
  static let (maxPlaceLength, maxTextLength, maxNameLength) = (4_096, 4_096, 400)

  let connection: SQLiteConnection
  var maxProducts = AlertTable.maxProducts

  /// All alerts, the latest first.
  func all() throws(DatabaseError) -> [Alert] {
    try connection.all(
      SQL(Self.selection + " ORDER BY wait.id DESC LIMIT ?"), [.integer(Int64(Self.limit))],
      read: Self.read
    ).compactMap(\.self)
  }

  func find(_ id: Alert.ID) throws(DatabaseError) -> Alert? {
    try connection.first(
      SQL(Self.selection + " WHERE wait.id = ?"), [.integer(id.rawValue)], read: Self.read
    ).flatMap(\.self)
  }

  /// Sets an alert, replacing one for the same; false where there are too many.
  func begin(_ alert: Alert) throws(DatabaseError) -> Bool {
    let market = try MarketTable(connection).findOrAdd(alert.market)
    let (subject, condition) = (alert.subject.stored, alert.condition.stored)
    try connection.run(
      """
      DELETE FROM wait WHERE market = ? AND subject = ? AND number IS ? AND text IS ?
        AND condition = ?
      """,
      .integer(market), .text(subject.kind), .integer(subject.number),
      .text(orNull: subject.text), .text(condition.kind))
    guard try connection.integer("SELECT count(*) FROM wait") ?? 0 < Int64(Self.limit) else {
      return false
    }
    try connection.run(
      """
      INSERT INTO wait (market, place, subject, number, text, name, condition, hundredths,
        currency, met, newest, market_id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .integer(market), .text(orNull: alert.location), .text(subject.kind),
      .integer(subject.number), .text(orNull: subject.text), .text(alert.name),
      .text(condition.kind), .integer(condition.limit?.hundredths),
      .text(orNull: condition.limit?.currency.rawValue), .integer(alert.state.isMet ? 1 : 0),
      .integer(alert.state.newest?.rawValue),
      .text(orNull: alert.state.marketID?.text))
    return true
  }

  func end(_ id: Alert.ID) throws(DatabaseError) {
    try connection.run("DELETE FROM wait WHERE id = ?", .integer(id.rawValue))
  }

  /// Compares what markets said with what was known, and answers what nobody was told yet: of each
  /// observation that brings something an alert that fired, which is the one that it says if it is there.
  func note(_ observations: [AlertObservation]) throws(DatabaseError) -> [TriggeredAlert] {
    var triggeredAlerts: [TriggeredAlert] = []
    for observation in observations {
      guard var alert = try find(observation.alert) else { continue }
      let ids = observation.products.map(\.id)
      alert.state.products = try products(of: alert.id, among: ids)
      let before = alert.state
      let news = alert.take(observation)
      if alert.state != before { try write(alert, instead: before) }
      if let triggered = TriggeredAlert(of: alert, news) {
        triggeredAlerts.append(
          try TriggeredAlertTable(connection).add(triggered, to: observation.triggered))
      }
    }
    return triggeredAlerts
  }

  /// Which of some products are known, and whether the condition held for them.
  private func products(
    of id: Alert.ID, among products: [Product.ID]
  ) throws(DatabaseError) -> [Product.ID: Bool] {
    var known: [Product.ID: Bool] = [:]
    for product in products {
      let isMet = try connection.integer(
        "SELECT met FROM wait_known WHERE wait = ? AND product = ?",
        .integer(id.rawValue), .integer(product.rawValue))
      if let isMet { known[product] = isMet != 0 }
    }
    return known
  }

  /// Writes the new state of an alert over the old one.
  private func write(_ alert: Alert, instead old: Alert.State) throws(DatabaseError) {
    let (id, state) = (SQLValue.integer(alert.id.rawValue), alert.state)
    var old = old
    if old.isKnown(ofOtherThan: state.marketID) {
      try connection.run("DELETE FROM wait_known WHERE wait = ?", id)
      // Both markets may number their products alike.
      old.products = [:]
    }
    for product in old.products.keys where state.products[product] == nil {
      try connection.run(
        "DELETE FROM wait_known WHERE wait = ? AND product = ?", id, .integer(product.rawValue))
    }
    for (product, isMet) in state.products where old.products[product] != isMet {
      try connection.run(
        "INSERT OR REPLACE INTO wait_known (wait, product, met) VALUES (?, ?, ?)", id,
        .integer(product.rawValue), .integer(isMet ? 1 : 0))
    }
    var floor = state.floor?.rawValue
    if state.products.count > old.products.count {
      // The latest of those for which there is no room.
      let surplus = try connection.integer(
        "SELECT product FROM wait_known WHERE wait = ? ORDER BY product DESC LIMIT 1 OFFSET ?",
        id, .integer(Int64(maxProducts)))
      if let surplus { floor = max(surplus, floor ?? surplus) }
    }
    if let floor, floor != old.floor?.rawValue {
      try connection.run(
        "DELETE FROM wait_known WHERE wait = ? AND product <= ?", id, .integer(floor))
    }
    try connection.run(
      """
      UPDATE wait SET met = ?, newest = ?, floor = ?, place_top = ?, place_next = ?, knows_all = ?,
        market_id = ?
      WHERE id = ?
      """,
      .integer(state.isMet ? 1 : 0), .integer(state.newest?.rawValue),
      .integer(floor), .integer(state.position?.top.rawValue),
      .text(orNull: state.position?.next.stored), .integer(state.knowsAll ? 1 : 0),
      .text(orNull: state.marketID?.text), id)
  }

  /// A name of which no more is kept than there is room for.
  static func shortened(_ name: String) -> String {
    // A scalar has four bytes at most.
    String(String.UnicodeScalarView(name.unicodeScalars.prefix(maxNameLength / 4)))
  }

  private static let selection = """
    SELECT wait.id, market.place, wait.place, subject, number, text, name, condition, hundredths,
      currency, met, newest, floor, place_top, place_next, knows_all, market_id
    FROM wait JOIN market ON market.id = wait.market
    """

  /// A row that a newer version or somebody else wrote otherwise is left out.
  private static func read(_ row: Row) -> Alert? {
    let number = row.isNull(4) ? nil : row.integer(4)
    let limit = row.isNull(8) ? nil : row.integer(8)
    guard
      let subject = Alert.Subject(
        stored: row.text(3, atMost: 16), number, row.text(5, atMost: maxTextLength)),
      let condition = Alert.Condition(
        stored: row.text(7, atMost: 16), limit, currency: row.text(9, atMost: 16))
    else { return nil }
    var state = Alert.State(isMet: row.integer(10) != 0, newest: product(row, 11))
    state.floor = product(row, 12)
    if let top = product(row, 13), let next = PagePosition(stored: row.text(14, atMost: 4_096)) {
      state.position = Alert.Position(top: top, next: next)
    }
    state.knowsAll = row.integer(15) != 0
    state.marketID = row.isNull(16) ? nil : MarketID(row.text(16, atMost: 64))
    return Alert(
      id: Alert.ID(rawValue: row.integer(0)),
      market: MarketKey(rawValue: row.text(1, atMost: MarketKey.longest)),
      location: row.isNull(2) ? nil : row.text(2, atMost: maxPlaceLength), subject: subject,
      name: row.text(6, atMost: maxNameLength), condition: condition,
      state: state)
  }

  private static func product(_ row: Row, _ column: Int32) -> Product.ID? {
    row.isNull(column) ? nil : Product.ID(rawValue: row.integer(column))
  }
}

extension Alert.Subject {
  fileprivate var stored: (kind: String, number: Int64?, text: String?) {
    switch self {
    case .product(let id): ("product", id.rawValue, nil)
    case .seller(let id): ("seller", id.rawValue, nil)
    case .search(let line): ("search", nil, line)
    }
  }

  fileprivate init?(stored kind: String, _ number: Int64?, _ text: String) {
    switch (kind, number) {
    case ("product", let number?): self = .product(Product.ID(rawValue: number))
    case ("seller", let number?): self = .seller(Seller.ID(rawValue: number))
    case ("search", _): self = .search(text)
    case _: return nil
    }
  }
}

extension Alert.Condition {
  var stored: (kind: String, limit: Money?) {
    switch self {
    case .below(let limit): ("below", limit)
    case .backInStock: ("stock", nil)
    case .anythingNew: ("new", nil)
    }
  }

  init?(stored kind: String, _ limit: Int64?, currency: String) {
    switch (kind, limit) {
    case ("below", let limit?):
      self = .below(Money(hundredths: limit, currency: Currency(rawValue: currency)))
    case ("stock", _): self = .backInStock
    case ("new", _): self = .anythingNew
    case _: return nil
    }
  }
}

extension PagePosition {
  fileprivate var stored: String {
    switch self {
    case .first: "#1"
    case .number(let number): "#\(number)"
    case .after(let cursor): ">" + cursor.rawValue
    }
  }

  fileprivate init?(stored text: String) {
    let words = String(text.dropFirst())
    switch text.first {
    case ">": self = .after(PageCursor(rawValue: words))
    case "#":
      guard let number = Int(words), number > 0 else { return nil }
      self = .number(number)
    case _: return nil
    }
  }
}

extension SQLValue {
  static func text(orNull value: String?) -> SQLValue {
    value.map(SQLValue.text) ?? .null
  }
}
