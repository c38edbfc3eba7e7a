import MarketModel

/// Coding of dates in the dialects.
package enum WireDate {
  /// Suffix of dates in v2 responses; the time is always midnight, since readers of one form reject the
  /// other, and some read hours only up to 12.
  package enum Form: Hashable, Sendable {
    /// `2022-01-04T00:00:00.00`
    case fraction
    /// `2022-11-10T00:00:00`
    case seconds
  }

  /// Reads `2022-01-04T00:00:00.00`, `2022-11-10T00:00:00`, `2021-12-29 00:00:00.000`, a date alone, and
  /// each of them with `Z` or an offset.
  ///
  /// Midnight has the precision of a day, since v2 servers store no more. Nil for other texts.
  package static func read(_ text: String) -> Timestamp? {
    var reader = DigitReader(text)
    guard let year = reader.number(digits: 4), reader.skip(0x2D),
      let month = reader.number(digits: 2), reader.skip(0x2D),
      let day = reader.number(digits: 2),
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    let midnight = date.daysSince1970 * 86_400
    if reader.isAtEnd { return Timestamp(seconds: midnight, precision: .day) }
    guard reader.skip(0x54) || reader.skip(0x20), let time = reader.timeOfDay(),
      let offset = reader.offset(), reader.isAtEnd
    else { return nil }
    return Timestamp(
      seconds: midnight + time - offset, precision: time == 0 && offset == 0 ? .day : .second)
  }

  /// Reads a date of a spreadsheet, `2026-11-20`, `2026/11/20`, `2026. 11. 20.` or `20261120`, with or
  /// without `H:MM` or `H:MM:SS`, as seconds since 1970; nil for other texts.
  ///
  /// The time may have a fraction, and 오전, 오후, AM or PM on either side.
  ///
  /// The date is of the zone; a local time that the zone skips or repeats is that of its offset before.
  package static func read(local text: String, in zone: TimeZone) -> Int64? {
    var reader = DigitReader(text)
    guard let date = reader.date() else { return nil }
    var seconds = date.daysSince1970 * 86_400
    if !reader.isAtEnd {
      guard reader.skip(0x20) || reader.skip(0x54), let time = reader.clockTime(), reader.isAtEnd
      else { return nil }
      seconds += time
    }
    return zone.instant(ofLocal: seconds)
  }

  /// Reads seconds since 1970, with or without a fraction; nil outside of the years 1 to 9999.
  package static func read(seconds number: DecimalNumber) -> Timestamp? {
    guard let seconds = number.floor, (-62_135_596_800...253_402_300_799).contains(seconds) else {
      return nil
    }
    return Timestamp(seconds: seconds)
  }

  /// An instant to the second in UTC (RFC 3339): `2026-11-22T09:00:00Z`.
  package static func instant(_ timestamp: Timestamp) -> String {
    var bytes: [UInt8] = []
    append(day: CivilDate(daysSince1970: timestamp.utcDay), to: &bytes)
    let second = timestamp.seconds - timestamp.utcDay * 86_400
    for (separator, number) in [("T", second / 3_600), (":", second / 60 % 60), (":", second % 60)]
    {
      bytes.append(contentsOf: separator.utf8)
      bytes.appendTwoDigits(number)
    }
    bytes.append(UInt8(ascii: "Z"))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The day of an instant in a time zone: `2026-11-22`.
  package static func day(_ timestamp: Timestamp, in zone: TimeZone) -> String {
    var bytes: [UInt8] = []
    append(day: CivilDate(daysSince1970: zone.day(of: timestamp)), to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the day of an instant in a time zone, at midnight.
  static func append(
    _ timestamp: Timestamp, as form: Form, in zone: TimeZone, to bytes: inout [UInt8]
  ) {
    append(day: CivilDate(daysSince1970: zone.day(of: timestamp)), to: &bytes)
    bytes.append(contentsOf: (form == .fraction ? "T00:00:00.00" : "T00:00:00").utf8)
  }

  private static func append(day date: CivilDate, to bytes: inout [UInt8]) {
    bytes.appendTwoDigits(date.year / 100)
    bytes.appendTwoDigits(date.year % 100)
    bytes.append(0x2D)
    bytes.appendTwoDigits(date.month)
    bytes.append(0x2D)
    bytes.appendTwoDigits(date.day)
  }
}

extension [UInt8] {
  /// Appends a number below 100 with two digits: `07`.
  fileprivate mutating func appendTwoDigits(_ number: Int64) {
    if number < 10 { append(UInt8(ascii: "0")) }
    appendDecimal(number)
  }
}

/// Reader of fixed numbers of digits, as in dates.
private struct DigitReader {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = Substring(text.trimmed).utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func number(digits: Int) -> Int64? {
    let head = rest.prefix(digits)
    guard head.count == digits, head.allSatisfy({ $0.decimalDigit != nil }) else { return nil }
    rest = rest.dropFirst(digits)
    return head.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  /// A number of one or two digits.
  mutating func shortNumber() -> Int64? { number(digits: 2) ?? number(digits: 1) }

  mutating func skipBlanks() { rest = rest.drop { $0 == 0x20 } }

  /// A day with hyphens, slashes, points or nothing between its numbers; nil for other texts.
  mutating func date() -> CivilDate? {
    guard let year = number(digits: 4) else { return nil }
    guard let mark = [0x2D, 0x2F, 0x2E].first(where: { skip($0) }) else {
      guard let month = number(digits: 2), let day = number(digits: 2) else { return nil }
      return CivilDate(year: year, month: month, day: day)
    }
    if mark == 0x2E { skipBlanks() }
    guard let month = shortNumber(), skip(mark) else { return nil }
    if mark == 0x2E { skipBlanks() }
    guard let day = shortNumber() else { return nil }
    if mark == 0x2E { _ = skip(mark) }
    return CivilDate(year: year, month: month, day: day)
  }

  /// Seconds since midnight, from a time of 24 hours or of two halves of a day; nil for other texts.
  mutating func clockTime() -> Int64? {
    skipBlanks()
    var isAfternoon = skipHalf()
    skipBlanks()
    guard var hour = shortNumber(), hour < 24, skip(0x3A), let minute = number(digits: 2),
      minute < 60
    else { return nil }
    var second: Int64 = 0
    if skip(0x3A) {
      guard let read = number(digits: 2), read <= 60 else { return nil }
      second = read
      if skip(0x2E) { rest = rest.drop { $0.decimalDigit != nil } }
    }
    if isAfternoon == nil {
      skipBlanks()
      isAfternoon = skipHalf()
    }
    if let isAfternoon {
      guard hour <= 12 else { return nil }
      hour = hour % 12 + (isAfternoon ? 12 : 0)
    }
    return hour * 3_600 + minute * 60 + second
  }

  private static let halves: [(word: String, isAfternoon: Bool)] = [
    ("오전", false), ("오후", true), ("am", false), ("pm", true), ("a.m.", false), ("p.m.", true),
  ]

  /// Consumes the name of a half of a day, and returns whether it is the second; nil where there is none.
  private mutating func skipHalf() -> Bool? {
    guard let first = rest.first, first > 0x3A else { return nil }
    let start = String(Substring(rest).prefix(4)).lowercased()
    guard let half = Self.halves.first(where: { start.hasPrefix($0.word) }) else { return nil }
    rest = rest.dropFirst(half.word.utf8.count)
    return half.isAfternoon
  }

  /// Consumes the next byte where it is the given one; true then.
  mutating func skip(_ byte: UInt8) -> Bool {
    guard rest.first == byte else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Seconds since midnight, from `10:20:30` with or without a fraction, or `10:20`; nil for other texts.
  mutating func timeOfDay() -> Int64? {
    guard let hour = number(digits: 2), hour < 24, skip(0x3A),
      let minute = number(digits: 2), minute < 60
    else { return nil }
    var second: Int64 = 0
    if skip(0x3A) {
      guard let read = number(digits: 2), read <= 60 else { return nil }
      second = read
      if skip(0x2E) { rest = rest.drop { $0.decimalDigit != nil } }
    }
    return hour * 3_600 + minute * 60 + second
  }

  /// Offset of local time from UTC in seconds: 0 for `Z` and at the end; nil for other texts.
  mutating func offset() -> Int64? {
    if isAtEnd || skip(0x5A) { return 0 }
    let isBehind = rest.first == 0x2D
    guard skip(0x2B) || skip(0x2D), let hours = number(digits: 2) else { return nil }
    _ = skip(0x3A)
    guard let minutes = number(digits: 2) else { return nil }
    let offset = hours * 3_600 + minutes * 60
    return isBehind ? -offset : offset
  }
}

/// Day of the Gregorian calendar, in UTC.
///
/// Counts days from 0000-03-01 in eras of 400 years (Howard Hinnant, "chrono-Compatible Low-Level Date
/// Algorithms").
private struct CivilDate: Hashable, Sendable {
  var year: Int64
  var month: Int64
  var day: Int64

  /// Nil for an invalid day, or a year outside of 1 to 9999.
  init?(year: Int64, month: Int64, day: Int64) {
    guard (1...9_999).contains(year), (1...12).contains(month),
      (1...Self.days(in: month, of: year)).contains(day)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day a number of days after 1970-01-01, clamped to the years 1 to 9999.
  init(daysSince1970 days: Int64) {
    let shifted = min(max(days, -719_162), 2_932_896) + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  var daysSince1970: Int64 {
    let yearFromMarch = month <= 2 ? year - 1 : year
    let era = yearFromMarch / 400
    let yearOfEra = yearFromMarch % 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func days(in month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// Dates in HTTP headers (RFC 9110, section 5.6.7).
package enum HTTPDate {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT` and the two obsolete forms, `Sunday, 06-Nov-94 08:49:37 GMT`
  /// and `Sun Nov  6 08:49:37 1994`, as seconds since 1970; nil for other texts.
  package static func read(_ text: String) -> Int64? {
    let words = text.split { $0 == " " || $0 == "-" }
    return switch words.count {
    case 6: seconds(day: words[1], month: words[2], year: words[3], time: words[4])
    case 5: seconds(day: words[2], month: words[1], year: words[4], time: words[3])
    default: nil
    }
  }

  /// Writes seconds since 1970 as `Sun, 06 Nov 1994 08:49:37 GMT`.
  package static func text(_ seconds: Int64) -> String {
    let day = Timestamp(seconds: seconds).utcDay
    let (date, second) = (CivilDate(daysSince1970: day), seconds - day * 86_400)
    let name = days[Int((day % 7 + 7) % 7)]
    let time = [second / 3_600, second / 60 % 60, second % 60].map(padded).joined(separator: ":")
    return "\(name), \(padded(date.day)) \(months[Int(date.month) - 1]) \(date.year) \(time) GMT"
  }

  private static func padded(_ number: Int64) -> String {
    (number < 10 ? "0" : "") + String(number)
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

  /// The full year of two digits, between 1970 and 2069.
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
