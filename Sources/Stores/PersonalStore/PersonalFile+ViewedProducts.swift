import MarketModel
import SQLiteKit

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
