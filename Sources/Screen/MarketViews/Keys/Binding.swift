import MarketStrings
package import TerminalKit

/// Row of a view's key table: keys, label and effect.
///
/// Rows may share a name where label or effect depends on the state; the first of them that applies is
/// used.
///
/// It is a class because tables are searched at every key.
package final class Binding<View> {
  /// Name of the command in the settings file, such as `half-page-down`; it has the same meaning in
  /// every view.
  package let name: String
  /// Keys, the best known first.
  package let keys: [KeyPress]
  /// Label in help, footer and man page.
  package let words: Phrase
  /// Position among the footer's hints, lowest first; nil fills the rest of a wide footer in the order
  /// of the table, or shows the row in the help alone.
  ///
  /// Where room is short, hints from 90 on are removed last.
  package let footer: Int?
  /// Whether the effect cannot be undone: no key of the Hangul layout may trigger it.
  package let isDestructive: Bool
  package typealias Condition = (View) -> Bool

  /// When the key works; nil is always.
  private let condition: Condition?
  /// When the command can succeed; nil is always.
  private let offerCondition: Condition?
  /// When the footer shows the row; nil is always.
  private var hintCondition: Condition?
  /// Effect; the number is the count typed before the key, or the digit of the key, nil without either.
  package let perform: (View, Int?) -> Void
  /// Heading in the help; nil is that of the table.
  package private(set) var group: BindingGroup?
  /// Label of the hint that this row shares with an adjacent row of the same label, as in `← → Photos`;
  /// nil for a separate hint.
  package private(set) var jointWords: Phrase?
  /// Whether the keys are digits, whose number is passed to `perform`.
  package private(set) var takesDigit = false
  /// Reason in the palette why the command is unavailable; nil is "not now".
  private var obstacle: ((View) -> Phrase)?
  /// Name of the command that makes this one possible; nil for none.
  private(set) var precedingCommand: String?

  package convenience init(
    _ name: String, _ keys: [KeyPress], _ words: Phrase, footer: Int? = nil,
    isDestructive: Bool = false, when applies: Condition? = nil,
    offered isOffered: Condition? = nil,
    _ perform: @escaping (View) -> Void
  ) {
    self.init(
      name: name, keys: keys, words: words, footer: footer, isDestructive: isDestructive,
      applies: applies, isOffered: isOffered, perform: { view, _ in perform(view) })
  }

  private init(
    name: String, keys: [KeyPress], words: Phrase, footer: Int?, isDestructive: Bool,
    applies: Condition?, isOffered: Condition?, perform: @escaping (View, Int?) -> Void
  ) {
    self.name = name
    self.keys = keys
    self.words = words
    self.footer = footer
    self.isDestructive = isDestructive
    condition = applies
    offerCondition = isOffered
    self.perform = perform
  }

  /// Creates a row that receives the count typed before its key.
  package static func counted(
    _ name: String, _ keys: [KeyPress], _ words: Phrase, footer: Int? = nil,
    when applies: Condition? = nil, offered isOffered: Condition? = nil,
    _ perform: @escaping (View, Int?) -> Void
  ) -> Binding {
    Binding(
      name: name, keys: keys, words: words, footer: footer, isDestructive: false,
      applies: applies, isOffered: isOffered, perform: perform)
  }

  /// Creates a row of digits that receives the digit's number.
  package static func digits(
    _ name: String, _ digits: ClosedRange<Int>, _ words: Phrase, footer: Int? = nil,
    when applies: Condition? = nil,
    _ perform: @escaping (View, Int) -> Void
  ) -> Binding {
    let row = Binding.counted(
      name, digits.map { KeyPress(.character(Character(String($0)))) }, words, footer: footer,
      when: applies
    ) { view, digit in
      if let digit { perform(view, digit) }
    }
    row.takesDigit = true
    return row
  }

  /// Whether the key works in the present state.
  package func applies(_ view: View) -> Bool { condition?(view) ?? true }

  /// Whether the command can succeed; if not, other rows take its place in the footer.
  package func isOffered(_ view: View) -> Bool { offerCondition?(view) ?? true }

  /// Whether the footer shows the row while the command can succeed.
  func isHinted(_ view: View) -> Bool { hintCondition?(view) ?? true }

  /// Returns the reason in the palette why the command is unavailable; nil where none is known.
  func obstacle(_ view: View) -> Phrase? { obstacle?(view) }

  /// Returns the row with other keys.
  func with(_ keys: [KeyPress]) -> Binding { copy(keys: keys) }

  /// Returns the row under a heading of the help.
  package func grouped(_ group: BindingGroup) -> Binding {
    let row = copy(keys: keys)
    row.group = group
    return row
  }

  /// Returns the row with a label for the hint that it shares with the next row of that label.
  package func grouped(_ words: Phrase) -> Binding {
    let row = copy(keys: keys)
    row.jointWords = words
    return row
  }

  /// Returns the row with a reason why it may be unavailable.
  package func needing(_ obstacle: Phrase) -> Binding { needing { _ in obstacle } }

  /// Returns the row with a reason that depends on the state of the view.
  func needing(_ obstacle: @escaping (View) -> Phrase) -> Binding {
    let row = copy(keys: keys)
    row.obstacle = obstacle
    return row
  }

  /// Returns the row with the command that makes it possible, which the palette runs before it.
  func following(_ command: String) -> Binding {
    let row = copy(keys: keys)
    row.precedingCommand = command
    return row
  }

  /// Returns the row, which the footer shows only where `isHinted` returns true; nil is always.
  package func hinted(when isHinted: Condition?) -> Binding {
    let row = copy(keys: keys)
    row.hintCondition = isHinted
    return row
  }

  /// Returns the row, which works only where `applies` returns true.
  func only(when applies: @escaping Condition) -> Binding {
    copy(keys: keys) { [condition] view in applies(view) && condition?(view) != false }
  }

  private func copy(keys: [KeyPress], when applies: Condition? = nil) -> Binding {
    let row = Binding(
      name: name, keys: keys, words: words, footer: footer, isDestructive: isDestructive,
      applies: applies ?? condition, isOffered: offerCondition, perform: perform)
    (row.group, row.jointWords, row.takesDigit) = (group, jointWords, takesDigit)
    (row.hintCondition, row.obstacle) = (hintCondition, obstacle)
    row.precedingCommand = precedingCommand
    return row
  }
}

extension Array {
  /// Returns the rows under a heading of the help, except those that have one.
  package func grouped<View>(_ group: BindingGroup) -> [Binding<View>]
  where Element == Binding<View> {
    map { $0.group == nil ? $0.grouped(group) : $0 }
  }
}

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
