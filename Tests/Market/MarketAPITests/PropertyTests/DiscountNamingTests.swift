import Expectations
import MarketAPI
import MarketModel
import Testing

/// The two meanings of a discount in an edit.
struct DiscountNamingTests {
  /// 100.00, of which 20.00 are taken off.
  private func price() throws -> Price {
    try #require(
      Price(full: Money(hundredths: 10_000, currency: .krw), discountHundredths: 2_000))
  }

  @Test(
    arguments: [
      (ProductPatch(stock: 1), nil), (ProductPatch(priceHundredths: 9_000), .priceToPay(7_000)),
      (ProductPatch(discount: .amount(3_000)), .priceToPay(7_000)),
      (ProductPatch(discount: .amount(0)), .priceToPay(10_000)),
      (ProductPatch(priceHundredths: 5_000, discount: .amount(1_000)), .priceToPay(4_000)),
    ] as [(ProductPatch, ProductPatch.Discount?)])
  func `v1 names the price to pay`(patch: ProductPatch, discount: ProductPatch.Discount?) throws {
    let named = try ItemsDialect().patch(patch, changing: try price())

    expect(named.discount, discount)
    expect(named.priceHundredths, patch.priceHundredths)
  }

  @Test(
    arguments: [
      (ProductPatch(priceHundredths: 9_000), nil),
      (ProductPatch(discount: .amount(3_000)), .amount(3_000)),
      (ProductPatch(discount: .priceToPay(9_000)), .amount(1_000)),
      (ProductPatch(priceHundredths: 9_000, discount: .keepPriceToPay), .amount(1_000)),
      (ProductPatch(priceHundredths: 7_000, discount: .keepPriceToPay), .amount(0)),
    ] as [(ProductPatch, ProductPatch.Discount?)])
  func `v2 names the amount`(patch: ProductPatch, discount: ProductPatch.Discount?) throws {
    let dialect = ProductsDialect(variant: .y2023)

    try expect(dialect.patch(patch, changing: try price()).discount, discount)
  }

  @Test(arguments: [15_000, 7_000] as [Int64])
  func `a product without discount gets none by keeping the price to pay`(full: Int64) throws {
    let price = try #require(Price(full: Money(hundredths: 10_000, currency: .krw)))
    let patch = ProductPatch(priceHundredths: full, discount: .keepPriceToPay)

    try expect(ItemsDialect().patch(patch, changing: price).discount, .priceToPay(full))
    let amount = try ProductsDialect(variant: .y2023).patch(patch, changing: price).discount
    expect(amount, .amount(0))
  }

  @Test func `a price in another currency keeps the price to pay as well`() throws {
    let price = try price()
    let patch = ProductPatch(
      priceHundredths: 15_000, currency: .usd, discount: .keepPriceToPay)

    let named = try ProductsDialect(variant: .y2023).patch(patch, changing: price)

    expect(named.discount, .amount(7_000))
  }

  @Test func `a discount above the price is refused before it is sent`() throws {
    let price = try price()
    let error = RepositoryError.invalid([
      FieldError(.discount, .abovePrice(priceHundredths: 1_000))
    ])

    #expect(throws: error) {
      try ItemsDialect().patch(ProductPatch(priceHundredths: 1_000), changing: price)
    }
  }

  @Test(
    arguments: [
      (ProductPatch(priceHundredths: 1_250), .price),
      (ProductPatch(discount: .priceToPay(1_250)), .discount),
    ] as [(ProductPatch, ProductField)])
  func `v1 takes no fraction, and it is refused before it is sent`(
    patch: ProductPatch, field: ProductField
  ) {
    let update = ProductUpdate(
      id: Product.ID(rawValue: 8), patch: patch, password: Password("p"), author: .guest)

    #expect(throws: RepositoryError.invalid([FieldError(field, .notWhole)])) {
      try ItemsDialect().request(for: .update(update))
    }
  }
}
