package import MarketModel
import MarketStrings
package import MarketViewModels
package import SafeTextKit

/// Text of a product in one line, for other programs.
package enum ProductText {
  /// Returns name, price to pay, number, and address if there is one.
  package static func line(
    _ product: ListedProduct, at address: ProductAddress?, _ strings: Strings
  ) -> SafeText {
    let price = product.product.pricing.price.map { MoneyText.text($0.toPay) }
    let words = [product.name, price ?? strings[.priceUnreadable], SafeText(product.id.rawValue)]
    return (words + [address].compactMap { $0.map { SafeText($0.text) } }).joined(separator: " · ")
  }
}
