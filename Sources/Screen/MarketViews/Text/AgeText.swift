package import MarketModel
import MarketStrings
package import SafeText

/// How long ago something happened, in words.
package enum AgeText {
  private static let hour: Int64 = 3_600
  private static let day = 24 * hour
  private static let week = 7 * day
  private static let month = 30 * day
  private static let year = 365 * day

  /// Elapsed time for instants known to the second; the UTC day for those known to the day.
  ///
  /// An instant in the future, as another machine's clock may say, counts as now.
  package static func text(_ instant: Timestamp, now: Timestamp, _ strings: Strings) -> SafeText {
    switch instant.precision {
    case .second: elapsed(max(0, now.seconds - instant.seconds), strings)
    case .day: days(max(0, now.utcDay - instant.utcDay), strings)
    }
  }

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
    case ..<year: strings.counted(.ageMonths, Int(seconds / month))
    default: strings.counted(.ageYears, Int(seconds / year))
    }
  }
}
