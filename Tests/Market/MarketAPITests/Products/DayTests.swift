import Expectations
import MarketAPI
import MarketModel
import TestSupport
import Testing

/// Days that old clients read.
struct DayTests {
  @Test(arguments: ProductsDialect.Variant.allCases)
  func `whatever the instant and the zone, an answer says the day of that zone`(
    variant: ProductsDialect.Variant
  ) throws {
    var random = SeededRandom(seed: 9)
    for _ in 0..<200 {
      let zone = TimeZone.fixed(seconds: .random(in: -12...14, using: &random) * 3_600)
      var detail = ProductDetail.sample(of: .sample(id: 1))
      detail.product.created = Timestamp(seconds: .random(in: 0...4_000_000_000, using: &random))
      detail.product.changed = Timestamp(seconds: .random(in: 0...4_000_000_000, using: &random))

      let dialect = ProductsDialect(variant: variant, daysIn: zone)
      let read = try dialect.detail(
        from: dialect.response(
          with: .detail(detail), to: .detail(detail.id), pictures: Wire.pictures),
        for: .detail(detail.id)
      ).product

      for (day, instant) in [
        (read.created, detail.product.created), (read.changed, detail.product.changed),
      ] {
        expect(day.precision, .day)
        expect(day.utcDay, zone.day(of: instant), "\(instant.seconds) in \(zone)")
        #expect((0..<86_400).contains(local(instant, zone) - day.seconds))
      }
    }
  }

  @Test func `the first hours of a day in Korea are that day`() {
    let instant = Timestamp(seconds: 1_700_150_400)  // 2023-11-16 16:00 UTC

    expect(WireDate.day(instant, in: .utc), "2023-11-16")
    expect(WireDate.day(instant, in: .fixed(seconds: 9 * 3_600)), "2023-11-17")
  }

  @Test func `a day is the same day everywhere`() {
    let day = Timestamp(seconds: 19_677 * 86_400, precision: .day)

    expect(TimeZone.fixed(seconds: -11 * 3_600).day(of: day), 19_677)
  }

  @Test func `items are dated by instants, whatever the zone`() throws {
    let product = MarketResult.detail(.sample(of: .sample(id: 1, created: 1_700_150_400)))
    let answers = [TimeZone.utc, .fixed(seconds: 14 * 3_600)].map { zone in
      DialectList.market(daysIn: zone)["2021"]?.response(
        with: product, to: .detail(Product.ID(rawValue: 1)), pictures: Wire.pictures
      ).text
    }

    expect(answers[0], answers[1])
    expect(answers[0]?.contains("1700150400"), true)
  }

  private func local(_ instant: Timestamp, _ zone: TimeZone) -> Int64 {
    guard case .fixed(let seconds) = zone else { return 0 }
    return instant.seconds + seconds
  }
}
