/// All figures, as a table for people and as JSON for programs.
struct Report {
  struct Row {
    let figure: Figure
    /// By the name of the program.
    var values: [String: Double]
  }

  private static let legend =
    "Medians. The others: less with 200,000 lines, tig with 20,000 commits, mc with 2,000 files, "
    + "htop as it opens, newsboat with 2,000 items."

  private let subjects: [String]
  private var sections: [(name: String, rows: [Row])] = []

  init(subjects: [String]) {
    self.subjects = subjects
  }

  mutating func add(_ rows: [Row], to section: String) {
    if sections.last?.name == section {
      sections[sections.count - 1].rows += rows
    } else {
      sections.append((section, rows))
    }
  }

  /// Columns: figure, limit, our value and its share of the limit, the others.
  var table: String {
    let head = ["", "at most", subjects[0], "ratio"] + subjects.dropFirst()
    var lines = [head]
    for (name, rows) in sections {
      lines.append([name])
      lines += rows.map(cells)
    }
    let widths = head.indices.map { column in
      lines.filter { $0.count > 1 }.map { $0[column].count }.max() ?? 0
    }
    return lines.map { line in
      guard line.count > 1 else { return line[0] }
      return line.enumerated().map { column, text in
        let padding = String(repeating: " ", count: max(0, widths[column] - text.count))
        return column == 0 ? text + padding : padding + text
      }.joined(separator: "  ")
    }.joined(separator: "\n") + "\n" + Self.legend
  }

  private func cells(_ row: Row) -> [String] {
    let figure = row.figure
    let values = subjects.map { row.values[$0].map(figure.format) ?? "-" }
    return ["  " + figure.name, figure.target.map(figure.format) ?? "-", values[0], ratio(row)]
      + values.dropFirst()
  }

  private func ratio(_ row: Row) -> String {
    guard let target = row.figure.target, let value = row.values[subjects[0]] else { return "-" }
    guard target > 0 else { return value > 0 ? "over" : "0" }
    return Figure.decimal(value / target)
  }

  /// An array of rows; names and units are ours and need no escaping.
  var json: String {
    let rows = sections.flatMap { section in
      section.rows.map { row in
        let values = subjects.compactMap { name in row.values[name].map { "\"\(name)\":\($0)" } }
        return "{\"section\":\"\(section.name)\",\"figure\":\"\(row.figure.name)\","
          + "\"unit\":\"\(row.figure.unit.rawValue)\","
          + "\"target\":\(row.figure.target.map { "\($0)" } ?? "null"),"
          + "\"values\":{\(values.joined(separator: ","))}}"
      }
    }
    return "[" + rows.joined(separator: ",\n") + "]\n"
  }
}
