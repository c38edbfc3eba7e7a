import SQLiteKit

/// Merging of one file's rows into another: of two rows with the same identity the later wins, and other
/// rows are added.
struct PersonalMerging {
  private let source: SQLiteConnection
  private let target: SQLiteConnection
  /// Row ids in the target, by table and by row id in the source.
  private var numbers: [String: [Int64: Int64]] = [:]
  /// Number of rows for which a table was full.
  private(set) var leftOut = 0

  init(from source: SQLiteConnection, to target: SQLiteConnection) {
    self.source = source
    self.target = target
  }

  /// Merges a table; the tables it references must be merged before.
  mutating func merge(_ table: PersonalTable) throws(StoreError) {
    var known: [Int64: Int64] = [:]
    var remaining = try table.maxRows.map { most throws(StoreError) in
      max(0, most - (try target.integer(SQL(table.count)) ?? 0))
    }
    var leftOut = 0
    try source.forEach(SQL(table.selection)) { [numbers] row throws(StoreError) in
      let read = PersonalArchive.values(of: row, table).map(\.sql)
      var values = Dictionary(uniqueKeysWithValues: zip(table.columns, read))
      for reference in table.references {
        guard case .integer(let old?)? = values[reference.column] else { continue }
        guard let new = numbers[reference.table]?[old] else { return true }
        values[reference.column] = .integer(new)
      }
      guard let number = try insertOrUpdate(values, in: table, remaining: &remaining) else {
        leftOut += 1
        return true
      }
      if let column = table.number, case .integer(let old?)? = values[column] {
        known[old] = number
      }
      return true
    }
    self.leftOut += leftOut
    numbers[table.name] = known
    // Where the key references another table, its row id is that row's.
    guard table.number == nil, let only = table.identity.first, table.identity.count == 1,
      let reference = table.references.first(where: { $0.column == only })
    else { return }
    numbers[table.name] = numbers[reference.table]
  }

  /// Inserts or updates a row; returns its id in the target, or nil where the table is full.
  private func insertOrUpdate(
    _ values: [String: SQLValue], in table: PersonalTable, remaining: inout Int64?
  ) throws(StoreError) -> Int64? {
    func list(_ columns: [String]) -> [SQLValue] { columns.map { values[$0] ?? .null } }
    let existing = try target.first(SQL(table.search), list(table.identity)) { row in
      ExistingRow(
        number: row.integer(0), time: row.integer(1), partTime: row.integer(2),
        hasPart: !row.text(3).isEmpty)
    }
    guard let existing else {
      guard remaining != 0 else { return nil }
      remaining = remaining.map { $0 - 1 }
      try target.run(SQL(table.insertion), list(table.columns.filter { $0 != table.number }))
      return target.lastInsertedKey
    }
    var isLater = true
    if let time = table.time, case .integer(let new?)? = values[time] {
      isLater = new >= existing.time
    }
    var changing = isLater ? table.changing : []
    if let part = table.part, brings(values, part, over: existing, isLater: isLater) {
      changing += part.columns
    }
    if !changing.isEmpty {
      try target.run(SQL(table.change(of: changing)), list(changing) + list(table.identity))
    }
    return existing.number
  }

  /// Row of the target with the same identity.
  private struct ExistingRow {
    let number: Int64
    let time: Int64
    let partTime: Int64
    let hasPart: Bool
  }

  /// Whether a part replaces the present one: if it is later; at equal times if it alone has a text, or
  /// both have and its row is later.
  private func brings(
    _ values: [String: SQLValue], _ part: PersonalTable.Part, over existing: ExistingRow,
    isLater: Bool
  ) -> Bool {
    guard case .integer(let time?)? = values[part.time], time == existing.partTime else {
      if case .integer(let time?)? = values[part.time] { return time > existing.partTime }
      return false
    }
    guard case .text(let text?)? = values[part.text], !text.isEmpty else { return false }
    return !existing.hasPart || isLater
  }
}
