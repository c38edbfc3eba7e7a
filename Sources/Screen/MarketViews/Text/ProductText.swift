package import MarketModel
import MarketStrings
package import MarketViewModels
package import SafeTextKit

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
