/// Dates as HTTP headers hold them (RFC 9110, section 5.6.7).
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT` and the two forms of old, `Sunday, 06-Nov-94 08:49:37 GMT`
  /// and `Sun Nov  6 08:49:37 1994`.
  ///
  /// - Parameter text: the value of a header.
  /// - Returns: seconds since 1970; nil for anything else.
  static func read(_ text: String) -> Int64? {
    let words = text.split { $0 == " " || $0 == "-" }
    return switch words.count {
    case 6: seconds(day: words[1], month: words[2], year: words[3], time: words[4])
    case 5: seconds(day: words[2], month: words[1], year: words[4], time: words[3])
    default: nil
    }
  }

  private static func seconds(
    day: Substring, month: Substring, year: Substring, time: Substring
  ) -> Int64? {
    let clock = time.split(separator: ":").compactMap(number)
    guard let day = number(day), let month = months.firstIndex(of: String(month)),
      let year = number(year), clock.count == 3, clock[0] < 24, clock[1] < 60, clock[2] <= 60,
      let date = CivilDate(year: fullYear(year), month: Int64(month + 1), day: day)
    else { return nil }
    return date.daysSince1970 * 86_400 + clock[0] * 3_600 + clock[1] * 60 + clock[2]
  }

  /// A year of two digits lies between 1970 and 2069.
  private static func fullYear(_ year: Int64) -> Int64 {
    switch year {
    case 0..<70: 2_000 + year
    case 70..<100: 1_900 + year
    default: year
    }
  }

  private static func number(_ digits: Substring) -> Int64? {
    digits.utf8.allSatisfy { $0.decimalDigit != nil } ? Int64(digits) : nil
  }
}
