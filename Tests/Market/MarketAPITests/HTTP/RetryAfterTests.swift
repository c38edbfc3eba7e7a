import Expectations
import MarketAPI
import Testing

struct RetryAfterTests {
  private func seconds(_ pause: String, at date: String?) -> Int64? {
    var response = HTTPResponse(.serviceUnavailable, headers: ["Retry-After": pause])
    response.headers["Date"] = date
    return response.retryAfterSeconds
  }

  @Test(arguments: [("0", 0), ("120", 120), (" 7 ", 7), ("-3", 0)] as [(String, Int64)])
  func `a pause is a number of seconds`(_ pause: String, _ expected: Int64) {
    expect(seconds(pause, at: nil), expected)
  }

  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 7), ("Sunday, 06-Nov-94 08:49:37 GMT", 7),
      ("Sun Nov  6 08:49:37 1994", 7), ("Mon, 07 Nov 1994 08:49:30 GMT", 86_400),
      ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("Sat, 31 Dec 1994 23:59:60 GMT", 4_806_630),
      ("Sunday, 06-Nov-22 08:49:30 GMT", 883_612_800),
    ] as [(String, Int64)])
  func `a pause may be a date, which counts from that of the answer`(
    _ pause: String, _ expected: Int64
  ) {
    expect(seconds(pause, at: "Sun, 06 Nov 1994 08:49:30 GMT"), expected)
  }

  @Test(arguments: [
    "", "soon", "1.5", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Noe 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "1994-11-06T08:49:37Z",
    "Sun, x6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:+9:37 GMT", "99999999999999999999",
  ])
  func `what is neither says nothing`(_ pause: String) {
    expect(seconds(pause, at: "Sun, 06 Nov 1994 08:49:30 GMT"), nil)
  }

  @Test func `a date says nothing where the answer has none`() {
    expect(seconds("Sun, 06 Nov 1994 08:49:37 GMT", at: nil), nil)
  }
}
