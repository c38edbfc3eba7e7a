/// Unknown choices of an import, each with the first row that has it and the number of rows.
struct UnknownChoices {
  /// Maximum number of values that are counted.
  private static let limit = 10_000

  private var places: [ImportProblem.Reason: Int] = [:]
  /// The problems in the order of their first rows.
  private(set) var problems: [ImportProblem] = []

  /// Counts a problem; false for one of another kind, and beyond the limit.
  mutating func count(
    _ reason: ImportProblem.Reason, _ lines: ClosedRange<Int>, rows: Int
  ) -> Bool {
    guard case .unknownChoice = reason else { return false }
    if let place = places[reason] {
      let first = problems[place]
      problems[place] = ImportProblem(
        lines: first.lines, reason: reason, rowCount: first.rowCount + rows)
      return true
    }
    guard problems.count < Self.limit else { return false }
    places[reason] = problems.count
    problems.append(ImportProblem(lines: lines, reason: reason, rowCount: rows))
    return true
  }
}
