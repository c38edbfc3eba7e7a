import Expectations
import MarketAPI
import Testing

struct DecimalNumberTests {
  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("1000.0", 100_000), ("1000", 100_000), ("6.6666666E7", 6_666_666_600),
      ("1.8E7", 1_800_000_000), ("2.36", 236), ("0.1", 10), ("12.50", 1_250), (" 1200 ", 120_000),
      ("1e-2", 1), ("12e-1", 120), ("-3.5", -350), (".5", 50), ("5.", 500), ("+7", 700),
      ("1000.000000000000000000000000", 100_000), ("92233720368547758.07", Int64.max),
      ("0e999999999999", 0), ("0.00000000000000000000000000000", 0),
      // What binary fractions leave behind.
      ("12.360000000000001", 1_236), ("2.3599999999999999", 236), ("0.30000000000000004", 30),
    ] as [(String, Int64)])
  func `amounts are read exactly`(text: String, hundredths: Int64) throws {
    try expect(#require(DecimalNumber(text)).hundredths, hundredths)
  }

  @Test(arguments: [
    "1e400", "-1e400", "1E308", "0.001", "1e-400", "92233720368547758.08", "1234567890123456.789",
    "99999999999999999999999", "0.12345678901234567890123",
  ])
  func `what does not fit is no amount`(text: String) throws {
    try expect(#require(DecimalNumber(text)).hundredths, nil)
  }

  @Test(arguments: [
    "", " ", "-", ".", "e5", "1e", "1e+", "12x", "1,000", "0x10", "١", "1 2", "--1",
  ])
  func `what is no number is none`(text: String) {
    expect(DecimalNumber(text), nil)
  }

  @Test(
    arguments: [
      ("12", 12), ("12.0", 12), ("1.2e1", 12), ("9223372036854775807", Int64.max), ("12.5", nil),
      ("9223372036854775808", nil), ("1000000000000", 1_000_000_000_000),
      ("1e18", 1_000_000_000_000_000_000),
    ] as [(String, Int64?)])
  func `whole numbers are read exactly`(text: String, integer: Int64?) throws {
    try expect(#require(DecimalNumber(text)).integer, integer)
  }

  @Test(
    arguments: [
      ("1622505600.25", 1_622_505_600), ("-0.5", -1), ("-1", -1), ("0.9", 0), ("1e-30", 0),
      ("1611523563.7365270000000000000001", 1_611_523_563), ("-1e-30", -1), ("1e30", nil),
      ("1.6e9", 1_600_000_000),
    ] as [(String, Int64?)])
  func `the whole number below is found`(text: String, floor: Int64?) throws {
    try expect(#require(DecimalNumber(text)).floor, floor)
  }
}
