/// The name of a text that the program shows; the texts are in `Resources/strings/*.txt`.
///
/// A phrase that only one place needs is declared there, in one line; the others are in `Phrases`, by
/// what they speak of. The linter compares what is declared with the tables.
package struct Phrase: Hashable, Sendable {
  let name: String

  /// The phrase of the property in which this stands.
  package static func named(_ name: String = #function) -> Phrase { Phrase(name: name) }
}
