internal import TerminalKit

/// Key table of a view, with an index for key presses and frames.
package final class BindingTable<View> {
  package let rows: [Binding<View>]
  let index: BindingIndex

  /// Creates a table; rows without a heading of the help get `group`.
  init(all rows: [Binding<View>], group: BindingGroup) {
    self.rows = rows.grouped(group)
    index = BindingIndex(
      names: rows.map(\.name), keys: rows.map(\.keys), footers: rows.map(\.footer),
      groups: self.rows.map { $0.group ?? group })
  }
}

/// Index of keys, names and hints of a table, independent of the view's type: searching the generic
/// rows would cost more than drawing a list.
struct BindingIndex {
  /// Each key with its row, in the order of the rows.
  private let keys: [(key: KeyPress, row: Int)]
  /// Rows with a position in the footer.
  let footer: [Int]
  /// Rows that fill the rest of the footer.
  let fillers: [Int]
  /// Heading of each row.
  let groups: [BindingGroup]
  /// For each row, the earlier rows of the same name; nearly always empty.
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

  /// Returns the rows that have a key, in order.
  func rows(of key: KeyPress) -> [Int] { keys.filter { $0.key == key }.map(\.row) }
}
