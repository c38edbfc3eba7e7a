import Expectations
import MarketModel
import Testing

struct DecimalDigitsTests {
  @Test(arguments: [
    (0, "0", "0", "0.00"), (5, "0.05", "0.05", "0.05"), (-50, "-0.5", "-0.50", "-0.50"),
    (1_250, "12.5", "12.50", "12.50"), (236, "2.36", "2.36", "2.36"),
    (100_000, "1000", "1000", "1000.00"),
    (.max, "92233720368547758.07", "92233720368547758.07", "92233720368547758.07"),
    (.min, "-92233720368547758.08", "-92233720368547758.08", "-92233720368547758.08"),
  ])
  func `an amount has as many decimals as are asked for`(
    hundredths: Int64, shortest: String, twoOrNone: String, two: String
  ) {
    expect(String(hundredths: hundredths, decimals: .shortest), shortest)
    expect(String(hundredths: hundredths, decimals: .twoOrNone), twoOrNone)
    expect(String(hundredths: hundredths, decimals: .two), two)
  }

  @Test(arguments: [
    (0, "0"), (999, "999"), (1_000, "1,000"), (-1_005, "-1,005"), (1_690_000, "1,690,000"),
    (.max, "9,223,372,036,854,775,807"), (.min, "-9,223,372,036,854,775,808"),
  ])
  func `groups are of three digits`(number: Int64, text: String) {
    expect(String(grouped: number), text)
    expect(
      String(hundredths: number / 100 * 100, decimals: .two, isGrouped: true),
      String(grouped: number / 100) + ".00")
  }
}
