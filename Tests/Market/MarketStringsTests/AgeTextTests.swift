import Expectations
import MarketModel
import MarketStrings
import SafeTextKit
import Testing

struct AgeTextTests {
  private static let now = Timestamp(seconds: 1_800_000_000)

  @Test(arguments: [
    (0, "방금"), (3_599, "방금"), (3_600, "1시간 전"), (86_399, "23시간 전"), (86_400, "1일 전"),
    (604_799, "6일 전"), (604_800, "1주 전"), (2_591_999, "4주 전"), (2_592_000, "1개월 전"),
    (31_104_000, "11개월 전"), (31_535_999, "11개월 전"), (31_536_000, "1년 전"), (63_072_000, "2년 전"),
    (-100, "방금"),
  ])
  func `an instant's age is elapsed time`(seconds: Int64, text: String) {
    let instant = Timestamp(seconds: Self.now.seconds - seconds)

    expect(AgeText.text(instant, now: Self.now, Strings(.korean)).string, text)
  }

  @Test(arguments: [(0, "today"), (1, "yesterday"), (2, "2 days ago"), (7, "1 week ago")])
  func `a day's age counts days, whatever the time`(days: Int64, text: String) {
    let midnight = Self.now.utcDay * 86_400
    let day = Timestamp(seconds: midnight - days * 86_400, precision: .day)

    for time in [midnight, midnight + 86_399] {
      let age = AgeText.text(day, now: Timestamp(seconds: time), in: .utc, Strings(.english))
      expect(age.string, text)
    }
  }

  @Test func `a day of a market is today's here, or lies one ahead, and then is today as well`() {
    let korea = TimeZone.fixed(seconds: 9 * 3_600)
    // Half past midnight on the 17th in Korea; still the 16th in Berlin.
    let now = Timestamp(seconds: 1_700_148_600)
    let days = [17, 16].map { Timestamp(seconds: (19_661 + $0) * 86_400, precision: .day) }
    func ages(in zone: TimeZone) -> [String] {
      days.flatMap { day in
        [
          AgeText.text(day, now: now, in: zone, Strings(.english)).string,
          AgeText.short(day, now: now, in: zone, columns: 0, Strings(.english)).string,
        ]
      }
    }

    expect(ages(in: korea), ["today", "today", "yesterday", "1d"])
    expect(ages(in: .fixed(seconds: 3_600)), ["today", "today", "today", "today"])
  }

  @Test func `no age says twelve months or more`() {
    for days in 30...1_000 as ClosedRange<Int64> {
      let instant = Timestamp(seconds: Self.now.seconds - days * 86_400)

      let age = AgeText.text(instant, now: Self.now, Strings(.english)).string

      let number = age.split(separator: " ").first.flatMap { Int64($0) }
      let expected = days < 365 ? min(11, days / 30) : days / 365
      expect(number, expected, "\(days): \(age)")
      #expect(age.contains(days < 365 ? "month" : "year"), "\(days): \(age)")
    }
  }

  @Test(arguments: [(Int64.min, "2,027 years ago"), (.max, "just now"), (-1, "57 years ago")])
  func `an instant that nobody can have meant has an age`(seconds: Int64, text: String) {
    let age = AgeText.text(Timestamp(seconds: seconds), now: Self.now, Strings(.english))

    expect(age.string, text)
  }

  @Test(arguments: [
    (-1, "now", "방금"), (0, "now", "방금"), (2, "2h", "2시간"), (23, "23h", "23시간"), (72, "3d", "3일"),
    (168, "1w", "1주"), (696, "4w", "4주"), (2_880, "4mo", "4개월"), (8_736, "11mo", "11개월"),
    (17_520, "2y", "2년"),
  ])
  func `among many products an age takes as few cells as it can`(
    hours: Int64, english: String, korean: String
  ) {
    let instant = Timestamp(seconds: Self.now.seconds - hours * 3_600)

    expect(AgeText.short(instant, now: Self.now, columns: 0, Strings(.english)).string, english)
    expect(AgeText.short(instant, now: Self.now, columns: 0, Strings(.korean)).string, korean)
  }

  @Test(
    arguments: [
      (0, ["listed just now", "just now", "now"], ["방금 등록", "방금"]),
      (2, ["listed 2h ago", "2h ago", "2h"], ["2시간 전 등록", "2시간 전", "2시간"]),
    ] as [(Int64, [String], [String])])
  func `where there is room it says since when something is listed`(
    hours: Int64, english: [String], korean: [String]
  ) {
    let instant = Timestamp(seconds: Self.now.seconds - hours * 3_600)

    func texts(_ language: Language) -> [String] {
      var texts: [String] = []
      for columns in (0...20).reversed() {
        let text = AgeText.short(instant, now: Self.now, columns: columns, Strings(language)).string
        if text != texts.last { texts.append(text) }
      }
      return texts
    }

    expect(texts(.english), english)
    expect(texts(.korean), korean)
  }

  @Test(arguments: [(0, "today"), (1, "1d"), (8, "1w")])
  func `so does one that is known to the day`(days: Int64, text: String) {
    let day = Timestamp(seconds: (Self.now.utcDay - days) * 86_400, precision: .day)

    expect(AgeText.short(day, now: Self.now, in: .utc, columns: 0, Strings(.english)).string, text)
  }

  @Test(arguments: Language.allCases)
  func `neighbours have the ages that each has by itself`(language: Language) {
    let strings = Strings(language)
    let instants = [0, 1, 3_600, 7_199, 7_200, 86_400, 86_400, 7_200, -9, 1 << 40].flatMap {
      seconds in
      [Timestamp.Precision.second, .day].map {
        Timestamp(seconds: Self.now.seconds - seconds, precision: $0)
      }
    }
    var ages = AgeTexts(now: Self.now, strings)

    for instant in instants + instants.sorted(by: { $0.seconds < $1.seconds }) {
      expect(ages.text(instant), AgeText.text(instant, now: Self.now, strings))
    }
  }

  @Test(arguments: Language.allCases)
  func `no age is wider than its column`(language: Language) {
    for seconds in [Int64.min, -1, 0, 1_799_999_999, 1_790_000_000] {
      for precision in [Timestamp.Precision.second, .day] {
        let age = AgeText.short(
          Timestamp(seconds: seconds, precision: precision), now: Self.now, columns: 0,
          Strings(language))
        #expect(age.columns <= (language == .korean ? 6 : 5))
      }
    }
  }
}
