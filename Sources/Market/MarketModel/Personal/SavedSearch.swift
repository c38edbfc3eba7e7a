/// A search with a name, as the search line says it.
package struct SavedSearch: Hashable, Sendable {
  package var name: String
  package var text: String

  package init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}
