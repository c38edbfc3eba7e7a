/// Name of a text in `Resources/strings/*.txt`.
///
/// `make strings` generates `Phrases.swift` with all of them.
package struct Phrase: Hashable, Sendable {
  let name: String

  /// Returns the phrase named like the property that calls this.
  package static func named(_ name: String = #function) -> Phrase { Phrase(name: name) }
}
