/// A value inside a document; asking it for the wrong type gives nil, never a trap.
package struct JSONValue: Sendable {
  let document: JSONDocument
  let index: Int

  private var node: JSONNode { document.nodes[index] }

  package var isObject: Bool { node.kind == .object }
  package var isArray: Bool { node.kind == .array }
  package var isNull: Bool { node.kind == .null }

  /// The text of a string, with its escapes decoded; nil for anything else.
  package var string: String? {
    switch node.kind {
    case .plainString: String(decoding: document.bytes[node.range], as: UTF8.self)
    case .escapedString: JSONEscapes.decode(document.bytes[node.range])
    default: nil
    }
  }

  /// A string, or a number as it is spelled.
  package var text: String? {
    node.kind == .number ? String(decoding: document.bytes[node.range], as: UTF8.self) : string
  }

  /// A number, or a string that holds one; exact.
  package var number: DecimalNumber? {
    switch node.kind {
    case .number: DecimalNumber(document.bytes[node.range])
    case .plainString, .escapedString: string.flatMap { DecimalNumber($0) }
    default: nil
    }
  }

  package var bool: Bool? {
    switch node.kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The elements of an array; none for anything else.
  package var elements: JSONElements {
    JSONElements(document: document, index: index + 1, end: isArray ? Int(node.next) : index + 1)
  }

  /// The value of an object's key: the first where the key occurs twice, nil where it is absent or
  /// its value is `null`.
  package subscript(key: StaticString) -> JSONValue? {
    guard isObject else { return nil }
    var keyIndex = index + 1
    while keyIndex < Int(node.next) {
      if JSONValue(document: document, index: keyIndex).isSpelled(key) {
        let value = JSONValue(document: document, index: keyIndex + 1)
        return value.isNull ? nil : value
      }
      keyIndex = Int(document.nodes[keyIndex + 1].next)
    }
    return nil
  }

  private func isSpelled(_ key: StaticString) -> Bool {
    if node.kind == .escapedString { return string == key.description }
    let range = node.range
    guard range.count == key.utf8CodeUnitCount else { return false }
    return key.withUTF8Buffer { name in
      for (offset, byte) in name.enumerated()
      where document.bytes[range.lowerBound + offset] != byte {
        return false
      }
      return true
    }
  }
}

/// The elements of an array in their order.
package struct JSONElements: Sequence, IteratorProtocol, Sendable {
  let document: JSONDocument
  var index: Int
  let end: Int

  package mutating func next() -> JSONValue? {
    guard index < end else { return nil }
    defer { index = Int(document.nodes[index].next) }
    return JSONValue(document: document, index: index)
  }
}
