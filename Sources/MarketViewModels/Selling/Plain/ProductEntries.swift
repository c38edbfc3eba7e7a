package import MarketModel

/// What is to stand in the fields of a form, as somebody wrote it; fields that are not named stay.
package nonisolated struct ProductEntries: Hashable, Sendable {
  /// Amounts are digits with at most one decimal point.
  package var texts: [ProductField: String] = [:]
  /// Paths of files, which replace all photos; none keeps those that there are.
  package var photos: [String] = []

  package init() {}
}
