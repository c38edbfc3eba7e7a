import MarketModel
import SQLiteKit

/// The user's alerts; a triggered alert is reported to one running program only.
extension PersonalFile {
  /// Maximum number of alerts; `begin(_:)` returns false beyond it.
  static let maxAlerts: Int64 = 1_000
  /// Maximum number of triggered alerts; the oldest are deleted beyond it.
  fileprivate static let maxTriggeredAlerts: Int64 = 10_000

  package func alerts() -> [Alert] {
    read { connection throws(StoreError) in
      try connection.alerts("TRUE ORDER BY alert.id DESC LIMIT ?", .integer(Self.maxAlerts))
    } ?? []
  }

  /// Returns false for a location or search above `maxTextLength`; a long name is shortened.
  package func add(_ alert: Alert) -> Bool {
    let (subject, condition) = (alert.subject.stored, alert.condition.stored)
    guard (alert.location ?? "").utf8.count <= Self.maxTextLength,
      (subject.text ?? "").utf8.count <= Self.maxTextLength
    else { return false }
    return write(survivingPowerLoss: true) { connection throws(StoreError) in
      let market = try connection.numberOrNew(of: alert.market)
      try connection.run(
        """
        DELETE FROM alert WHERE market = ? AND subject = ? AND number IS ? AND text IS ?
          AND condition = ?
        """,
        .integer(market), .text(subject.kind), .integer(subject.number),
        .text(subject.text), .text(condition.kind))
      guard try connection.integer("SELECT count(*) FROM alert") ?? 0 < Self.maxAlerts else {
        return false
      }
      try connection.run(
        """
        INSERT INTO alert (market, location, subject, number, text, name, condition, amount,
          currency, met, newest, market_id)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        .integer(market), .text(alert.location), .text(subject.kind),
        .integer(subject.number), .text(subject.text), .text(alert.name.shortened),
        .text(condition.kind), .integer(condition.limit?.hundredths),
        .text(condition.limit?.currency.rawValue), .integer(alert.state.isMet ? 1 : 0),
        .integer(alert.state.newest?.rawValue),
        .text(alert.state.marketID?.text))
      return true
    } ?? false
  }

  package func end(_ alert: Alert.ID) {
    write(survivingPowerLoss: true) { connection throws(StoreError) in
      try connection.run("DELETE FROM alert WHERE id = ?", .integer(alert.rawValue))
    }
  }

  /// Compares observations with the stored state, and returns the alerts that they newly trigger: at most
  /// one for each observation, which is added to the triggered alert that it names where that still
  /// exists.
  package func record(_ observations: [AlertObservation]) -> [TriggeredAlert] {
    guard !observations.isEmpty else { return [] }
    return write { connection throws(StoreError) in
      var triggeredAlerts: [TriggeredAlert] = []
      for observation in observations {
        let id = SQLValue.integer(observation.alert.rawValue)
        guard var alert = try connection.alerts("alert.id = ?", id).first else { continue }
        if let ended = TriggeredAlert(of: alert, endedBy: observation) {
          try connection.run("DELETE FROM alert WHERE id = ?", id)
          triggeredAlerts.append(try connection.add(ended, to: nil))
          continue
        }
        for product in observation.products {
          let isMet = try connection.integer(
            "SELECT met FROM alert_product WHERE alert = ? AND product = ?", id,
            .integer(product.id.rawValue))
          if let isMet { alert.state.products[product.id] = isMet != 0 }
        }
        let before = alert.state
        let news = alert.apply(observation)
        if alert.state != before {
          try connection.write(alert, over: before, knowing: limits.alertProducts)
        }
        if let triggered = TriggeredAlert(of: alert, news) {
          triggeredAlerts.append(try connection.add(triggered, to: observation.triggered))
        }
      }
      return triggeredAlerts
    } ?? []
  }

  /// Records whether a market answered a check; the time of its last answer stays where it did not.
  package func didLook(in market: MarketKey, hasAnswered: Bool) {
    write { connection throws(StoreError) in
      try connection.run(
        """
        INSERT INTO alert_market (market, answered, silent) VALUES (?1, ?2, ?3)
        ON CONFLICT (market) DO UPDATE SET
          answered = CASE ?3 WHEN 0 THEN ?2 ELSE answered END, silent = ?3
        """,
        .integer(try connection.numberOrNew(of: market)), .integer(now().seconds),
        .integer(hasAnswered ? 0 : 1))
    }
  }

  package func unresponsiveMarkets() -> [MarketKey: Timestamp] {
    let silent = read { connection throws(StoreError) in
      try connection.all(
        """
        SELECT market.key, answered FROM alert_market
        JOIN market ON market.id = alert_market.market WHERE silent <> 0 LIMIT ?
        """, [.integer(Self.maxAlerts)]
      ) { row in (row.key(0), row.time(1)) }
    }
    return Dictionary(silent ?? []) { first, _ in first }
  }

  // MARK: What fired

  package func triggeredAlerts(atMost limit: Int) -> [TriggeredAlert] {
    read { connection throws(StoreError) in
      try connection.all(
        """
        SELECT t.id, market.key, t.location, event, limit_amount, limit_currency, alert_name,
          product, name, amount, currency, seen, count, reserved, asker
        FROM triggered_alert t JOIN market ON market.id = t.market ORDER BY t.id DESC LIMIT ?
        """, [.integer(min(max(0, Int64(limit)), Self.maxTriggeredAlerts))],
        read: TriggeredAlert.read
      ).compactMap(\.self)
    } ?? []
  }

  package func unseenAlerts() -> Int {
    let count = read { connection throws(StoreError) in
      try connection.integer("SELECT count(*) FROM triggered_alert WHERE seen = 0")
    }
    return Int((count ?? 0) ?? 0)
  }

  package func didSeeAlerts() {
    write { connection throws(StoreError) in
      try connection.run("UPDATE triggered_alert SET seen = 1 WHERE seen = 0")
    }
  }

  package func forget(_ triggered: TriggeredAlert.ID) {
    write { connection throws(StoreError) in
      try connection.run("DELETE FROM triggered_alert WHERE id = ?", .integer(triggered.rawValue))
    }
  }
}

extension SQLiteConnection {
  /// The alerts that meet a condition.
  fileprivate func alerts(
    _ condition: String, _ value: SQLValue
  ) throws(StoreError) -> [Alert] {
    try all(
      """
      SELECT alert.id, market.key, alert.location, subject, number, text, name, condition, amount,
        currency, met, newest, floor, position_top, position_next, knows_all, market_id
      FROM alert JOIN market ON market.id = alert.market WHERE \(condition)
      """, [value], read: Alert.read
    ).compactMap(\.self)
  }

  /// Updates the state of an alert; at most `limit` products stay known, and older ones are below its
  /// floor.
  fileprivate func write(
    _ alert: Alert, over old: Alert.State, knowing limit: Int64
  ) throws(StoreError) {
    let (id, state) = (SQLValue.integer(alert.id.rawValue), alert.state)
    var old = old
    if old.isKnown(ofOtherThan: state.marketID) {
      try run("DELETE FROM alert_product WHERE alert = ?", id)
      // Products of two markets may have the same ids.
      old.products = [:]
    }
    for product in old.products.keys where state.products[product] == nil {
      try run(
        "DELETE FROM alert_product WHERE alert = ? AND product = ?", id, .integer(product.rawValue))
    }
    for (product, isMet) in state.products where old.products[product] != isMet {
      try run(
        "INSERT OR REPLACE INTO alert_product (alert, product, met) VALUES (?, ?, ?)", id,
        .integer(product.rawValue), .integer(isMet ? 1 : 0))
    }
    var floor = state.floor?.rawValue
    if state.products.count > old.products.count {
      // The newest of those beyond the limit.
      let surplus = try integer(
        "SELECT product FROM alert_product WHERE alert = ? ORDER BY product DESC LIMIT 1 OFFSET ?",
        id, .integer(limit))
      if let surplus { floor = max(surplus, floor ?? surplus) }
    }
    if let floor, floor != old.floor?.rawValue {
      try run("DELETE FROM alert_product WHERE alert = ? AND product <= ?", id, .integer(floor))
    }
    try run(
      """
      UPDATE alert SET met = ?, newest = ?, floor = ?, position_top = ?, position_next = ?, knows_all = ?,
        market_id = ?
      WHERE id = ?
      """,
      .integer(state.isMet ? 1 : 0), .integer(state.newest?.rawValue),
      .integer(floor), .integer(state.position?.top.rawValue),
      .text(state.position?.next.stored), .integer(state.knowsAll ? 1 : 0),
      .text(state.marketID?.text), id)
  }

  /// Adds a triggered alert, or adds its products to the earlier one.
  func add(
    _ triggered: TriggeredAlert, to earlier: TriggeredAlert.ID?
  ) throws(StoreError) -> TriggeredAlert {
    var triggered = triggered
    triggered.name = triggered.name.shortened
    if let earlier {
      let found = try run(
        "UPDATE triggered_alert SET count = count + ? WHERE id = ?",
        .integer(Int64(triggered.count)),
        .integer(earlier.rawValue))
      triggered.id = earlier
      if found > 0 { return triggered }
    }
    let (kind, limit, asker) = triggered.event.stored
    try run(
      """
      INSERT INTO triggered_alert (market, location, event, limit_amount, limit_currency,
        alert_name, product, name, amount, currency, reserved, seen, count, asker)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)
      """,
      .integer(try numberOrNew(of: triggered.market)), .text(triggered.location),
      .text(kind), .integer(limit?.hundredths), .text(limit?.currency.rawValue),
      .text(triggered.alertName),
      .integer(triggered.product.rawValue), .text(triggered.name),
      .integer(triggered.price?.hundredths),
      .text(triggered.price?.currency.rawValue), .integer(triggered.isReserved ? 1 : 0),
      .integer(Int64(triggered.count)), .text(asker?.shortened))
    triggered.id = TriggeredAlert.ID(rawValue: lastInsertedKey)
    try run(
      "DELETE FROM triggered_alert WHERE id <= ?",
      .integer(lastInsertedKey - PersonalFile.maxTriggeredAlerts))
    return triggered
  }
}

// MARK: Rows

extension String {
  /// Maximum length of a name in bytes.
  fileprivate static let maxNameLength = 400

  /// The beginning of a name that fits the limit: a scalar has at most four bytes.
  fileprivate var shortened: String {
    String(UnicodeScalarView(unicodeScalars.prefix(Self.maxNameLength / 4)))
  }
}

extension Alert {
  /// Nil for a row of an unknown form.
  fileprivate static func read(_ row: Row) -> Alert? {
    guard
      let subject = Subject(
        stored: row.text(3, atMost: 16), row.integer(orNull: 4),
        row.text(5, atMost: PersonalFile.maxTextLength)),
      let condition = Condition(stored: row.text(7, atMost: 16), row.money(8, 9))
    else { return nil }
    func product(_ column: Int32, _ row: Row) -> Product.ID? {
      row.integer(orNull: column).map(Product.ID.init(rawValue:))
    }
    var state = State(isMet: row.integer(10) != 0, newest: product(11, row))
    state.floor = product(12, row)
    if let top = product(13, row),
      let next = PagePosition(stored: row.text(14, atMost: 1 + PageCursor.maxBytes))
    {
      state.position = Position(top: top, next: next)
    }
    state.knowsAll = row.integer(15) != 0
    state.marketID = row.text(orNull: 16, atMost: 64).flatMap { MarketID($0) }
    return Alert(
      id: ID(rawValue: row.integer(0)), market: row.key(1),
      location: row.text(orNull: 2, atMost: PersonalFile.maxTextLength), subject: subject,
      name: row.text(6, atMost: String.maxNameLength), condition: condition, state: state)
  }
}

extension TriggeredAlert {
  fileprivate static func read(_ row: Row) -> TriggeredAlert? {
    let asker = row.text(orNull: 14, atMost: String.maxNameLength)
    guard let event = Event(stored: row.text(3, atMost: 16), row.money(4, 5), asker) else {
      return nil
    }
    return TriggeredAlert(
      id: ID(rawValue: row.integer(0)), market: row.key(1),
      location: row.text(orNull: 2, atMost: PersonalFile.maxTextLength), event: event,
      alertName: row.text(6, atMost: PersonalFile.maxTextLength), product: row.product(7),
      name: row.text(8, atMost: String.maxNameLength), price: row.money(9, 10),
      isReserved: row.integer(13) != 0, count: Int(clamping: max(1, row.integer(12))),
      isSeen: row.integer(11) != 0)
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
  fileprivate var stored: (kind: String, limit: Money?) {
    switch self {
    case .below(let limit): ("below", limit)
    case .backInStock: ("stock", nil)
    case .anythingNew: ("new", nil)
    }
  }

  fileprivate init?(stored kind: String, _ limit: Money?) {
    switch (kind, limit) {
    case ("below", let limit?): self = .below(limit)
    case ("stock", _): self = .backInStock
    case ("new", _): self = .anythingNew
    case _: return nil
    }
  }
}

extension TriggeredAlert.Event {
  fileprivate var stored: (kind: String, limit: Money?, asker: String?) {
    switch self {
    case .alert(let condition): (condition.stored.kind, condition.stored.limit, nil)
    case .asked(let asker): ("asked", nil, asker)
    case .answered: ("answered", nil, nil)
    case .deleted: ("deleted", nil, nil)
    }
  }

  fileprivate init?(stored kind: String, _ limit: Money?, _ asker: String?) {
    switch kind {
    case "asked": self = .asked(by: asker)
    case "answered": self = .answered
    case "deleted": self = .deleted
    case _:
      guard let condition = Alert.Condition(stored: kind, limit) else { return nil }
      self = .alert(condition)
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
