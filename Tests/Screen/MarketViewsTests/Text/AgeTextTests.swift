import MarketModel
import MarketStrings
import MarketViews
import SafeText
import Testing

@Suite struct AgeTextTests {
  private static let now = Timestamp(seconds: 1_800_000_000)

  @Test(arguments: [
    (0, "방금"), (3_599, "방금"), (3_600, "1시간 전"), (86_399, "23시간 전"), (86_400, "1일 전"),
    (604_799, "6일 전"), (604_800, "1주 전"), (2_591_999, "4주 전"), (2_592_000, "1개월 전"),
    (31_535_999, "12개월 전"), (31_536_000, "1년 전"), (63_072_000, "2년 전"), (-100, "방금"),
  ])
  func `an instant's age is elapsed time`(seconds: Int64, text: String) {
    let instant = Timestamp(seconds: Self.now.seconds - seconds)

    #expect(AgeText.text(instant, now: Self.now, Strings(.korean)).string == text)
  }

  @Test(arguments: [(0, "today"), (1, "yesterday"), (2, "2 days ago"), (7, "1 week ago")])
  func `a day's age counts days in UTC, whatever the time`(days: Int64, text: String) {
    let midnight = Self.now.utcDay * 86_400
    let day = Timestamp(seconds: midnight - days * 86_400, precision: .day)

    for time in [midnight, midnight + 86_399] {
      let age = AgeText.text(day, now: Timestamp(seconds: time), Strings(.english))
      #expect(age.string == text)
    }
  }

  @Test(arguments: [(Int64.min, "2,027 years ago"), (.max, "just now"), (-1, "57 years ago")])
  func `an instant that nobody can have meant has an age`(seconds: Int64, text: String) {
    let age = AgeText.text(Timestamp(seconds: seconds), now: Self.now, Strings(.english))

    #expect(age.string == text)
  }
}
