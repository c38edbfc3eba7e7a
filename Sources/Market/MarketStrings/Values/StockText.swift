package import MarketModel
package import SafeTextKit

/// Format of a stock: "재고 4", "재고 999+", "판매 완료".
package enum StockText {
  /// Maximum that is shown as a number; more is "999+".
  private static let most: Int64 = 999

  package static func text(_ stock: Int64, _ strings: Strings) -> SafeText {
    switch stock {
    case ...0: strings[.soldOut]
    case ...most: strings.counted(.stockLeft, Int(stock))
    default: strings[.stockMany]
    }
  }

  /// Returns the stock for a list of values; nil for a single piece, and for sold-out products, whose
  /// price shows that.
  package static func fact(_ product: Product, _ strings: Strings) -> SafeText? {
    product.stock > 1 ? text(product.stock, strings) : nil
  }
}
