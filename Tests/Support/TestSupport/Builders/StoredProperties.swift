/// The names of the stored properties that are the same in two values.
package func sameProperties<Value>(_ one: Value, _ other: Value) -> [String] {
  properties(of: one).filter { name, value in properties(of: other)[name] == value }
    .map(\.key).sorted()
}

/// The names of the stored properties that differ in two values.
package func differentProperties<Value>(_ one: Value, _ other: Value) -> [String] {
  properties(of: one).filter { name, value in properties(of: other)[name] != value }
    .map(\.key).sorted()
}

/// Stored properties by their names; what is not hashable is told by how it shows itself.
private func properties(of value: Any) -> [String: AnyHashable] {
  var properties: [String: AnyHashable] = [:]
  for (name, value) in Mirror(reflecting: value).children {
    guard let name else { continue }
    properties[name] = value as? AnyHashable ?? AnyHashable(String(reflecting: value))
  }
  return properties
}
