/// What a figure must keep to.
struct Goal {
  enum Bound: String {
    case atMost = "≤"
    case atLeast = "≥"
  }

  let bound: Bound
  let limit: Double
  /// Whose value the limit is a multiple of; none where it is in the figure's own unit.
  var reference: String?

  static func atMost(_ limit: Double, of reference: String? = nil) -> Goal {
    Goal(bound: .atMost, limit: limit, reference: reference)
  }

  static func atLeast(_ limit: Double, of reference: String? = nil) -> Goal {
    Goal(bound: .atLeast, limit: limit, reference: reference)
  }

  /// How a value stands to its reference, or to the limit where there is none.
  ///
  /// - Parameters:
  ///   - value: what was measured.
  ///   - values: of all subjects, by name.
  /// - Returns: nil where the reference was not measured, or where nothing is allowed at all.
  func ratio(of value: Double, among values: [String: Double]) -> Double? {
    let base = reference.map { values[$0] } ?? limit
    return base.flatMap { $0 > 0 ? value / $0 : nil }
  }

  /// How much of what is allowed a value takes: above 1 it misses the goal.
  func use(of value: Double, among values: [String: Double]) -> Double? {
    guard limit > 0 else { return value > 0 ? .infinity : 0 }
    guard let ratio = ratio(of: value, among: values) else { return nil }
    let share = reference == nil ? ratio : ratio / limit
    return bound == .atMost ? share : 1 / share
  }
}
