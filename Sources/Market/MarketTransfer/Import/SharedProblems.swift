/// Problems of an import that many rows share, such as an unknown choice, each with the first row that has it
/// and the number of rows.
struct SharedProblems {
  /// Maximum number of problems that are counted.
  private static let limit = 10_000

  private var places: [ImportProblem.Reason: Int] = [:]
  /// The problems in the order of their first rows.
  private(set) var problems: [ImportProblem] = []

  /// Counts a problem; false for one that each row has by itself, and beyond the limit.
  mutating func count(
    _ reason: ImportProblem.Reason, _ lines: ClosedRange<Int>, rows: Int
  ) -> Bool {
    switch reason {
    case .unknownChoice, .unlisted: break
    default: return false
    }
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
