package import MarketModel
package import SafeTextKit

/// Format of ages.
package enum AgeText {
  private static let hour: Int64 = 3_600
  private static let day = 24 * hour
  private static let week = 7 * day
  private static let month = 30 * day
  private static let year = 365 * day

  /// Returns the whole hours of an age; within the same hour and day its text stays the same.
  package static func hours(since instant: Timestamp, now: Timestamp) -> Int64 {
    max(0, now.seconds - instant.seconds) / hour
  }

  /// Returns the elapsed time of instants known to the second; for those known to the day, the days
  /// before today.
  ///
  /// An instant in the future, from another machine's clock or time zone, counts as now.
  package static func text(
    _ instant: Timestamp, now: Timestamp, in zone: TimeZone = .local, _ strings: Strings
  ) -> SafeText {
    unit(instant, now: now, in: zone).text(strings)
  }

  fileprivate static func unit(_ instant: Timestamp, now: Timestamp, in zone: TimeZone) -> Unit {
    switch instant.precision {
    case .second: elapsed(max(0, now.seconds - instant.seconds))
    case .day: days(max(0, zone.day(of: now) - instant.utcDay))
    }
  }

  /// Returns the longest form of an age within `columns` cells, or the shortest one: `listed 2h ago`,
  /// `2h ago` or `2h`.
  package static func short(
    _ instant: Timestamp, now: Timestamp, in zone: TimeZone = .local, columns: Int,
    _ strings: Strings
  ) -> SafeText {
    let seconds =
      switch instant.precision {
      case .second: max(0, now.seconds - instant.seconds)
      case .day: max(0, zone.day(of: now) - instant.utcDay) * day
      }
    let (compact, ago): (SafeText, SafeText)
    switch seconds {
    case ..<hour where instant.precision == .day:
      compact = strings[.ageToday]
      ago = compact
    case ..<hour: (compact, ago) = (strings[.compactNow], strings[.ageJustNow])
    default:
      compact = span(seconds, strings)
      ago = strings(.compactAgo, compact)
    }
    guard ago.columns <= columns else { return compact }
    guard columns >= listedColumns else { return ago }
    let listed = strings(.listedAge, ago)
    return listed.columns <= columns ? listed : ago
  }

  /// Minimum cells for `listed 23h ago`: below it, the ages of one list would have different forms.
  private static let listedColumns = 14

  private static func span(_ seconds: Int64, _ strings: Strings) -> SafeText {
    switch seconds {
    case ..<day: strings(.compactHours, SafeText(seconds / hour))
    case ..<week: strings(.compactDays, SafeText(seconds / day))
    case ..<month: strings(.compactWeeks, SafeText(seconds / week))
    case ..<year: strings(.compactMonths, SafeText(months(seconds)))
    default: strings(.compactYears, SafeText(seconds / year))
    }
  }

  /// Returns whole months of less than a year, at most 11.
  private static func months(_ seconds: Int64) -> Int64 { min(11, seconds / month) }

  /// Age in one unit; a nil count is a phrase without a number.
  fileprivate struct Unit: Equatable {
    let phrase: Phrase
    var count: Int64?

    func text(_ strings: Strings) -> SafeText {
      count.map { strings.counted(phrase, Int($0)) } ?? strings[phrase]
    }
  }

  private static func elapsed(_ seconds: Int64) -> Unit {
    switch seconds {
    case ..<hour: Unit(phrase: .ageJustNow)
    case ..<day: Unit(phrase: .ageHours, count: seconds / hour)
    default: longer(seconds)
    }
  }

  private static func days(_ days: Int64) -> Unit {
    switch days {
    case 0: Unit(phrase: .ageToday)
    case 1: Unit(phrase: .ageYesterday)
    default: longer(days * day)
    }
  }

  private static func longer(_ seconds: Int64) -> Unit {
    switch seconds {
    case ..<week: Unit(phrase: .ageDays, count: seconds / day)
    case ..<month: Unit(phrase: .ageWeeks, count: seconds / week)
    case ..<year: Unit(phrase: .ageMonths, count: months(seconds))
    default: Unit(phrase: .ageYears, count: seconds / year)
    }
  }
}

/// Formatter of many ages at one moment, which reuses the text of equal neighbors.
package struct AgeTexts {
  private let now: Timestamp
  private let strings: Strings
  private var last: (unit: AgeText.Unit, text: SafeText)?

  package init(now: Timestamp, _ strings: Strings) {
    self.now = now
    self.strings = strings
  }

  /// Returns the age as `AgeText.text` does.
  package mutating func text(_ instant: Timestamp) -> SafeText {
    let unit = AgeText.unit(instant, now: now, in: .local)
    if let last, last.unit == unit { return last.text }
    let text = unit.text(strings)
    last = (unit, text)
    return text
  }
}
