import MarketAPI

/// The fields of one record by the names of their columns; an empty field is as none.
struct TableRow {
  let columns: [String]
  let fields: [String]

  subscript(name: String) -> String? {
    guard let place = columns.firstIndex(of: name), !fields[place].isEmpty else { return nil }
    return fields[place]
  }

  func number(
    _ name: String, _ value: (DecimalNumber) -> Int64?
  ) throws(ImportProblem.Reason) -> Int64? {
    guard let text = self[name] else { return nil }
    guard let number = DecimalNumber(text).flatMap(value) else { throw .unreadable(name) }
    return number
  }

  func date(_ name: String) throws(ImportProblem.Reason) -> Int64? {
    guard let text = self[name] else { return nil }
    guard let seconds = ArchiveRules.seconds(text) else { throw .unreadable(name) }
    return seconds
  }
}
