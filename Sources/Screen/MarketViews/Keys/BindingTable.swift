internal import TerminalKit

/// Table of a view's keys, with what each key press and each frame look up found once.
package final class BindingTable<View> {
  package let rows: [Binding<View>]
  let index: BindingIndex

  /// Takes all rows, of which those without a heading of the help stand under `group`.
  init(all rows: [Binding<View>], group: BindingGroup) {
    self.rows = rows.grouped(group)
    index = BindingIndex(
      names: rows.map(\.name), keys: rows.map(\.keys), footers: rows.map(\.footer),
      groups: self.rows.map { $0.group ?? group })
  }
}

/// Where keys, names and hints stand in a table of bindings, whatever its view: looking through the
/// rows of each view's own type would cost more than drawing a list.
struct BindingIndex {
  /// Each key of each row, in the order of the rows.
  private let keys: [(key: KeyPress, row: Int)]
  /// The rows that have a place in the footer.
  let footer: [Int]
  /// The rows that fill what is left of it.
  let fillers: [Int]
  /// The heading of each row.
  let groups: [BindingGroup]
  /// The rows before each one that have its name; nearly always none.
  let namesakes: [[Int]]

  init(names: [String], keys: [[KeyPress]], footers: [Int?], groups: [BindingGroup]) {
    self.keys = keys.enumerated().flatMap { row, keys in keys.map { ($0, row) } }
    self.groups = groups
    footer = footers.indices.filter { footers[$0] != nil }
    fillers = footers.indices.filter { footers[$0] == nil && groups[$0].fillsFooter }
    var namesakes = [[Int]](repeating: [], count: names.count)
    let sorted = names.indices.sorted { (names[$0], $0) < (names[$1], $1) }
    for (before, row) in zip(sorted, sorted.dropFirst()) where names[before] == names[row] {
      namesakes[row] = namesakes[before] + [before]
    }
    self.namesakes = namesakes
  }

  /// The rows that have a key, in their order.
  func rows(of key: KeyPress) -> [Int] { keys.filter { $0.key == key }.map(\.row) }
}
