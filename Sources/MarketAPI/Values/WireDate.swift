import MarketModel

/// Dates as the dialects spell them.
package enum WireDate {
  /// How v2 answers end a date; the time is midnight in either form, because readers of the one
  /// form refuse the other and some read hours only up to 12.
  package enum Form: Hashable, Sendable {
    /// `2022-01-04T00:00:00.00`
    case fraction
    /// `2022-11-10T00:00:00`
    case seconds
  }

  /// Reads `2022-01-04T00:00:00.00`, `2022-11-10T00:00:00`, `2021-12-29 00:00:00.000`, a date
  /// alone, and all of them with `Z` or an offset.
  ///
  /// Midnight has the precision of a day, for that is all that v2 servers keep.
  ///
  /// - Parameter text: the date as it was sent.
  /// - Returns: the instant; nil for anything that is no date.
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

  /// Reads a number of seconds since 1970, with or without a fraction; nil beyond the year 9999.
  package static func read(seconds number: DecimalNumber) -> Timestamp? {
    guard let seconds = number.floor, (-62_135_596_800...253_402_300_799).contains(seconds) else {
      return nil
    }
    return Timestamp(seconds: seconds)
  }

  /// Appends the UTC day of an instant, at midnight.
  static func append(_ timestamp: Timestamp, as form: Form, to bytes: inout [UInt8]) {
    let date = CivilDate(daysSince1970: timestamp.utcDay)
    bytes.appendTwoDigits(date.year / 100)
    bytes.appendTwoDigits(date.year % 100)
    bytes.append(0x2D)
    bytes.appendTwoDigits(date.month)
    bytes.append(0x2D)
    bytes.appendTwoDigits(date.day)
    bytes.append(contentsOf: (form == .fraction ? "T00:00:00.00" : "T00:00:00").utf8)
  }
}

extension [UInt8] {
  /// Appends a number of at most two digits with both of them: `07`.
  fileprivate mutating func appendTwoDigits(_ number: Int64) {
    if number < 10 { append(UInt8(ascii: "0")) }
    appendDecimal(number)
  }
}

/// Reads digits of a fixed count, as dates have them.
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

  /// Whether the next byte is the given one, which is then read.
  mutating func skip(_ byte: UInt8) -> Bool {
    guard rest.first == byte else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Seconds since midnight, from `10:20:30` with or without a fraction, or `10:20`.
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

  /// Seconds that local time is ahead of UTC: 0 for `Z` and for nothing.
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
