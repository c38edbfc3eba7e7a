package import MarketModel
package import SafeTextKit

/// Age of something in words.
package enum AgeText {
  private static let hour: Int64 = 3_600
  private static let day = 24 * hour
  private static let week = 7 * day
  private static let month = 30 * day
  private static let year = 365 * day

  /// Elapsed time for instants known to the second; days before today's for those known to the day.
  ///
  /// An instant in the future, as another machine's clock or time zone may say, counts as now.
  package static func text(
    _ instant: Timestamp, now: Timestamp, in zone: TimeZone = .local, _ strings: Strings
  ) -> SafeText {
    switch instant.precision {
    case .second: elapsed(max(0, now.seconds - instant.seconds), strings)
    case .day: days(max(0, zone.day(of: now) - instant.utcDay), strings)
    }
  }

  /// Ways to say it in few cells, the longest first: `listed 2h ago`, `2h ago`, `2h`.
  private enum Length: CaseIterable {
    case listed, ago, compact
  }

  /// The same of a product in so many cells, or in as few as there can be.
  package static func short(
    _ instant: Timestamp, now: Timestamp, in zone: TimeZone = .local, columns: Int,
    _ strings: Strings
  ) -> SafeText {
    let texts = Length.allCases.lazy.map { text(instant, now: now, in: zone, as: $0, strings) }
    return texts.first { $0.columns <= columns }
      ?? text(instant, now: now, in: zone, as: .compact, strings)
  }

  private static func text(
    _ instant: Timestamp, now: Timestamp, in zone: TimeZone, as length: Length, _ strings: Strings
  ) -> SafeText {
    if length == .listed {
      return strings(.listedAge, text(instant, now: now, in: zone, as: .ago, strings))
    }
    let seconds =
      switch instant.precision {
      case .second: max(0, now.seconds - instant.seconds)
      case .day: max(0, zone.day(of: now) - instant.utcDay) * day
      }
    switch seconds {
    case ..<hour where instant.precision == .day: return strings[.ageToday]
    case ..<hour: return strings[length == .ago ? .ageJustNow : .compactNow]
    default:
      let span = span(seconds, strings)
      return length == .ago ? strings(.compactAgo, span) : span
    }
  }

  private static func span(_ seconds: Int64, _ strings: Strings) -> SafeText {
    switch seconds {
    case ..<day: strings(.compactHours, SafeText(seconds / hour))
    case ..<week: strings(.compactDays, SafeText(seconds / day))
    case ..<month: strings(.compactWeeks, SafeText(seconds / week))
    case ..<year: strings(.compactMonths, SafeText(months(seconds)))
    default: strings(.compactYears, SafeText(seconds / year))
    }
  }

  /// Whole months of less than a year, of which the last one is longer.
  private static func months(_ seconds: Int64) -> Int64 { min(11, seconds / month) }

  private static func elapsed(_ seconds: Int64, _ strings: Strings) -> SafeText {
    switch seconds {
    case ..<hour: strings[.ageJustNow]
    case ..<day: strings.counted(.ageHours, Int(seconds / hour))
    default: longer(seconds, strings)
    }
  }

  private static func days(_ days: Int64, _ strings: Strings) -> SafeText {
    switch days {
    case 0: strings[.ageToday]
    case 1: strings[.ageYesterday]
    default: longer(days * day, strings)
    }
  }

  private static func longer(_ seconds: Int64, _ strings: Strings) -> SafeText {
    switch seconds {
    case ..<week: strings.counted(.ageDays, Int(seconds / day))
    case ..<month: strings.counted(.ageWeeks, Int(seconds / week))
    case ..<year: strings.counted(.ageMonths, Int(months(seconds)))
    default: strings.counted(.ageYears, Int(seconds / year))
    }
  }
}
