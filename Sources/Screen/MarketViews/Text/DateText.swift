import Glibc
internal import MarketModel
import MarketStrings
internal import SafeTextKit

/// Local dates and times: 03-02 14:30, or Mar 2, 14:30; with the year where it is not the present one,
/// and without the time where that is unknown.
enum DateText {
  /// Returns age and date of the registration: just now (Nov 22, 06:01).
  static func registered(_ product: Product, now: Timestamp, _ strings: Strings) -> SafeText {
    let age = AgeText.text(product.created, now: now, strings)
    return age + " (" + text(product.created, now: now, strings) + ")"
  }

  /// Returns the date of the last change; nil where it reads like that of the registration.
  static func changed(_ product: Product, now: Timestamp, _ strings: Strings) -> SafeText? {
    let changed = text(product.changed, now: now, strings)
    guard changed != text(product.created, now: now, strings) else { return nil }
    return strings(.changed, changed)
  }

  /// Returns the local time: 14:30.
  static func time(_ instant: Timestamp) -> SafeText {
    let parts = parts(of: instant.seconds, isLocal: true)
    return SafeText("\(twoDigits(parts.tm_hour)):\(twoDigits(parts.tm_min))")
  }

  /// Returns the local date, or the UTC date of a timestamp without time: 03-02, or Mar 2, 2025.
  static func day(_ instant: Timestamp, now: Timestamp, _ strings: Strings) -> SafeText {
    date(instant, now: now, isLocal: instant.precision == .second, strings)
  }

  /// Returns the time for today, "yesterday", or the date.
  static func recent(_ instant: Timestamp, now: Timestamp, _ strings: Strings) -> SafeText {
    let date = day(instant, now: now, strings)
    let yesterday = Timestamp(seconds: now.seconds - secondsOfDay)
    return switch date {
    case day(now, now: now, strings): time(instant)
    case day(yesterday, now: now, strings): strings[.ageYesterday]
    default: date
    }
  }

  private static let secondsOfDay: Int64 = 86_400

  static func text(_ instant: Timestamp, now: Timestamp, _ strings: Strings) -> SafeText {
    let isLocal = instant.precision == .second
    let date = date(instant, now: now, isLocal: isLocal, strings)
    return isLocal ? strings(.dateAndTime, date, time(instant)) : date
  }

  private static func date(
    _ instant: Timestamp, now: Timestamp, isLocal: Bool, _ strings: Strings
  ) -> SafeText {
    let parts = parts(of: instant.seconds, isLocal: isLocal)
    let isThisYear = parts.tm_year == Self.parts(of: now.seconds, isLocal: true).tm_year
    let month = strings(.monthName, number: Int(parts.tm_mon) + 1)
    let day =
      strings.language == .korean
      ? SafeText(twoDigits(parts.tm_mday)) : SafeText(Int(parts.tm_mday))
    return isThisYear
      ? strings(.dateInYear, month, day)
      : strings(.dateWithYear, month, day, SafeText(Int(parts.tm_year) + 1900))
  }

  /// Returns date and time in constant width, as in lists of files: 2026-03-02 14:30.
  static func column(of instant: Timestamp) -> SafeText {
    let parts = parts(of: instant.seconds, isLocal: true)
    let day =
      "\(Int(parts.tm_year) + 1900)-\(twoDigits(parts.tm_mon + 1))-\(twoDigits(parts.tm_mday))"
    return SafeText(day + " ") + time(instant)
  }

  private static func parts(of seconds: Int64, isLocal: Bool) -> tm {
    var seconds = time_t(seconds)
    var parts = tm()
    if isLocal { localtime_r(&seconds, &parts) } else { gmtime_r(&seconds, &parts) }
    return parts
  }

  private static func twoDigits(_ number: Int32) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
