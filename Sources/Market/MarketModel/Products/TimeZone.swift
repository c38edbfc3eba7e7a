import Glibc

/// Time zone that assigns an instant to a day.
package enum TimeZone: Hashable, Sendable {
  /// A fixed number of seconds ahead of UTC.
  case fixed(seconds: Int64)
  /// The zone of this process (tzset(3)).
  case local

  package static let utc = fixed(seconds: 0)

  /// Returns the local day of an instant, in days since 1970-01-01; an instant of day precision has
  /// that day in every zone.
  package func day(of instant: Timestamp) -> Int64 {
    switch instant.precision {
    case .day: instant.utcDay
    case .second: Timestamp(seconds: instant.seconds + offset(at: instant.seconds)).utcDay
    }
  }

  /// Returns the instant of a local time that is given as seconds since 1970 in UTC.
  package func instant(ofLocal seconds: Int64) -> Int64 {
    let first = seconds - offset(at: seconds)
    return seconds - offset(at: first)
  }

  private func offset(at seconds: Int64) -> Int64 {
    switch self {
    case .fixed(let offset): return offset
    case .local:
      var (seconds, parts) = (time_t(seconds), tm())
      return localtime_r(&seconds, &parts) == nil ? 0 : Int64(parts.tm_gmtoff)
    }
  }
}
