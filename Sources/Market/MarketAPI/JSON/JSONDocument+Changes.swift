/// Edits of a handwritten text that leave the rest of it unchanged.
extension JSONDocument {
  /// The text with a member set at a path of object names; nil where the path leads through another kind
  /// of value.
  ///
  /// An existing member's value is replaced, a new member is added last. `value` is JSON.
  package func setting(_ path: [String], to value: [UInt8]) -> [UInt8]? {
    var object = root
    var rest = path[...]
    while rest.count > 1, object.isObject, let inner = object.last(rest[rest.startIndex]) {
      object = inner
      rest = rest.dropFirst()
    }
    guard object.isObject, let name = rest.first else { return nil }
    let indent = indent(of: object, level: path.count - rest.count + 1)
    return setting(name, of: object, to: nested(rest.dropFirst(), value, indent), indent: indent)
  }

  /// The text without the first member of this path; nil where there is none.
  package func removing(_ path: [String]) -> [UInt8]? {
    var object: JSONValue? = root
    for name in path.dropLast() { object = object?.last(name) }
    let members = object?.members ?? []
    guard let index = members.firstIndex(where: { $0.key == path.last }) else { return nil }
    return removing(index, of: members)
  }

  /// A text as a JSON string.
  package static func string(_ text: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.string(text)
    return writer.bytes
  }

  private func setting(
    _ key: String, of object: JSONValue, to value: [UInt8], indent: [UInt8]
  ) -> [UInt8] {
    if let old = object.last(key) { return replacing(range(of: old), with: value) }
    let closing = closingBracket(of: object)
    // After any comment there, on a new line.
    let insertionIndex =
      bytes[..<closing].lastIndex { !$0.isASCIIWhitespace }.map { $0 + 1 } ?? closing
    let hasLine = bytes[insertionIndex..<closing].contains(0x0A)
    let outer = Array(indent.dropLast(2))
    var text = replacing(
      insertionIndex..<(hasLine ? insertionIndex : closing),
      with: lineEnd + indent + Self.string(key) + Array(": ".utf8) + value
        + (hasLine ? [] : lineEnd + outer))
    if let last = object.members.last?.value, !isFollowedByComma(last, before: closing) {
      text.insert(0x2C, at: range(of: last).upperBound)
    }
    return text
  }

  /// A value inside new nested objects of these names.
  private func nested(
    _ names: ArraySlice<String>, _ value: [UInt8], _ indent: [UInt8]
  ) -> [UInt8] {
    guard let name = names.first else { return value }
    let inner = indent + [0x20, 0x20]
    return [0x7B] + lineEnd + inner + Self.string(name) + Array(": ".utf8)
      + nested(names.dropFirst(), value, inner) + lineEnd + indent + [0x7D]
  }

  /// The indentation of an object's members: that of its last one, else two spaces for each level.
  private func indent(of object: JSONValue, level: Int) -> [UInt8] {
    if let last = object.members.last {
      let start = last.offset - 1
      let before = bytes[lineStart(of: start)..<start]
      if before.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return Array(before) }
    }
    return Array(repeating: 0x20, count: 2 * level)
  }

  /// The line ending of the text.
  private var lineEnd: [UInt8] {
    guard let end = bytes.firstIndex(of: 0x0A), end > 0, bytes[end - 1] == 0x0D else {
      return [0x0A]
    }
    return [0x0D, 0x0A]
  }

  private func lineStart(of insertionIndex: Int) -> Int {
    bytes[..<insertionIndex].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
  }

  private func replacing(_ range: Range<Int>, with part: [UInt8]) -> [UInt8] {
    Array(bytes[..<range.lowerBound]) + part + bytes[range.upperBound...]
  }

  /// All bytes of a value, with quotes and brackets.
  private func range(of value: JSONValue) -> Range<Int> {
    let node = nodes[value.index]
    return switch node.kind {
    case .object, .array: Int(node.start)..<closingBracket(of: value) + 1
    case .plainString, .escapedString: Int(node.start) - 1..<Int(node.end) + 1
    case .number, .true, .false, .null: node.range
    }
  }

  /// Offset of the bracket that closes an object or an array.
  private func closingBracket(of container: JSONValue) -> Int {
    let node = nodes[container.index]
    var insertionIndex = Int(node.start) + 1
    var child = container.index + 1
    while child < Int(node.next) {
      insertionIndex = range(of: JSONValue(document: self, index: child)).upperBound
      child = Int(nodes[child].next)
    }
    return JSONParser.firstByte(of: [0x7D, 0x5D], in: bytes, from: insertionIndex)
  }

  private func isFollowedByComma(_ value: JSONValue, before end: Int) -> Bool {
    comma(after: value).map { $0 < end } ?? false
  }

  /// Offset of the comma after a value, skipping comments; nil where there is none.
  private func comma(after value: JSONValue) -> Int? {
    let insertionIndex = JSONParser.firstByte(
      of: [0x2C, 0x7D, 0x5D], in: bytes, from: range(of: value).upperBound)
    return insertionIndex < bytes.count && bytes[insertionIndex] == 0x2C ? insertionIndex : nil
  }
}

// MARK: Removing

extension JSONDocument {
  /// The text without one of an object's members, its comma, and its line where that is otherwise empty.
  private func removing(_ index: Int, of members: [JSONMember]) -> [UInt8] {
    let member = members[index]
    var end = range(of: member.value).upperBound
    var commas: [Int] = []
    if let comma = comma(after: member.value) {
      if bytes[end..<comma].allSatisfy(\.isASCIIWhitespace) {
        end = comma + 1
      } else {
        commas = [comma]
      }
    } else if index > 0, let comma = comma(after: members[index - 1].value) {
      commas = [comma]
    }
    let cut = widened(member.offset - 1..<end)
    return bytes.indices.filter { !cut.contains($0) && !commas.contains($0) }.map { bytes[$0] }
  }

  /// A range extended to whole lines where these are otherwise empty, else by the blanks that would be
  /// left over.
  private func widened(_ range: Range<Int>) -> Range<Int> {
    let start = lineStart(of: range.lowerBound)
    let end = bytes[range.upperBound...].firstIndex(of: 0x0A) ?? bytes.count
    let isBlankBefore = bytes[start..<range.lowerBound].allSatisfy(\.isASCIIWhitespace)
    if isBlankBefore, end < bytes.count,
      bytes[range.upperBound..<end].allSatisfy(\.isASCIIWhitespace)
    {
      return start..<end + 1
    }
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    if !isBlankBefore {
      let blanks = bytes[..<range.lowerBound].reversed().prefix(while: isBlank).count
      return range.lowerBound - blanks..<range.upperBound
    }
    let blanks = bytes[range.upperBound...].prefix(while: isBlank).count
    return range.lowerBound..<range.upperBound + blanks
  }
}

extension JSONValue {
  /// The value of an object's last member of a name, which is the effective one.
  fileprivate func last(_ key: String) -> JSONValue? {
    members.last { $0.key == key }?.value
  }
}
