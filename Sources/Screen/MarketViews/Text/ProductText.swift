package import MarketModel
import MarketStrings
package import MarketViewModels
package import SafeText
internal import TerminalKit

/// A product as one line of text, for other programs.
package enum ProductText {
  /// Its name, the price to pay, its number, and where it has one its address.
  package static func line(
    _ product: ListedProduct, at address: ProductAddress?, _ strings: Strings
  ) -> SafeText {
    let price = product.product.pricing.price.map { MoneyText.text($0.toPay) }
    let words = [product.name, price ?? strings[.priceUnreadable], SafeText(product.id.rawValue)]
    return (words + [address].compactMap { $0.map { SafeText($0.text) } }).joined(separator: " · ")
  }
}

/// Stock in words: "재고 4", "재고 999+", "품절".
enum StockText {
  private static let most: Int64 = 999

  static func text(_ stock: Int64, _ strings: Strings) -> SafeText {
    switch stock {
    case ...0: strings[.soldOut]
    case ...most: strings.counted(.stockLeft, Int(stock))
    default: strings[.stockMany]
    }
  }

  static func style(_ stock: Int64, _ theme: Theme) -> Style {
    stock <= 0 ? theme.warning.adding(.bold) : theme.secondary
  }
}
