import Expectations
import MarketModel
import Testing

@testable import SampleMarket

struct EmbeddedSampleTests {
  let products = EmbeddedSample.products(in: .korean)

  @Test(arguments: EmbeddedSample.Edition.allCases)
  func `every product and picture is one that a store accepts`(_ edition: EmbeddedSample.Edition) {
    let problems = EmbeddedSample.products(in: edition).flatMap { product in
      StorageRules.problems(
        of: ProductRegistration(
          product.product.fieldValues, pictures: product.pictures.map(\.bytes),
          password: Password(EmbeddedSample.password)))
    }

    #expect(problems.isEmpty)
  }

  @Test(arguments: EmbeddedSample.Edition.allCases)
  func `it is a market of many products by several sellers`(_ edition: EmbeddedSample.Edition) {
    let products = EmbeddedSample.products(in: edition)

    #expect(products.count >= 60)
    #expect((8...10).contains(Set(products.map(\.product.seller.name)).count))
    expect(Set(products.map(\.product.name)).count, products.count)
  }

  @Test func `some are sold out, many reduced, one is there by the thousand, a fifth in dollars`() {
    #expect(products.count { $0.product.stock == 0 } >= 5)
    expect(products.count { $0.product.isReserved }, 5)
    #expect(products.contains { $0.product.stock > 999 })
    #expect(products.count { $0.product.price.isReduced } >= 15)
    #expect((12...16).contains(products.count { $0.product.price.currency == .usd }))
  }

  @Test(arguments: EmbeddedSample.Edition.allCases)
  func `every price and discount is whole, as many clients read them as integers`(
    _ edition: EmbeddedSample.Edition
  ) {
    let products = EmbeddedSample.products(in: edition)

    #expect(products.allSatisfy { $0.product.price.full.hundredths.isMultiple(of: 100) })
    #expect(products.allSatisfy { $0.product.price.discountHundredths.isMultiple(of: 100) })
  }

  @Test func `names and texts are in Korean and in English, short and long`() {
    let korean = products.count { $0.product.name.contains { ("가"..."힣").contains($0) } }

    #expect(korean >= 30)
    #expect(products.count - korean >= 8)
    #expect(products.contains { $0.product.name.count > 60 })
    #expect(products.contains { $0.product.description.count > 950 })
  }

  @Test func `the English market has the same products, pictures, stock and dates`() {
    let english = EmbeddedSample.products(in: .english)

    expect(english.map(\.product.stock), products.map(\.product.stock))
    expect(english.map(\.product.created), products.map(\.product.created))
    expect(english.map(\.product.price.isReduced), products.map(\.product.price.isReduced))
    expect(english.map { $0.pictures.map(\.bytes) }, products.map { $0.pictures.map(\.bytes) })
    let sellers = Set(
      zip(products, english).map { [$0.product.seller.name, $1.product.seller.name] })
    expect(sellers.count, Set(products.map(\.product.seller.name)).count)
  }

  @Test func `the English market is in English, short and long, and in dollars`() {
    let english = EmbeddedSample.products(in: .english)
    let texts = english.flatMap {
      [$0.product.name, $0.product.description, $0.product.seller.name]
    }

    let hangul: [ClosedRange<Unicode.Scalar>] = [
      "\u{1100}"..."\u{11FF}", "\u{3130}"..."\u{318F}", "가"..."힣",
    ]

    let scalars = texts.flatMap(\.unicodeScalars)
    #expect(!scalars.contains { scalar in hangul.contains { $0 ~= scalar } })
    #expect(english.allSatisfy { $0.product.price.currency == .usd })
    #expect(english.contains { $0.product.name.count > 60 })
    #expect(english.contains { $0.product.description.count > 950 })
  }

  @Test func `pictures are 600 pixels or more on the long side, and come in three formats`() {
    let pictures = products.flatMap(\.pictures)

    #expect(pictures.allSatisfy { max($0.size.width, $0.size.height) >= 600 })
    expect(Set(pictures.map(\.format)), [.jpeg, .png, .webp])
    #expect(pictures.allSatisfy { PictureFormat(sniffing: $0.thumbnail) == .jpeg })
    expect(Set(products.map(\.pictures.count)), [1, 2, 3, 4, 5])
  }

  @Test func `pictures and thumbnails together are under 4 MB`() {
    let bytes = products.flatMap(\.pictures).map { $0.bytes.count + $0.thumbnail.count }

    #expect(bytes.reduce(0, +) < 4_000_000)
  }

  @Test func `dates reach from some seconds to two years back, and ids in order rise with them`() {
    let ages = products.map { -$0.product.created }

    expect(ages, ages.sorted(by: >))
    expect(ages.last.map { $0 < 60 }, true)
    expect(ages.first.map { $0 > 2 * 365 * 86_400 }, true)
  }
}
