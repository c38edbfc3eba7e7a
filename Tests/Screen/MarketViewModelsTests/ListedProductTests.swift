import Expectations
import MarketModel
import MarketViewModels
import SafeTextKit
import TestSupport
import Testing

struct ListedProductTests {
  @Test(arguments: ["", "  ", "\u{200B}", "\u{3000}"])
  func `a name of which nothing can be seen is a dash`(name: String) {
    let product = ListedProduct(.sample(name: name))

    expect(product.name.string, "—")
  }

  @Test func `a name is shown as it is`() {
    let product = ListedProduct(.sample(name: " Bicycle"))

    expect(product.name.string, " Bicycle")
  }
}
