/// Changes of a text that a person wrote, which leave everything else in it as it is.
extension JSONDocument {
  /// The text with a member of an object set.
  ///
  /// - Parameters:
  ///   - key: the member; one that is there gets another value, any other one stands last.
  ///   - object: an object of this document.
  ///   - value: the value as JSON.
  ///   - indent: blanks before a line of its own.
  /// - Returns: the text.
  package func setting(
    _ key: String, of object: JSONValue, to value: [UInt8], indent: Int
  ) -> [UInt8] {
    if let old = object.members.last(where: { $0.key == key })?.value {
      return replacing(range(of: old), with: value)
    }
    let closing = closingBracket(of: object)
    // Behind whatever comment stands there, in the line after it.
    let place = bytes[..<closing].lastIndex { !$0.isASCIIWhitespace }.map { $0 + 1 } ?? closing
    let hasLine = bytes[place..<closing].contains(0x0A)
    var text = replacing(
      place..<(hasLine ? place : closing),
      with: [0x0A] + blanks(indent) + Self.string(key) + Array(": ".utf8) + value
        + (hasLine ? [] : [0x0A] + blanks(indent - 2)))
    if let last = object.members.last?.value, !isFollowedByComma(last, before: closing) {
      text.insert(0x2C, at: range(of: last).upperBound)
    }
    return text
  }

  /// A text as a string of JSON.
  package static func string(_ text: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.string(text)
    return writer.bytes
  }

  private func blanks(_ count: Int) -> [UInt8] { Array(repeating: 0x20, count: max(0, count)) }

  private func replacing(_ range: Range<Int>, with part: [UInt8]) -> [UInt8] {
    Array(bytes[..<range.lowerBound]) + part + bytes[range.upperBound...]
  }

  /// All bytes of a value, quotes and brackets too.
  private func range(of value: JSONValue) -> Range<Int> {
    let node = nodes[value.index]
    return switch node.kind {
    case .object, .array: Int(node.start)..<closingBracket(of: value) + 1
    case .plainString, .escapedString: Int(node.start) - 1..<Int(node.end) + 1
    case .number, .true, .false, .null: node.range
    }
  }

  /// Where the bracket stands that ends an object or an array.
  private func closingBracket(of container: JSONValue) -> Int {
    let node = nodes[container.index]
    var place = Int(node.start) + 1
    var child = container.index + 1
    while child < Int(node.next) {
      place = range(of: JSONValue(document: self, index: child)).upperBound
      child = Int(nodes[child].next)
    }
    return JSONParser.firstMark([0x7D, 0x5D], in: bytes, from: place)
  }

  private func isFollowedByComma(_ value: JSONValue, before end: Int) -> Bool {
    JSONParser.firstMark([0x2C, 0x7D, 0x5D], in: bytes, from: range(of: value).upperBound) < end
  }
}
