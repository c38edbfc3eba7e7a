internal import MarketModel
import MarketStrings
internal import SafeText
internal import TerminalKit

/// How many pieces are left, in words: "재고 4", "999+", "품절".
enum StockText {
  private static let most: Int64 = 999

  static func text(_ product: Product, _ strings: Strings) -> SafeText {
    switch product.stock {
    case ...0: strings[.soldOut]
    case ...most: strings.counted(.stockLeft, Int(product.stock))
    default: strings[.stockMany]
    }
  }

  static func style(_ product: Product, _ theme: Theme) -> Style {
    product.isSoldOut ? theme.warning.adding(.bold) : theme.secondary
  }
}
