/// JSON as it was received (RFC 8259): checked once from end to end, decoded where it is looked at.
///
/// Strings and numbers stay ranges of the received bytes until somebody asks for them, so that a
/// page costs one pass and numbers can be read exactly. A class, because each of its many values
/// refers to it: one count to keep instead of one for each array.
package final class JSONDocument: Sendable {
  let bytes: [UInt8]
  /// All values in the order of the text; an object holds its keys and values in turn.
  let nodes: [JSONNode]

  /// Checks a text and finds its values.
  ///
  /// The text is UTF-8, perhaps with a byte order mark; white space may follow the value. At most
  /// `maximumDepth` arrays and objects are inside one another. Throws at the first wrong byte.
  package init(parsing bytes: [UInt8], maximumDepth: Int = 64) throws(JSONError) {
    var parser = try JSONParser(bytes: bytes, maximumDepth: maximumDepth)
    self.nodes = try parser.parse()
    self.bytes = bytes
  }

  /// Reads a text that a person wrote, with `//` and `/* */` comments and commas behind the last
  /// member; to its end, whatever is wrong with it.
  ///
  /// The text is UTF-8 of at most 2 GB. `mistakes` becomes everything that is wrong, in the order
  /// of the text.
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

  /// The line of a place in the text, from 1.
  package func line(at offset: Int) -> Int { bytes.line(at: offset) }
}

/// One value of a document: what it is and which bytes it covers.
struct JSONNode: Sendable {
  enum Kind: UInt8 {
    case object
    case array
    /// Without escapes; the range lies between the quotes.
    case plainString
    /// With escapes that are still to be decoded.
    case escapedString
    case number
    case `true`
    case `false`
    case null
  }

  let kind: Kind
  let start: UInt32
  let end: UInt32
  /// The index of the node that follows this one and all inside it.
  var next: UInt32

  var range: Range<Int> { Int(start)..<Int(end) }
}

/// Reason why bytes are no JSON that may be read.
package enum JSONError: Error, Hashable, Sendable {
  /// More arrays and objects inside one another than allowed.
  case tooDeep
  /// More values than a page of the largest size could need many times over.
  case tooManyValues
  /// More than 2 GB.
  case tooLong
  /// A byte that cannot stand where it stands.
  case unexpectedByte(offset: Int)
  case unexpectedEnd
}

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
    key.withUTF8Buffer(value)
  }

  /// The same for a key that is known when the program runs.
  package subscript(named key: String) -> JSONValue? {
    var key = key
    return key.withUTF8(value)
  }

  /// Whether the value of an object's key is `null`.
  func isNull(at key: StaticString) -> Bool {
    key.withUTF8Buffer { document.index(of: $0, in: index) }
      .map { JSONValue(document: document, index: $0).isNull } ?? false
  }

  private func value(of key: UnsafeBufferPointer<UInt8>) -> JSONValue? {
    guard let index = document.index(of: key, in: index) else { return nil }
    let value = JSONValue(document: document, index: index)
    return value.isNull ? nil : value
  }
}

extension JSONDocument {
  /// The node of the value that follows a key; nil where the node is no object or has no such key.
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

/// A key of an object with its value.
package struct JSONMember: Sendable {
  package let key: String
  package let value: JSONValue

  /// Offset of the key, in bytes.
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
