import TextCoding

/// Names and values of a query in their order, decoded.
package struct QueryItems: Hashable, Sendable {
  package struct Item: Hashable, Sendable {
    package let name: String
    package let value: String
  }

  package private(set) var items: [Item] = []

  package init() {}

  /// Reads what follows the `?`; empty pieces are skipped, a name without `=` has an empty value.
  package init(parsing text: some StringProtocol) {
    for piece in text.split(separator: "&") {
      let parts = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = parts.first else { continue }
      add(
        PercentCoding.decode(parts.count > 1 ? parts[1] : "", plusIsSpace: true),
        for: PercentCoding.decode(name, plusIsSpace: true))
    }
  }

  package mutating func add(_ value: String, for name: String) {
    items.append(Item(name: name, value: value))
  }

  /// The first value of a name that is not empty; an empty value counts as absent.
  package subscript(name: String) -> String? {
    items.first { $0.name == name && !$0.value.isEmpty }?.value
  }

  /// The query in its encoded form, without the `?`.
  package var encoded: String {
    items.map { PercentCoding.encode($0.name) + "=" + PercentCoding.encode($0.value) }
      .joined(separator: "&")
  }
}
