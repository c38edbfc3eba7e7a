/// The name of a text that the program shows; the texts are in `Resources/strings/*.txt`.
///
/// `Phrases.swift` has all of them; `make strings` makes it from the tables.
package struct Phrase: Hashable, Sendable {
  let name: String

  /// The phrase of the property in which this stands.
  package static func named(_ name: String = #function) -> Phrase { Phrase(name: name) }
}
