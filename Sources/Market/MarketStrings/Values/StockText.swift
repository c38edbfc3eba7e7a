package import SafeTextKit

/// Stock in words: "재고 4", "재고 999+", "품절".
package enum StockText {
  private static let most: Int64 = 999

  package static func text(_ stock: Int64, _ strings: Strings) -> SafeText {
    switch stock {
    case ...0: strings[.soldOut]
    case ...most: strings.counted(.stockLeft, Int(stock))
    default: strings[.stockMany]
    }
  }
}
