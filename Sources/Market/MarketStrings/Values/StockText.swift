package import MarketModel
package import SafeTextKit

/// Stock in words: "재고 4", "재고 999+", "판매 완료".
package enum StockText {
  private static let most: Int64 = 999

  package static func text(_ stock: Int64, _ strings: Strings) -> SafeText {
    switch stock {
    case ...0: strings[.soldOut]
    case ...most: strings.counted(.stockLeft, Int(stock))
    default: strings[.stockMany]
    }
  }

  /// The stock among other facts; nil where there is just one, and where what is sold says so in the
  /// place of the price.
  package static func fact(_ product: Product, _ strings: Strings) -> SafeText? {
    product.stock > 1 ? text(product.stock, strings) : nil
  }
}
