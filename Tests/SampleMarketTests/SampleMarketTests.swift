import MarketModel
import Testing

@testable import SampleMarket

@Suite struct SampleMarketTests {
  let products = SampleMarket.products()

  @Test func `every product and picture is one that a store accepts`() {
    let problems = products.flatMap { product in
      StorageRules.problems(
        of: ProductRegistration(
          name: product.name, description: product.description, price: product.price.full,
          discountHundredths: product.price.discountHundredths, stock: product.stock,
          pictures: product.pictures.map(\.bytes), password: Password(SampleMarket.password)))
    }

    #expect(problems.isEmpty)
  }

  @Test func `pictures are 600 pixels or more on the long side, and come in three formats`() {
    let pictures = products.flatMap(\.pictures)

    #expect(pictures.allSatisfy { max($0.size.width, $0.size.height) >= 600 })
    #expect(Set(pictures.map(\.format)) == [.jpeg, .png, .webp])
    #expect(pictures.allSatisfy { PictureFormat(sniffing: $0.thumbnail) == .jpeg })
  }

  @Test func `ids given in order rise with the dates`() {
    let ages = products.map(\.ageSeconds)

    #expect(ages == ages.sorted(by: >))
  }
}
