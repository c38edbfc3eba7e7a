import MarketModel
import SQLiteKit

/// What one waits for, over one connection; every call stands in a transaction.
struct Waits {
  /// Waits that there can be.
  static let limit = 1_000
  /// Products of a seller or a search that are known for one wait; of more the oldest are not followed.
  static let mostProducts = 200_000
  /// Bytes of a place, a search and a name.
  static let (longestPlace, longestText, longestName) = (4_096, 4_096, 400)

  let connection: Connection
  var mostProducts = Waits.mostProducts

  /// All waits, the latest first.
  func all() throws(DatabaseError) -> [Wait] {
    try connection.all(
      Self.selection + " ORDER BY wait.id DESC LIMIT ?", [.integer(Int64(Self.limit))],
      read: Self.read
    ).compactMap(\.self)
  }

  func find(_ id: Wait.ID) throws(DatabaseError) -> Wait? {
    try connection.first(
      Self.selection + " WHERE wait.id = ?", [.integer(id.rawValue)], read: Self.read
    ).flatMap(\.self)
  }

  /// Begins a wait in the place of one for the same; false where there are too many.
  func begin(_ wait: Wait) throws(DatabaseError) -> Bool {
    let market = try Markets(connection).findOrAdd(wait.market)
    let (subject, condition) = (wait.subject.stored, wait.condition.stored)
    try connection.run(
      """
      DELETE FROM wait WHERE market = ? AND subject = ? AND number IS ? AND text IS ?
        AND condition = ?
      """,
      .integer(market), .text(subject.kind), .integer(orNull: subject.number),
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
      .integer(market), .text(orNull: wait.place), .text(subject.kind),
      .integer(orNull: subject.number), .text(orNull: subject.text), .text(wait.name),
      .text(condition.kind), .integer(orNull: condition.limit?.hundredths),
      .text(orNull: condition.limit?.currency.rawValue), .integer(wait.state.isMet ? 1 : 0),
      .integer(orNull: wait.state.newest?.rawValue),
      .text(orNull: wait.state.marketID?.text))
    return true
  }

  func end(_ id: Wait.ID) throws(DatabaseError) {
    try connection.run("DELETE FROM wait WHERE id = ?", .integer(id.rawValue))
  }

  /// Compares what markets said with what was known, and answers what nobody was told yet: of each
  /// observation that brings something a hit, which is the one that it says where that is there.
  func note(_ observations: [WaitObservation]) throws(DatabaseError) -> [WaitHit] {
    var hits: [WaitHit] = []
    for observation in observations {
      guard var wait = try find(observation.wait) else { continue }
      let ids = observation.products.map(\.id)
      wait.state.products = try products(of: wait.id, among: ids)
      let before = wait.state
      let news = wait.take(observation)
      if wait.state != before { try write(wait, instead: before) }
      if let hit = WaitHit(of: wait, news) {
        hits.append(try Hits(connection).add(hit, to: observation.hit))
      }
    }
    return hits
  }

  /// Which of some products are known, and whether the condition held for them.
  private func products(
    of id: Wait.ID, among products: [Product.ID]
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

  /// Writes what is known of a wait by now in the place of what was.
  private func write(_ wait: Wait, instead old: Wait.State) throws(DatabaseError) {
    let (id, state) = (SQLValue.integer(wait.id.rawValue), wait.state)
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
        id, .integer(Int64(mostProducts)))
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
      .integer(state.isMet ? 1 : 0), .integer(orNull: state.newest?.rawValue),
      .integer(orNull: floor), .integer(orNull: state.place?.top.rawValue),
      .text(orNull: state.place?.next.stored), .integer(state.knowsAll ? 1 : 0),
      .text(orNull: state.marketID?.text), id)
  }

  /// A name of which no more is kept than there is room for.
  static func shortened(_ name: String) -> String {
    // A scalar has four bytes at most.
    String(String.UnicodeScalarView(name.unicodeScalars.prefix(longestName / 4)))
  }

  private static let selection = """
    SELECT wait.id, market.place, wait.place, subject, number, text, name, condition, hundredths,
      currency, met, newest, floor, place_top, place_next, knows_all, market_id
    FROM wait JOIN market ON market.id = wait.market
    """

  /// A row that a newer version or somebody else wrote otherwise is left out.
  private static func read(_ row: borrowing Row) -> Wait? {
    let number = row.isNull(4) ? nil : row.integer(4)
    let limit = row.isNull(8) ? nil : row.integer(8)
    guard
      let subject = Wait.Subject(
        stored: row.text(3, atMost: 16), number, row.text(5, atMost: longestText)),
      let condition = Wait.Condition(
        stored: row.text(7, atMost: 16), limit, currency: row.text(9, atMost: 16))
    else { return nil }
    var state = Wait.State(isMet: row.integer(10) != 0, newest: product(row, 11))
    state.floor = product(row, 12)
    if let top = product(row, 13), let next = PagePosition(stored: row.text(14, atMost: 4_096)) {
      state.place = Wait.Place(top: top, next: next)
    }
    state.knowsAll = row.integer(15) != 0
    state.marketID = row.isNull(16) ? nil : MarketID(row.text(16, atMost: 64))
    return Wait(
      id: Wait.ID(rawValue: row.integer(0)),
      market: MarketKey(rawValue: row.text(1, atMost: MarketKey.longest)),
      place: row.isNull(2) ? nil : row.text(2, atMost: longestPlace), subject: subject,
      name: row.text(6, atMost: longestName), condition: condition,
      state: state)
  }

  private static func product(_ row: borrowing Row, _ column: Int32) -> Product.ID? {
    row.isNull(column) ? nil : Product.ID(rawValue: row.integer(column))
  }
}

