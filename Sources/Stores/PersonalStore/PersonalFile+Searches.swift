import MarketModel
import SQLiteKit

/// Search history and saved searches.
extension PersonalFile {
  /// Maximum length of the history; the oldest searches are deleted beyond it.
  private static let maxPastSearches = 1_000
  /// Maximum length of a saved search's name in bytes.
  private static let maxNameLength = 400

  package func pastSearches(atMost limit: Int) -> [String] {
    read { connection throws(StoreError) in
      try connection.all(
        "SELECT text FROM past_search ORDER BY id DESC LIMIT ?",
        [.integer(Int64(min(max(0, limit), Self.maxPastSearches)))]
      ) { row in row.text(0, atMost: Self.maxTextLength) }
    } ?? []
  }

  /// Ignores blank texts and those above 4 KB.
  package func didSearch(for text: String) {
    guard !text.allSatisfy(\.isWhitespace), text.utf8.count <= Self.maxTextLength else { return }
    write { connection throws(StoreError) in
      try connection.run("DELETE FROM past_search WHERE text = ?", .text(text))
      try connection.run("INSERT INTO past_search (text) VALUES (?)", .text(text))
      try connection.run(
        "DELETE FROM past_search WHERE id NOT IN (SELECT id FROM past_search ORDER BY id DESC LIMIT ?)",
        .integer(Int64(Self.maxPastSearches)))
    }
  }

  package func savedSearches() -> [SavedSearch] {
    read { connection throws(StoreError) in
      try connection.all(
        "SELECT name, text FROM saved_search ORDER BY name COLLATE NOCASE, name LIMIT ?",
        [.integer(limits.savedSearches)]
      ) { row in
        SavedSearch(
          name: row.text(0, atMost: Self.maxNameLength),
          text: row.text(1, atMost: Self.maxTextLength))
      }
    } ?? []
  }

  package func save(_ search: SavedSearch) -> Bool {
    guard !search.name.isEmpty, search.name.utf8.count <= Self.maxNameLength,
      search.text.utf8.count <= Self.maxTextLength
    else { return false }
    return write(survivingPowerLoss: true) { connection throws(StoreError) in
      let others = try connection.integer(
        "SELECT count(*) FROM saved_search WHERE name <> ?", .text(search.name))
      guard let others, others < limits.savedSearches else { return false }
      try connection.run(
        "INSERT OR REPLACE INTO saved_search (name, text) VALUES (?, ?)",
        .text(search.name), .text(search.text))
      return true
    } ?? false
  }

  package func forgetSearch(named name: String) {
    write(survivingPowerLoss: true) { connection throws(StoreError) in
      try connection.run("DELETE FROM saved_search WHERE name = ?", .text(name))
    }
  }
}

/// Products whose details were opened.
extension PersonalFile {
  /// Maximum length of a name in bytes; a longer one is cut.
  private static let maxViewedNameLength = 400

  package func didView(_ product: Product, of market: FavoriteMarket) {
    let price = product.pricing.price.map(\.toPay).flatMap { price in
      price.currency.rawValue.utf8.count <= Self.maxCurrencyLength ? price : nil
    }
    write { connection throws(StoreError) in
      try connection.run(
        """
        INSERT OR REPLACE INTO viewed_product (market, product, at, name, amount, currency)
        VALUES (?, ?, ?, ?, ?, ?)
        """,
        .integer(try connection.numberOrNew(of: market)), .integer(product.id.rawValue),
        .integer(now().seconds), .text(product.name.prefix(bytes: Self.maxViewedNameLength)),
        .integer(price?.hundredths), .text(price?.currency.rawValue))
      try connection.run(
        """
        DELETE FROM viewed_product WHERE id IN (
          SELECT id FROM viewed_product ORDER BY at DESC, id DESC LIMIT -1 OFFSET ?)
        """, .integer(limits.viewedProducts))
    }
  }

  package func viewedProducts() -> [ViewedProduct] {
    read { connection throws(StoreError) in
      try connection.all(
        """
        SELECT m.key, fm.name, fm.location, v.product, v.name, v.amount, v.currency, v.at
        FROM viewed_product v JOIN market m ON m.id = v.market
          LEFT JOIN favorite_market fm ON fm.market = v.market
        ORDER BY v.at DESC, v.id DESC LIMIT ?
        """, [.integer(limits.viewedProducts)]
      ) { row in
        ViewedProduct(
          market: row.market(from: 0), product: row.product(3),
          name: row.text(4, atMost: Self.maxViewedNameLength), price: row.money(5, 6),
          viewed: row.time(7))
      }
    } ?? []
  }

  package func forgetViewed(_ product: Product.ID, in market: MarketKey) {
    write(survivingPowerLoss: true) { connection throws(StoreError) in
      guard let market = try connection.number(of: market) else { return }
      try connection.run(
        "DELETE FROM viewed_product WHERE market = ? AND product = ?", .integer(market),
        .integer(product.rawValue))
    }
  }
}
