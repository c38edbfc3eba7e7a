/// All figures, as a table for people, as JSON for programs and as a picture.
struct Report {
  struct Row {
    let figure: Figure
    /// By the name of the subject.
    var values: [String: Double] = [:]
  }

  struct Part {
    let name: String
    /// The first is the one that goals are about.
    let subjects: [String]
    var rows: [Row]

    /// What the goal is about, if it was measured.
    func judged(_ row: Row) -> Double? { row.values[subjects[0]] }

    func use(_ row: Row) -> Double? {
      judged(row).flatMap { row.figure.goal?.use(of: $0, among: row.values) }
    }
  }

  private static let legend = """
    Medians. The ratio is to the limit, or to what the limit is a multiple of; ! marks what misses
    it. The others: less with 200,000 lines, tig with 20,000 commits, mc with 2,000 files, htop as it
    opens, newsboat with 2,000 items; nginx with the same bytes in a file, node with them in memory,
    flask on SQLite, each with 16 connections by wrk; URLSession with JSONDecoder; sqlite3 with the
    same products as a bare table. PostgreSQL runs beside on the same machine, without fsync. A dash
    is what is not there, or does not apply.
    """

  private(set) var parts: [Part] = []

  mutating func add(_ rows: [Row], to section: String, of subjects: [String]) {
    if parts.last?.name == section {
      parts[parts.count - 1].rows += rows
    } else {
      parts.append(Part(name: section, subjects: subjects, rows: rows))
    }
  }

  /// Columns: figure, goal, the value that it is about, its ratio, the others.
  var table: String {
    parts.map { Self.align([Self.head($0)] + $0.rows.map(Self.cells(in: $0))) }
      .joined(separator: "\n\n") + "\n\n" + Self.legend
  }

  /// An array of rows; names and units are ours and need no escaping.
  var json: String {
    let rows = parts.flatMap { part in
      part.rows.map { row in
        let values = part.subjects.compactMap { name in
          row.values[name].map { "\"\(name)\":\($0)" }
        }
        return "{\"section\":\"\(part.name)\",\"figure\":\"\(row.figure.name)\","
          + "\"unit\":\"\(row.figure.unit.rawValue)\",\"goal\":\"\(row.figure.goalText)\","
          + "\"values\":{\(values.joined(separator: ","))}}"
      }
    }
    return "[" + rows.joined(separator: ",\n") + "]\n"
  }
}

extension Report {
  private static func head(_ part: Part) -> [String] {
    [part.name, "goal", part.subjects[0], "ratio", ""] + part.subjects.dropFirst()
  }

  private static func cells(in part: Part) -> (Row) -> [String] {
    { row in
      let values = part.subjects.map { row.values[$0].map(row.figure.format) ?? "-" }
      let mark = (part.use(row) ?? 0) > 1 ? "!" : ""
      return ["  " + row.figure.name, row.figure.goalText, values[0], ratio(row, in: part), mark]
        + values.dropFirst()
    }
  }

  private static func ratio(_ row: Row, in part: Part) -> String {
    guard let value = part.judged(row), let goal = row.figure.goal else { return "-" }
    guard goal.limit > 0 else { return value > 0 ? "over" : "0" }
    return goal.ratio(of: value, among: row.values).map(Figure.decimal) ?? "-"
  }

  /// The first column to the left, all others to the right.
  private static func align(_ lines: [[String]]) -> String {
    let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      line.enumerated().map { column, text in
        let padding = String(repeating: " ", count: widths[column] - text.count)
        return column == 0 ? text + padding : padding + text
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}
