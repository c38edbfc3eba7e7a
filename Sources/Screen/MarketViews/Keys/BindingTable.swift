internal import TerminalKit

/// Table of a view's keys, with what each key press and each frame look up found once.
package final class BindingTable<View> {
  package let rows: [Binding<View>]
  let index: BindingIndex

  package init(_ rows: [Binding<View>]) {
    self.rows = rows
    index = BindingIndex(
      names: rows.map(\.name), keys: rows.map(\.keys), footers: rows.map(\.footer))
  }
}

/// Where keys, names and hints stand in a table of bindings, whatever its view: looking through the
/// rows of each view's own type would cost more than drawing a list.
struct BindingIndex {
  private let rowsByKey: [KeyPress: [Int]]
  /// The rows that the footer may show.
  let footer: [Int]
  /// The rows before each one that have its name; nearly always none.
  let namesakes: [[Int]]

  init(names: [String], keys: [[KeyPress]], footers: [Int?]) {
    var rowsByKey: [KeyPress: [Int]] = [:]
    for (row, keys) in keys.enumerated() {
      for key in keys { rowsByKey[key, default: []].append(row) }
    }
    self.rowsByKey = rowsByKey
    footer = footers.indices.filter { footers[$0] != nil }
    namesakes = names.indices.map { row in (0..<row).filter { names[$0] == names[row] } }
  }

  /// The rows that have a key, in their order.
  func rows(of key: KeyPress) -> [Int] { rowsByKey[key] ?? [] }
}
