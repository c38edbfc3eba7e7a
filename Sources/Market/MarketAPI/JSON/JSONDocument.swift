/// JSON text (RFC 8259): validated once as a whole, decoded on access.
///
/// Strings and numbers stay ranges of the received bytes until they are read, so that a page needs one
/// pass and numbers are exact. It is a class, since each of its many values refers to it: one reference
/// count instead of one for each array.
package final class JSONDocument: Sendable {
  /// Maximum number of values of a text; one with more is `.tooManyValues`.
  package static let maxValues = JSONParser.maximumValues

  let bytes: [UInt8]
  /// All values in the order of the text; an object is followed by its keys and values in turn.
  let nodes: [JSONNode]

  /// Validates a text and indexes its values.
  ///
  /// The text is UTF-8, optionally with a byte order mark; white space may follow the value.
  ///
  /// - Throws: `.unexpectedByte` or `.unexpectedEnd` at the first error; `.tooDeep` above `maximumDepth`
  ///   nested containers; `.tooManyValues` above 1,000,000; `.tooLong` above 2 GB.
  package init(parsing bytes: [UInt8], maximumDepth: Int = 64) throws(JSONError) {
    var parser = try JSONParser(bytes: bytes, maximumDepth: maximumDepth)
    self.nodes = try parser.parse()
    self.bytes = bytes
  }

  /// Reads a handwritten text, with `//` and `/* */` comments and trailing commas, to its end despite
  /// errors.
  ///
  /// The text is UTF-8 of at most 2 GB. `mistakes` receives all errors, in the order of the text.
  package init(handwritten bytes: [UInt8], mistakes: inout [JSONDiagnostic]) {
    do throws(JSONError) {
      var parser = try JSONParser(bytes: bytes, maximumDepth: 64, isHandwritten: true)
      (nodes, mistakes) = parser.parseHandwritten()
      self.bytes = bytes
    } catch {
      mistakes = [JSONDiagnostic(offset: 0, expected: .less)]
      nodes = [JSONNode(kind: .null, start: 0, end: 0, next: 1)]
      self.bytes = []
    }
  }

  package var root: JSONValue { JSONValue(document: self, index: 0) }

  /// The line of an offset, from 1.
  package func line(at offset: Int) -> Int { bytes.line(at: offset) }
}

/// Value of a document: its kind and its range of bytes.
struct JSONNode: Sendable {
  enum Kind: UInt8 {
    case object
    case array
    /// Without escapes; the range lies between the quotes.
    case plainString
    /// With escapes, which are decoded on access.
    case escapedString
    case number
    case `true`
    case `false`
    case null
  }

  let kind: Kind
  let start: UInt32
  let end: UInt32
  /// The index of the node after this one and its descendants.
  var next: UInt32

  var range: Range<Int> { Int(start)..<Int(end) }
}

/// Reason why a text is rejected.
package enum JSONError: Error, Hashable, Sendable {
  /// More arrays and objects inside one another than allowed.
  case tooDeep
  /// More than 1,000,000 values.
  case tooManyValues
  /// More than 2 GB.
  case tooLong
  /// A byte that is not allowed at its offset.
  case unexpectedByte(offset: Int)
  case unexpectedEnd
}

/// Value of a document; reading it as the wrong type returns nil.
package struct JSONValue: Sendable {
  let document: JSONDocument
  let index: Int

  private var node: JSONNode { document.nodes[index] }

  package var isObject: Bool { node.kind == .object }
  package var isArray: Bool { node.kind == .array }
  package var isNull: Bool { node.kind == .null }
  /// Whether a handwritten text has a key here without a readable value.
  package var isMissing: Bool { node.kind == .null && node.start == node.end }

  /// The text of a string, with its escapes decoded; nil for other values.
  package var string: String? {
    switch node.kind {
    case .plainString: String(decoding: document.bytes[node.range], as: UTF8.self)
    case .escapedString: JSONEscapes.decode(document.bytes[node.range])
    default: nil
    }
  }

  /// A string, or the spelling of a number; nil for other values.
  package var text: String? {
    node.kind == .number ? String(decoding: document.bytes[node.range], as: UTF8.self) : string
  }

  /// A number, or a string that contains one, exactly; nil for other values.
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

  /// The text of a string, or the spelling of a number or a word; nil for objects and arrays.
  package var spelling: String? {
    switch node.kind {
    case .object, .array: nil
    case .plainString, .escapedString: string
    case .number, .true, .false, .null:
      String(decoding: document.bytes[node.range], as: UTF8.self)
    }
  }

  /// The members of an object in order; empty for other values.
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

  /// The elements of an array; empty for other values.
  package var elements: JSONElements {
    JSONElements(document: document, index: index + 1, end: isArray ? Int(node.next) : index + 1)
  }

  /// The value of an object's key: the first where the key is repeated, nil where it is absent or `null`.
  package subscript(key: StaticString) -> JSONValue? {
    key.withUTF8Buffer(value)
  }

  /// Like `subscript(key:)`, for a key that is computed at run time.
  package subscript(named key: String) -> JSONValue? {
    var key = key
    return key.withUTF8(value)
  }

  /// Whether the value of an object's key is `null`.
  func isNull(at key: StaticString) -> Bool {
    key.withUTF8Buffer { document.index(of: $0, in: index) }
      .map { JSONValue(document: document, index: $0).isNull } ?? false
  }

  /// A key that an object in the value has more than once; nil where there is none.
  var repeatedKey: String? {
    var keys: Set<String> = []
    for member in members {
      guard keys.insert(member.key).inserted else { return member.key }
      if let key = member.value.repeatedKey { return key }
    }
    return elements.lazy.compactMap(\.repeatedKey).first
  }

  private func value(of key: UnsafeBufferPointer<UInt8>) -> JSONValue? {
    guard let index = document.index(of: key, in: index) else { return nil }
    let value = JSONValue(document: document, index: index)
    return value.isNull ? nil : value
  }
}

extension JSONDocument {
  /// The node after a key; nil where the node is not an object, or has no such key.
  fileprivate func index(of key: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
    guard nodes[object].kind == .object else { return nil }
    let end = Int(nodes[object].next)
    var keyIndex = object + 1
    while keyIndex < end {
      if isSpelled(key, nodes[keyIndex]) { return keyIndex + 1 }
      keyIndex = Int(nodes[keyIndex + 1].next)
    }
    return nil
  }

  private func isSpelled(_ key: UnsafeBufferPointer<UInt8>, _ node: JSONNode) -> Bool {
    if node.kind == .escapedString {
      return JSONEscapes.decode(bytes[node.range]) == String(decoding: key, as: UTF8.self)
    }
    guard node.range.count == key.count else { return false }
    for offset in key.indices where bytes[Int(node.start) + offset] != key[offset] { return false }
    return true
  }
}

/// Key of an object with its value.
package struct JSONMember: Sendable {
  package let key: String
  package let value: JSONValue

  /// Offset of the key, in bytes.
  package var offset: Int { Int(value.document.nodes[value.index - 1].start) }
}

/// The elements of an array in order.
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
