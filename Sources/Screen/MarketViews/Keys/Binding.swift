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
  /// Its place among the hints of the footer, the lowest first; nil where only the help shows it.
  ///
  /// Where room is short, those from 90 on go after the others.
  package let footer: Int?
  /// Whether it takes something away for good: no key of the Hangul layout may stand for it.
  package let isDestructive: Bool
  /// Whether the key works in the present state.
  package let applies: (View) -> Bool
  /// Whether the footer offers it: what cannot succeed gives its place to others.
  package let isOffered: (View) -> Bool
  /// What it does; the number is the count typed before it.
  package let perform: (View, Int?) -> Void

  package convenience init(
    _ name: String, _ keys: [KeyPress], _ words: Phrase, footer: Int? = nil,
    isDestructive: Bool = false, when applies: @escaping (View) -> Bool = { _ in true },
    offered isOffered: @escaping (View) -> Bool = { _ in true },
    _ perform: @escaping (View) -> Void
  ) {
    self.init(
      name: name, keys: keys, words: words, footer: footer, isDestructive: isDestructive,
      applies: applies, isOffered: isOffered, perform: { view, _ in perform(view) })
  }

  private init(
    name: String, keys: [KeyPress], words: Phrase, footer: Int?, isDestructive: Bool,
    applies: @escaping (View) -> Bool, isOffered: @escaping (View) -> Bool,
    perform: @escaping (View, Int?) -> Void
  ) {
    self.name = name
    self.keys = keys
    self.words = words
    self.footer = footer
    self.isDestructive = isDestructive
    self.applies = applies
    self.isOffered = isOffered
    self.perform = perform
  }

  /// A row that the number typed before its key counts for.
  package static func counted(
    _ name: String, _ keys: [KeyPress], _ words: Phrase, footer: Int? = nil,
    when applies: @escaping (View) -> Bool = { _ in true },
    offered isOffered: @escaping (View) -> Bool = { _ in true },
    _ perform: @escaping (View, Int?) -> Void
  ) -> Binding {
    Binding(
      name: name, keys: keys, words: words, footer: footer, isDestructive: false,
      applies: applies, isOffered: isOffered, perform: perform)
  }

  /// The same row with other keys.
  func with(_ keys: [KeyPress]) -> Binding {
    Binding(
      name: name, keys: keys, words: words, footer: footer, isDestructive: isDestructive,
      applies: applies, isOffered: isOffered, perform: perform)
  }
}
