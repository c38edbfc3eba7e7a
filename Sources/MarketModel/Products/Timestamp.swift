/// An instant in UTC with the precision its source keeps.
package struct Timestamp: Hashable, Sendable {
  package enum Precision: Hashable, Sendable {
    case second
    /// Only the UTC day is known; `seconds` is its midnight.
    case day
  }

  /// Seconds since 1970-01-01T00:00:00Z, within the years 1 to 9999.
  package var seconds: Int64
  package var precision: Precision

  /// - Parameters:
  ///   - seconds: since 1970; a store that others made may hold any number, of which the nearest that
  ///     is an instant is taken.
  ///   - precision: what is known of it.
  package init(seconds: Int64, precision: Precision = .second) {
    self.seconds = min(max(seconds, -62_135_596_800), 253_402_300_799)
    self.precision = precision
  }

  /// Whole days since 1970-01-01 in UTC.
  package var utcDay: Int64 {
    Int64((Double(seconds) / 86_400).rounded(.down))
  }
}
