/// A value inside a document; asking it for the wrong type gives nil, never a trap.
package struct JSONValue: Sendable {
  let document: JSONDocument
  let index: Int

  private var node: JSONNode { document.nodes[index] }

  package var isObject: Bool { node.kind == .object }
  package var isArray: Bool { node.kind == .array }
  package var isNull: Bool { node.kind == .null }
  /// Whether a handwritten text has a key here and no value that could be read.
  package var isMissing: Bool { node.kind == .null && node.start == node.end }

  /// Where the value begins, in bytes.
  package var offset: Int { Int(node.start) }

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

  /// The text of a string, or a number or a word as it is spelled; nil for objects and arrays.
  package var spelling: String? {
    switch node.kind {
    case .object, .array: nil
    case .plainString, .escapedString: string
    case .number, .true, .false, .null:
      String(decoding: document.bytes[node.range], as: UTF8.self)
    }
  }

  /// The members of an object in their order; none for anything else.
  package var members: [JSONMember] {
    guard isObject else { return [] }
    var members: [JSONMember] = []
    var key = index + 1
    while key < Int(node.next) {
      let value = JSONValue(document: document, index: key + 1)
      members.append(
        JSONMember(key: JSONValue(document: document, index: key).string ?? "", value: value))
      key = Int(value.node.next)
    }
    return members
  }

  /// The elements of an array; none for anything else.
  package var elements: JSONElements {
    JSONElements(document: document, index: index + 1, end: isArray ? Int(node.next) : index + 1)
  }

  /// The value of an object's key: the first where the key occurs twice, nil where it is absent or
  /// its value is `null`.
  package subscript(key: StaticString) -> JSONValue? {
    guard let index = document.index(of: key, in: index) else { return nil }
    let value = JSONValue(document: document, index: index)
    return value.isNull ? nil : value
  }
}

extension JSONDocument {
  /// The node of the value that follows a key; nil where the node is no object or has no such key.
  fileprivate func index(of key: StaticString, in object: Int) -> Int? {
    guard nodes[object].kind == .object else { return nil }
    let end = Int(nodes[object].next)
    var keyIndex = object + 1
    while keyIndex < end {
      if isSpelled(key, nodes[keyIndex]) { return keyIndex + 1 }
      keyIndex = Int(nodes[keyIndex + 1].next)
    }
    return nil
  }

  private func isSpelled(_ key: StaticString, _ node: JSONNode) -> Bool {
    if node.kind == .escapedString {
      return JSONEscapes.decode(bytes[node.range]) == key.description
    }
    guard node.range.count == key.utf8CodeUnitCount else { return false }
    return key.withUTF8Buffer { name in
      for offset in name.indices where bytes[Int(node.start) + offset] != name[offset] {
        return false
      }
      return true
    }
  }
}

/// A key of an object with its value.
package struct JSONMember: Sendable {
  package let key: String
  package let value: JSONValue

  /// Where the key begins, in bytes.
  package var offset: Int { Int(value.document.nodes[value.index - 1].start) }
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
