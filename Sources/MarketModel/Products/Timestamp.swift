/// An instant in UTC with the precision its source keeps.
package struct Timestamp: Hashable, Sendable {
  package enum Precision: Hashable, Sendable {
    case second
    /// Only the UTC day is known; `seconds` is its midnight.
    case day
  }

  /// Seconds since 1970-01-01T00:00:00Z.
  package var seconds: Int64
  package var precision: Precision

  package init(seconds: Int64, precision: Precision = .second) {
    self.seconds = seconds
    self.precision = precision
  }

  /// Whole days since 1970-01-01 in UTC.
  package var utcDay: Int64 {
    Int64((Double(seconds) / 86_400).rounded(.down))
  }
}
