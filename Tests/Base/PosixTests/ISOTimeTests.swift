import Expectations
import Posix
import Testing

struct ISOTimeTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (1_769_903_999, "2026-01-31T23:59:59Z"),
    (951_782_400, "2000-02-29T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
  ])
  func `an instant is written in UTC, whatever the time zone`(seconds: Int64, text: String) {
    expect(ISOTime.text(of: seconds), text)
  }
}
