import Expectations
import MarketAPI
import MarketModel
import Testing

struct WireDateTests {
  @Test(
    arguments: [
      ("2022-01-04T00:00:00.00", 1_641_254_400), ("2022-11-10T00:00:00", 1_668_038_400),
      ("2021-12-29 00:00:00.000", 1_640_736_000), ("2023-03-02", 1_677_715_200),
      ("1970-01-01T00:00:00", 0), ("2000-02-29T00:00:00", 951_782_400),
      ("1969-12-31T00:00:00Z", -86_400), ("0001-01-01T00:00:00", -62_135_596_800),
    ] as [(String, Int64)])
  func `a date at midnight is a day`(text: String, seconds: Int64) {
    expect(WireDate.read(text), Timestamp(seconds: seconds, precision: .day))
  }

  @Test(
    arguments: [
      ("2022-01-04T10:20:30", 1_641_291_630), ("2022-01-04T10:20:30.123456", 1_641_291_630),
      ("2022-01-04T10:20:30Z", 1_641_291_630), ("2022-01-04T19:20:30+09:00", 1_641_291_630),
      ("2022-01-04T19:20:30+0900", 1_641_291_630), ("2022-01-04 05:20-05:00", 1_641_291_600),
    ] as [(String, Int64)])
  func `a date with a time is a second`(text: String, seconds: Int64) {
    expect(WireDate.read(text), Timestamp(seconds: seconds))
  }

  @Test(arguments: [
    "", "yesterday", "2022", "2022-13-01", "2022-00-10", "2022-02-29T00:00:00", "1900-02-29",
    "2022-04-31", "0000-01-01", "20220104", "2022-1-4", "2022-01-04T24:00:00",
    "2022-01-04T00:60:00", "2022-01-04T00:00:00x", "2022-01-04X00:00:00", "99999-01-01",
    "-001-01-01", "2022-01-04T", "٢٠٢٢-01-04",
  ])
  func `nonsense is no date`(text: String) {
    expect(WireDate.read(text), nil)
  }

  @Test(arguments: ["1e400", "-1e30", "253402300800", "9223372036854775807"])
  func `seconds beyond the calendar are no date`(text: String) throws {
    expect(WireDate.read(seconds: try #require(DecimalNumber(text))), nil)
  }

  @Test func `seconds lose their fraction`() throws {
    let number = try #require(DecimalNumber("1622505600.75"))

    expect(WireDate.read(seconds: number), Timestamp(seconds: 1_622_505_600))
  }

  @Test(
    arguments: [
      (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
      (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    ] as [(Int64, String)])
  func `dates of headers are written as they are read`(seconds: Int64, text: String) {
    expect(HTTPDate.text(seconds), text)
    expect(HTTPDate.read(text), seconds)
  }
}
