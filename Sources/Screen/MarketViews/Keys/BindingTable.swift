internal import MarketModel
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
  private let rowsByKey: [KeyPress: [Int]]
  /// The rows that have a place in the footer.
  let footer: [Int]
  /// The rows that fill what is left of it.
  let fillers: [Int]
  /// The heading of each row.
  let groups: [BindingGroup]
  /// The right that a guest over ssh needs for each row; nil where no guest has it.
  let guestRights: [GuestPermission?]
  /// The rows before each one that have its name; nearly always none.
  let namesakes: [[Int]]

  init(names: [String], keys: [[KeyPress]], footers: [Int?], groups: [BindingGroup]) {
    var rowsByKey: [KeyPress: [Int]] = [:]
    for (row, keys) in keys.enumerated() {
      for key in keys { rowsByKey[key, default: []].append(row) }
    }
    self.rowsByKey = rowsByKey
    self.groups = groups
    guestRights = names.map(GuestCommands.right)
    footer = footers.indices.filter { footers[$0] != nil }
    fillers = footers.indices.filter { footers[$0] == nil && groups[$0].fillsFooter }
    namesakes = names.indices.map { row in (0..<row).filter { names[$0] == names[row] } }
  }

  /// The rows that have a key, in their order.
  func rows(of key: KeyPress) -> [Int] { rowsByKey[key] ?? [] }
}
