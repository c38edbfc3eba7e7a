import SQLiteKit

/// Table of a personal file, read from its schema, with the rules by which its rows are merged.
///
/// Rules that a schema cannot express are in the lists below; a new table needs no line here where a key or a
/// UNIQUE constraint identifies its rows.
struct PersonalTable {
  /// Column that references a row of another table.
  struct Reference {
    let column: String
    let table: String
  }

  let name: String
  /// In the order of the schema.
  let columns: [String]
  /// The integer primary key, valid in its own file only; nil where there is none.
  let number: String?
  let references: [Reference]
  /// The columns that identify a row in both files.
  let identity: [String]
  /// The column that decides which of two rows is later; nil where the imported one wins.
  let time: String?
  /// Maximum number of rows; nil where other rules delete rows.
  let maxRows: Int64?
  /// The columns with a timestamp of their own; nil where there are none.
  let part: Part?

  /// Columns that are merged separately from their row, by a timestamp of their own.
  struct Part {
    /// The column of the content; an empty text loses against any other of the same time.
    let text: String
    let columns: [String]
    let time: String

    static let note = Part(
      text: "note", columns: ["note", "note_words", "note_changed"], time: "note_changed")
  }

  /// Tables that are not exported: running programs, and the products known to alerts, which may be more
  /// rows than an archive allows.
  private static let notExported: Set<String> = ["visitor", "alert_product"]
  /// Columns that are not exported: how far alerts have read.
  private static let notExportedColumns = [
    "alert": ["floor", "position_top", "position_next", "knows_all"]
  ]
  /// Identities of rows that no constraint identifies.
  private static let identities = [
    "visit": ["market", "began"],
    "alert": ["market", "subject", "number", "text", "condition"],
    "triggered_alert": ["market", "event", "product", "name", "amount", "alert_name"],
  ]
  private static let times = [
    "seen_product": "at", "visit": "last_active", "favorite_product": "seen",
    "favorite_seller": "added", "seen_through": "product", "triggered_alert": "seen",
    "alert_market": "answered", "viewed_product": "at", "told_question": "question",
  ]

  private static let maxRowCounts = [
    "alert": PersonalFile.maxAlerts, "favorite_product": PersonalFile.Limits().products,
    "favorite_seller": PersonalFile.Limits().sellers,
  ]

  /// The exported tables, each after those that it references.
  static func all(_ connection: SQLiteConnection) throws(StoreError) -> [PersonalTable] {
    let names = try connection.all(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_'
      ORDER BY rowid
      """
    ) { row in row.text(0) }
    var tables: [PersonalTable] = []
    for name in names where !notExported.contains(name) {
      tables.append(try PersonalTable(name, connection))
    }
    return tables
  }

  private init(_ name: String, _ connection: SQLiteConnection) throws(StoreError) {
    let described = try connection.all(
      "SELECT name, type, pk FROM pragma_table_info(?)", [.text(name)]
    ) { row in (name: row.text(0), type: row.text(1), location: row.integer(2)) }
    let references = try connection.all(
      "SELECT \"from\", \"table\" FROM pragma_foreign_key_list(?)", [.text(name)]
    ) { row in Reference(column: row.text(0), table: row.text(1)) }
    let key = described.filter { $0.location > 0 }.sorted { $0.location < $1.location }
    let isNumber =
      key.count == 1 && key[0].type == "INTEGER"
      && !references.contains { $0.column == key[0].name }
    let number = isNumber ? key[0].name : nil
    let columns = described.map(\.name).filter {
      Self.notExportedColumns[name]?.contains($0) != true
    }
    self.name = name
    self.columns = columns
    self.references = references
    self.number = number
    part = Part.note.columns.allSatisfy(columns.contains) ? .note : nil
    maxRows = Self.maxRowCounts[name]
    time = Self.times[name]
    guard isNumber else {
      identity = key.map(\.name)
      return
    }
    let constraint = try connection.all(
      """
      SELECT info.name FROM pragma_index_list(?1) AS list, pragma_index_info(list.name) AS info
      WHERE list.origin = 'u' AND list.seq = (
        SELECT max(seq) FROM pragma_index_list(?1) WHERE origin = 'u')
      ORDER BY info.seqno
      """, [.text(name)]
    ) { row in row.text(0) }
    let known = Self.identities[name] ?? constraint
    identity = known.isEmpty ? columns.filter { $0 != number } : known
  }

  /// The values of an archive's row in the order of `columns`; nil where it has other columns.
  func values(of row: PersonalRow) -> [PersonalRow.Value]? {
    let members = row.columns.map { ($0.name, $0.value) }
    let byName = Dictionary(members) { first, _ in first }
    let values = columns.compactMap { byName[$0] }
    return values.count == members.count && values.count == columns.count ? values : nil
  }

  // MARK: SQL

  var insertion: String { insertion(of: columns.filter { $0 != number }) }

  /// Insertion of a row with its own id.
  var wholeInsertion: String { insertion(of: columns) }

  private func insertion(of columns: [String]) -> String {
    let names = columns.map(Self.quoted).joined(separator: ", ")
    let locations = columns.map { _ in "?" }.joined(separator: ", ")
    return "INSERT INTO \(Self.quoted(name)) (\(names)) VALUES (\(locations))"
  }

  /// SELECT of each column's type and value.
  var selection: String {
    let values = columns.map(Self.quoted).map { "typeof(\($0)), \($0)" }.joined(separator: ", ")
    return "SELECT \(values) FROM \(Self.quoted(name))" + (number.map { " ORDER BY \($0)" } ?? "")
  }

  /// SELECT of a row with the same identity: its id and time, and time and text of its part.
  var search: String {
    let condition = identity.map { Self.quoted($0) + " IS ?" }.joined(separator: " AND ")
    return "SELECT \(number.map(Self.quoted) ?? "0"), \(time.map(Self.quoted) ?? "0"), "
      + "\((part?.time).map(Self.quoted) ?? "0"), \((part?.text).map(Self.quoted) ?? "''")"
      + " FROM \(Self.quoted(name)) WHERE \(condition) LIMIT 1"
  }

  /// The columns that a row of the same identity updates, except those of the part.
  var changing: [String] {
    columns.filter {
      $0 != number && !identity.contains($0) && part?.columns.contains($0) != true
    }
  }

  func change(of changing: [String]) -> String {
    let values = changing.map { Self.quoted($0) + " = ?" }.joined(separator: ", ")
    let condition = identity.map { Self.quoted($0) + " IS ?" }.joined(separator: " AND ")
    return "UPDATE \(Self.quoted(name)) SET \(values) WHERE \(condition)"
  }

  var count: String { "SELECT count(*) FROM \(Self.quoted(name))" }

  var deletion: String { "DELETE FROM \(Self.quoted(name))" }

  static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }
}

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
