import Expectations
import MarketModel
import MarketStrings
import SafeTextKit
import TestSupport
import Testing

struct AdditionalFieldsTests {
  @Test func `what is unset is left out, and what is set stands in the order of the form`() {
    let strings = Strings(.english)
    var product = Product.sample(stock: 1)
    let nothing = AdditionalFields.facts(of: product, strings)

    (product.place, product.isReserved) = ("Seoul, Mapo", true)
    let placeAlone = AdditionalFields.facts(of: product, strings)
    (product.stock, product.category, product.condition) = (4, .sports, .likeNew)

    expect(nothing, [])
    expect(placeAlone, ["Seoul, Mapo"])
    expect(
      AdditionalFields.facts(of: product, strings), ["4 left", "Sports", "Like new", "Seoul, Mapo"])
  }

  @Test func `chips say what is chosen in the words that others have for it`() {
    let request = SearchRequest(
      reading: "cat:sports cond:used near:\"Seoul, Mapo\" is:available krw")
    func chips(_ language: Language) -> [String] {
      QueryPart.allCases.compactMap { QueryText.chip($0, of: request, Strings(language))?.string }
    }

    expect(chips(.english), ["krw", "sports", "used", "near Seoul, Mapo", "available"])
    expect(chips(.korean), ["원", "스포츠", "중고", "지역 Seoul, Mapo", "거래 가능"])
  }
}