/// What has come of all that was waited for, over one connection.
struct Hits {
  /// Hits that are remembered.
  static let limit = 10_000

  private let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Adds a hit, or what it brings to one that is there.
  func add(_ hit: WaitHit, to earlier: WaitHit.ID?) throws(DatabaseError) -> WaitHit {
    var hit = hit
    hit.name = Waits.shortened(hit.name)
    if let earlier {
      let found = try connection.run(
        "UPDATE hit SET count = count + ? WHERE id = ?", .integer(Int64(hit.count)),
        .integer(earlier.rawValue))
      hit.id = earlier
      if found > 0 { return hit }
    }
    let market = try Markets(connection).findOrAdd(hit.market)
    let condition = hit.condition.stored
    try connection.run(
      """
      INSERT INTO hit (market, place, condition, below, below_currency, wait_name, product, name,
        hundredths, currency, seen, count)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)
      """,
      .integer(market), .text(orNull: hit.place), .text(condition.kind),
      .integer(orNull: condition.limit?.hundredths),
      .text(orNull: condition.limit?.currency.rawValue), .text(hit.waitName),
      .integer(hit.product.rawValue), .text(hit.name), .integer(orNull: hit.price?.hundredths),
      .text(orNull: hit.price?.currency.rawValue), .integer(Int64(hit.count)))
    hit.id = WaitHit.ID(rawValue: connection.lastInsertedKey)
    try connection.run(
      "DELETE FROM hit WHERE id <= ?", .integer(hit.id.rawValue - Int64(Self.limit)))
    return hit
  }

  /// What has come, the latest first.
  func latest(atMost limit: Int) throws(DatabaseError) -> [WaitHit] {
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

  func seeAll() throws(DatabaseError) {
    try connection.run("UPDATE hit SET seen = 1 WHERE seen = 0")
  }

  func forget(_ id: WaitHit.ID) throws(DatabaseError) {
    try connection.run("DELETE FROM hit WHERE id = ?", .integer(id.rawValue))
  }

  private static func read(_ row: borrowing Row) -> WaitHit? {
    let limit = row.isNull(4) ? nil : row.integer(4)
    guard
      let condition = Wait.Condition(
        stored: row.text(3, atMost: 16), limit, currency: row.text(5, atMost: 16))
    else { return nil }
    return WaitHit(
      id: WaitHit.ID(rawValue: row.integer(0)),
      market: MarketKey(rawValue: row.text(1, atMost: MarketKey.longest)),
      place: row.isNull(2) ? nil : row.text(2, atMost: Waits.longestPlace), condition: condition,
      waitName: row.text(6, atMost: Waits.longestName),
      product: Product.ID(rawValue: row.integer(7)), name: row.text(8, atMost: Waits.longestName),
      price: row.isNull(9)
        ? nil
        : Money(
          hundredths: row.integer(9), currency: Currency(rawValue: row.text(10, atMost: 16))),
      count: Int(clamping: max(1, row.integer(12))), isSeen: row.integer(11) != 0)
  }
}

// MARK: As the tables have them

extension Wait.Subject {
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

extension Wait.Condition {
  fileprivate var stored: (kind: String, limit: Money?) {
    switch self {
    case .below(let limit): ("below", limit)
    case .backInStock: ("stock", nil)
    case .anythingNew: ("new", nil)
    }
  }

  fileprivate init?(stored kind: String, _ limit: Int64?, currency: String) {
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
  fileprivate static func text(orNull value: String?) -> SQLValue {
    value.map(SQLValue.text) ?? .null
  }
}
