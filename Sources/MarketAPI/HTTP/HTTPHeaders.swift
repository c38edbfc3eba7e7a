/// Header fields in the order in which they were added; a name may occur several times and its case
/// does not matter.
package struct HTTPHeaders: Hashable, Sendable {
  package struct Field: Hashable, Sendable {
    package let name: String
    package let value: String
  }

  package private(set) var fields: [Field] = []

  package init() {}

  /// The first value of a name; setting it replaces all values, nil removes them.
  package subscript(name: String) -> String? {
    get { fields.first { $0.name.equalsIgnoringASCIICase(name) }?.value }
    set {
      fields.removeAll { $0.name.equalsIgnoringASCIICase(name) }
      if let newValue { add(newValue, for: name) }
    }
  }

  /// All values of a name, in order.
  package func values(of name: String) -> [String] {
    fields.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
  }

  /// Appends a field; white space around the value is no part of it.
  package mutating func add(_ value: String, for name: String) {
    fields.append(Field(name: name, value: value.trimmed))
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(value, for: name) }
  }
}

extension HTTPHeaders: Sequence {
  package func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }
}
