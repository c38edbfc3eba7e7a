package import MarketModel
import MarketStrings
package import MarketViewModels
package import SafeTextKit
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

/// Look of a stock: what is sold out stands out.
extension StockText {
  static func style(_ stock: Int64, _ theme: Theme) -> Style {
    stock <= 0 ? theme.warning.adding(.bold) : theme.secondary
  }
}
