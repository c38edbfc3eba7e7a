import Expectations
import MarketModel
import TestSupport
import Testing

struct AmountTests {
  private func read(_ text: String) throws -> Int64 { try Amount(reading: text).hundredths }

  @Test(arguments: [
    ("12,000원", 1_200_000, Currency.krw), ("￦１２，０００", 1_200_000, .krw),
    ("KRW 12000", 1_200_000, .krw), ("₩12,000 원", 1_200_000, .krw), ("1만5천원", 1_500_000, .krw),
    ("1만 5천 원화", 1_500_000, .krw), ("$12.50", 1_250, .usd), ("＄１２．５０", 1_250, .usd),
    ("12,50 usd", 1_250, .usd), ("ＵＳＤ 12.5", 1_250, .usd), ("$12.50 USD", 1_250, .usd),
    ("US$20", 2_000, .usd), ("US $20.00", 2_000, .usd), ("20 US$", 2_000, .usd),
    ("USD $20", 2_000, .usd), ("5달러", 500, .usd),
    ("\u{FEFF}\u{200E}$1,234.56\u{A0}", 123_456, .usd), ("$5k", 500_000, .usd),
    ("19,99 eur", 1_999, Currency(rawValue: "EUR")), ("JPY 300", 30_000, Currency(rawValue: "JPY")),
  ])
  func `a sign or a code names the currency on either side`(
    text: String, hundredths: Int64, currency: Currency
  ) throws {
    let amount = try Amount(reading: text)

    expect(amount.currency, currency)
    try expect(amount.hundredths(in: currency), hundredths)
  }

  @Test(
    arguments: [
      ("12.50", 1_250), ("12,50", 1_250), ("12.5", 1_250), (".50", 50), ("0,5", 50), ("12.", 1_200),
      ("1.234", 123_400), ("1.234,5", 123_450), ("1,234.56", 123_456), ("1.234.567", 123_456_700),
      ("007", 700), ("1.5만", 1_500_000), ("1,234만", 1_234_000_000), ("3만5천", 3_500_000),
      ("1억2만3", 10_002_000_300), ("2k", 200_000), ("1.25m", 125_000_000), ("١٢٫", nil),
    ] as [(String, Int64?)])
  func `groups have three digits and decimals one or two`(text: String, hundredths: Int64?) {
    expect(try? read(text), hundredths)
  }

