import MarketModel
import SQLiteKit

extension SQLiteConnection {
  /// The row id of a market; nil where it has none.
  func number(of market: MarketKey) throws(StoreError) -> Int64? {
    try integer("SELECT id FROM market WHERE key = ?", .text(market.rawValue))
  }

  /// The row id of a market, which is created where it has none.
  func numberOrNew(of market: MarketKey) throws(StoreError) -> Int64 {
    if let found = try number(of: market) { return found }
    try run("INSERT INTO market (key) VALUES (?)", .text(market.rawValue))
    return lastInsertedKey
  }

  /// The row id of a market, whose name and location are updated.
  func numberOrNew(of market: FavoriteMarket) throws(StoreError) -> Int64 {
    let id = try numberOrNew(of: market.key)
    try run(
      "INSERT OR REPLACE INTO favorite_market (market, name, location) VALUES (?, ?, ?)",
      .integer(id), .text(market.name), .text(market.location))
    return id
  }
}

extension Row {
  func integer(orNull column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  func text(orNull column: Int32, atMost bytes: Int) -> String? {
    isNull(column) ? nil : text(column, atMost: bytes)
  }

  func time(_ column: Int32) -> Timestamp { Timestamp(seconds: integer(column)) }

  func product(_ column: Int32) -> Product.ID { Product.ID(rawValue: integer(column)) }

  func key(_ column: Int32) -> MarketKey {
    MarketKey(rawValue: text(column, atMost: MarketKey.longest))
  }

  /// An amount and its currency code, from two columns; nil where there is none.
  func money(_ column: Int32, _ currency: Int32) -> Money? {
    integer(orNull: column).map {
      Money(
        hundredths: $0,
        currency: Currency(rawValue: text(currency, atMost: PersonalFile.maxCurrencyLength)))
    }
  }

  /// A market's key, name and location, from three columns.
  func market(from column: Int32) -> FavoriteMarket {
    FavoriteMarket(
      key: key(column), name: text(orNull: column + 1, atMost: PersonalFile.maxTextLength),
      location: text(orNull: column + 2, atMost: PersonalFile.maxTextLength))
  }
}

extension String {
  /// The beginning of at most `limit` bytes, which ends between two characters.
  func prefix(bytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var end = utf8.index(startIndex, offsetBy: limit)
    while end > startIndex, end.samePosition(in: self) == nil { utf8.formIndex(before: &end) }
    return String(self[..<end])
  }
}
