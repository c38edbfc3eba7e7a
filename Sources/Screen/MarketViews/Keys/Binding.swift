import MarketStrings
package import TerminalKit

/// One row of a view's table of keys: what is pressed, what it is called, and what it does.
///
/// Rows may share a name where the words or the effect depend on the state: the first of them whose
/// `applies` holds counts.
///
/// A class, since tables are looked through at every key.
package final class Binding<View> {
  /// What a settings file calls the command, such as `half-page-down`; it means the same in every view.
  package let name: String
  /// The best known key first.
  package let keys: [KeyPress]
  /// What help, footer and man page call it.
  package let words: Phrase
  /// Its place among the hints of the footer, the lowest first; without one it fills what is left of a
  /// wide footer, in the order of the table, or stands in the help alone.
  ///
  /// Where room is short, those from 90 on go after the others.
  package let footer: Int?
  /// Whether it takes something away for good: no key of the Hangul layout may stand for it.
  package let isDestructive: Bool
  package typealias Condition = (View) -> Bool

  /// When the key works; nil is always.
  private let condition: Condition?
  /// When it can succeed; nil is always.
  private let offerCondition: Condition?
  /// When the footer has it; nil is always.
  private var hintCondition: Condition?
  /// What it does; the number is the count typed before it, or the digit that its key is.
  package let perform: (View, Int?) -> Void
  /// Heading of the help under which it stands; nil is that of its table.
  package private(set) var group: BindingGroup?
  /// What the footer calls it together with the row beside it that has the same words, as in `← → Photos`.
  package private(set) var jointWords: Phrase?
  /// Whether its keys are digits, each of which means its number.
  package private(set) var takesDigit = false
  /// What the palette says of it while it cannot be used; nil is that it cannot be used now.
  private var obstacle: ((View) -> Phrase)?

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

  /// A row that the number typed before its key counts for.
  package static func counted(
    _ name: String, _ keys: [KeyPress], _ words: Phrase, footer: Int? = nil,
    when applies: Condition? = nil, offered isOffered: Condition? = nil,
    _ perform: @escaping (View, Int?) -> Void
  ) -> Binding {
    Binding(
      name: name, keys: keys, words: words, footer: footer, isDestructive: false,
      applies: applies, isOffered: isOffered, perform: perform)
  }

  /// A row of digits, each of which is handed over as its number.
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

  /// Whether it can succeed: what cannot gives its place in the footer to others.
  package func isOffered(_ view: View) -> Bool { offerCondition?(view) ?? true }

  /// Whether the footer has it while it can succeed.
  func isHinted(_ view: View) -> Bool { hintCondition?(view) ?? true }

  /// What the palette says of it in the present state.
  func obstacle(_ view: View) -> Phrase? { obstacle?(view) }

  /// The same row with other keys.
  func with(_ keys: [KeyPress]) -> Binding { copy(keys: keys) }

  /// The same row under a heading of the help.
  package func grouped(_ group: BindingGroup) -> Binding {
    let row = copy(keys: keys)
    row.group = group
    return row
  }

  /// The same row, which the footer shows in one hint with the next one that has these words.
  package func grouped(_ words: Phrase) -> Binding {
    let row = copy(keys: keys)
    row.jointWords = words
    return row
  }

  /// The same row with what keeps it from being used, where that is known.
  package func needing(_ obstacle: Phrase) -> Binding { needing { _ in obstacle } }

  /// A binding that works only where nothing stands in its way, which the state of the view tells.
  func needing(_ obstacle: @escaping (View) -> Phrase) -> Binding {
    let row = copy(keys: keys)
    row.obstacle = obstacle
    return row
  }

  /// The same row, which the footer leaves out unless `isHinted` holds.
  package func hinted(when isHinted: Condition?) -> Binding {
    let row = copy(keys: keys)
    row.hintCondition = isHinted
    return row
  }

  private func copy(keys: [KeyPress]) -> Binding {
    let row = Binding(
      name: name, keys: keys, words: words, footer: footer, isDestructive: isDestructive,
      applies: condition, isOffered: offerCondition, perform: perform)
    (row.group, row.jointWords, row.takesDigit) = (group, jointWords, takesDigit)
    (row.hintCondition, row.obstacle) = (hintCondition, obstacle)
    return row
  }
}

extension Array {
  /// The same rows under a heading of the help, but for those that have one.
  package func grouped<View>(_ group: BindingGroup) -> [Binding<View>]
  where Element == Binding<View> {
    map { $0.group == nil ? $0.grouped(group) : $0 }
  }
}