  @Test(arguments: [
    ("0.500", "0.5", "500"), ("1,234.567", "1,234.567", "1,234,567"), ("0,123", "0.123", "123"),
    ("1,234,5", "1,234.5", "12,345"), ("12,34.56", "1,234.56", "123,456"),
    ("1.2345", "1.2345", "12,345"), ("1234.567", "1,234.567", "1,234,567"),
    ("$1.234.5", "1,234.5", "12,345"), ("1.234만원", "1.234만", "1,234만"),
    ("2억1,2345", "2억1.2345", "2억12,345"),
  ])
  func `what has two readings names both`(text: String, decimal: String, grouped: String) {
    #expect(throws: AmountError.ambiguous(decimal: decimal, grouped: grouped)) {
      try Amount(reading: text)
    }
  }

  @Test(arguments: [
    ("", AmountError.noAmount), ("  ", .noAmount), (".", .noAmount), ("원", .noAmount),
    ("abc", .noAmount), ("12 000", .noAmount), ("1..2", .noAmount), ("$5원", .noAmount),
    ("12 lamps", .noAmount), ("A$5", .noAmount), ("만", .noAmount), ("5천20만", .noAmount),
    ("1만50000", .noAmount), ("1.5만5천", .noAmount), ("1만2만", .noAmount), ("①", .noAmount),
    ("-5", .negative), ("−$5", .negative), ("$-5", .negative), ("-x", .noAmount),
    ("92233720368547758.08", .tooLarge), ("1000000억억", .noAmount), ("9999999999억", .tooLarge),
    (String(repeating: "9", count: 99), .tooLarge), (String(repeating: "9", count: 101), .noAmount),
  ])
  func `what is no amount says why`(text: String, error: AmountError) {
    #expect(throws: error) { try Amount(reading: text) }
  }

  @Test func `an amount is of its currency alone, and won have no decimals`() throws {
    let euro = Currency(rawValue: "EUR")

    #expect(throws: AmountError.otherCurrency(.usd, instead: .krw)) {
      try Amount(reading: "$5").hundredths(in: .krw)
    }
    for text in ["95.50", "95,5원", "95.00"] {
      #expect(throws: AmountError.decimals(.krw)) { try Amount(reading: text).hundredths(in: .krw) }
    }
    try expect(Amount(reading: "95.50").hundredths(in: euro), 9_550)
    try expect(Amount(reading: "1.5만").hundredths(in: .krw), 1_500_000)
  }

  // MARK: Laws

  @Test func `every way to group a number reads as that number`() throws {
    var random = SeededRandom(seed: 28)

    for _ in 0..<4_000 {
      let (whole, cents) = Self.number(by: &random)
      for (separator, point) in [(",", "."), (".", ","), ("", "."), ("", ",")] {
        let digits = String(grouped: whole).split(separator: ",").joined(separator: separator)
        try expect(read(digits), whole * 100, "\(digits)")
        let tenths = digits + point + String(cents / 10)
        try expect(read(tenths), whole * 100 + cents / 10 * 10, "\(tenths)")
        let hundredths = digits + point + (cents < 10 ? "0" : "") + String(cents)
        try expect(read(hundredths), whole * 100 + cents, "\(hundredths)")
      }
    }
  }

  @Test func `what is written for a field, a line or a table reads as it was`() throws {
    var random = SeededRandom(seed: 29)

    for _ in 0..<4_000 {
      let hundredths = Int64.random(in: 0 ... .max, using: &random) >> Int64.random(in: 0...62)
      for decimals in [AmountDecimals.shortest, .twoOrNone, .two] {
        for isGrouped in [false, true] {
          let text = String(hundredths: hundredths, decimals: decimals, isGrouped: isGrouped)
          try expect(read(text), hundredths, "\(text)")
        }
      }
    }
  }

  @Test func `what is accepted has its digits and no others`() {
    var random = SeededRandom(seed: 30)

    for _ in 0..<40_000 {
      let text = Self.text(of: ["0", "1", "23", "400", ".", ",", "."], by: &random)
      guard let hundredths = try? read(text) else { continue }
      // A number can be read with its last separator as a point, or with none: nothing else.
      let digits = text.filter(\.isNumber)
      let last = text.lastIndex { !$0.isNumber }
      let decimals = last.map { text[text.index(after: $0)...].count } ?? 0
      let zeros = (1...2).contains(decimals) ? 2 - decimals : 2
      expect(hundredths, Int64(digits + String(repeating: "0", count: zeros)), "\(text)")
    }
  }

  @Test func `whoever types an amount is never told that it is none`() {
    var random = SeededRandom(seed: 31)

    for _ in 0..<2_000 {
      let pieces = ["1", "23", "450", ",", ".", "만", "천", "$", "원", "달러", "usd", "eur", " ", "k"]
      let text = Self.text(of: pieces, by: &random)
      guard (try? Amount(reading: text)) != nil else { continue }
      for end in text.indices { #expect(Amount.canBegin(String(text[..<end])), "\(text)") }
    }
    for text in [
      "0.500", "1,234.567", "-", "abcd", "1..", "1.5.", String(repeating: "9", count: 30),
    ] {
      #expect(!Amount.canBegin(text), "\(text)")
    }
  }

  private static func number(by random: inout SeededRandom) -> (whole: Int64, cents: Int64) {
    let largest = Int64(1) << Int64.random(in: 1...56, using: &random)
    return (
      Int64.random(in: 0..<min(largest, .max / 100), using: &random),
      .random(in: 0...99, using: &random)
    )
  }

  private static func text(of pieces: [String], by random: inout SeededRandom) -> String {
    (0...Int.random(in: 0..<8, using: &random))
      .compactMap { _ in pieces.randomElement(using: &random) }.joined()
  }
}
