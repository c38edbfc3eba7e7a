/// The values of a statement while it is written.
struct StatementParameters {
  private(set) var values: [PostgresValue] = []

  /// Adds a value, or finds it again.
  ///
  /// - Parameter value: what a parameter stands for.
  /// - Returns: its name, as `$1`.
  mutating func add(_ value: PostgresValue) -> String {
    if let place = values.firstIndex(of: value) { return "$\(place + 1)" }
    values.append(value)
    return "$\(values.count)"
  }
}
