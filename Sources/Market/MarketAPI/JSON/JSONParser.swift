/// Parses a JSON text into nodes in one pass, with an explicit stack instead of recursion.
///
/// Texts of programs must conform to RFC 8259, and parsing stops at the first error. Handwritten texts
/// may contain comments and trailing commas, and are read to their end despite errors.
struct JSONParser {
  /// Maximum number of values, which bounds the memory for a text.
  static let maximumValues = 1_000_000

  private let bytes: [UInt8]
  private let maximumDepth: Int
  /// Whether comments and trailing commas are allowed, and reading continues after an error.
  private let isHandwritten: Bool
  private var index = 0
  /// Kind of token allowed at `index`, named in the diagnostic of an error.
  private var expected = JSONDiagnostic.Expected.value
  /// The errors of a handwritten text so far.
  private var mistakes: [JSONDiagnostic] = []
  /// Whether the last key has no value yet.
  private var awaitsValue = false
  private var nodes: [JSONNode] = []
  /// The open containers, outermost first, as indices of `nodes`.
  private var open: [Int] = []

  init(
    bytes: [UInt8], maximumDepth: Int, isHandwritten: Bool = false
  ) throws(JSONError) {
    guard bytes.count <= Int(Int32.max) else { throw .tooLong }
    self.bytes = bytes
    self.maximumDepth = maximumDepth
    self.isHandwritten = isHandwritten
  }

  /// Reads a whole text.
  /// - Throws: `.unexpectedByte` or `.unexpectedEnd` at the first error; `.tooDeep`; `.tooManyValues`.
  mutating func parse() throws(JSONError) -> [JSONNode] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    nodes.reserveCapacity(bytes.count / 12)
    try readValue()
    while let container = open.last { try readMember(of: container) }
    skipWhitespace()
    guard index == bytes.count else { throw .unexpectedByte(offset: index) }
    return nodes
  }

  /// Reads the next element of the innermost container, or its end.
  private mutating func readMember(of container: Int) throws(JSONError) {
    let isObject = nodes[container].kind == .object
    let isFirst = nodes.count == container + 1
    let end: UInt8 = isObject ? 0x7D : 0x5D
    let before = index
    expected = isFirst ? (isObject ? .key : .value) : .comma
    switch try nextByte() {
    case end: return closeContainer()
    case 0x2C where !isFirst:
      index += 1
      if isHandwritten, try nextByte() == end { return closeContainer() }
    case 0x22 where !isFirst && isHandwritten:
      mistakes.append(JSONDiagnostic(offset: before, expected: .comma))
    case _ where !isFirst: throw .unexpectedByte(offset: index)
    default: break
    }
    if isObject { try readKey() }
    try readValue()
    awaitsValue = false
  }

  private mutating func readKey() throws(JSONError) {
    expected = .key
    guard try nextByte() == 0x22 else { throw .unexpectedByte(offset: index) }
    try readString()
    awaitsValue = true
    expected = .colon
    let before = index
    if try nextByte() == 0x3A {
      index += 1
    } else if isHandwritten, !Self.isStop(bytes[index]) {
      mistakes.append(JSONDiagnostic(offset: before, expected: .colon))
    } else {
      throw .unexpectedByte(offset: index)
    }
  }

  /// Closes the innermost container at its bracket.
  private mutating func closeContainer() {
    index += 1
    endContainer()
  }

  private mutating func endContainer() {
    guard let container = open.popLast() else { return }
    nodes[container].next = UInt32(nodes.count)
  }

  private mutating func readValue() throws(JSONError) {
    guard nodes.count < Self.maximumValues else { throw .tooManyValues }
    expected = .value
    switch try nextByte() {
    case 0x7B: try openContainer(.object)
    case 0x5B: try openContainer(.array)
    case 0x22: try readString()
    case 0x2D, 0x30...0x39: try readNumber()
    case 0x74: try readWord("true", as: .true)
    case 0x66: try readWord("false", as: .false)
    case 0x6E: try readWord("null", as: .null)
    default: throw .unexpectedByte(offset: index)
    }
  }

  private mutating func openContainer(_ kind: JSONNode.Kind) throws(JSONError) {
    guard open.count < maximumDepth else { throw .tooDeep }
    open.append(nodes.count)
    append(kind, from: index, to: index + 1)
    index += 1
  }

  /// Accepts unescaped line breaks and other control characters, which senders that assemble JSON by hand
  /// do not escape.
  private mutating func readString() throws(JSONError) {
    index += 1
    expected = .quote
    let start = index
    var hasEscapes = false
    while index < bytes.count {
      switch bytes[index] {
      case 0x0A where isHandwritten:
        // An unterminated string would swallow the following lines.
        throw .unexpectedByte(offset: index)
      case 0x22:
        append(hasEscapes ? .escapedString : .plainString, from: start, to: index)
        index += 1
        return
      case 0x5C:
        hasEscapes = true
        try skipEscape()
      default: index += 1
      }
    }
    throw .unexpectedEnd
  }

  private mutating func skipEscape() throws(JSONError) {
    guard index + 1 < bytes.count else { throw .unexpectedEnd }
    switch bytes[index + 1] {
    case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: index += 2
    case 0x75:
      guard index + 5 < bytes.count else { throw .unexpectedEnd }
      for offset in 2...5 where bytes[index + offset].hexadecimalDigit == nil {
        throw badEscape(at: index + offset)
      }
      index += 6
    default: throw badEscape(at: index + 1)
    }
  }

  private mutating func badEscape(at offset: Int) -> JSONError {
    expected = .escape
    return .unexpectedByte(offset: offset)
  }

  private mutating func readNumber() throws(JSONError) {
    let start = index
    if bytes[index] == 0x2D { index += 1 }
    let firstDigit = index
    try skipDigits()
    if bytes[firstDigit] == 0x30, index > firstDigit + 1 {
      throw .unexpectedByte(offset: firstDigit + 1)
    }
    if index < bytes.count, bytes[index] == 0x2E {
      index += 1
      try skipDigits()
    }
    if index < bytes.count, bytes[index] | 0x20 == 0x65 {
      index += 1
      if index < bytes.count, bytes[index] == 0x2B || bytes[index] == 0x2D { index += 1 }
      try skipDigits()
    }
    append(.number, from: start, to: index)
  }

  /// Skips at least one digit.
  private mutating func skipDigits() throws(JSONError) {
    let start = index
    while index < bytes.count, bytes[index].decimalDigit != nil { index += 1 }
    guard index > start else {
      throw index < bytes.count ? .unexpectedByte(offset: index) : .unexpectedEnd
    }
  }

  private mutating func readWord(_ word: String, as kind: JSONNode.Kind) throws(JSONError) {
    let end = index + word.utf8.count
    guard end <= bytes.count else { throw .unexpectedEnd }
    guard bytes[index..<end].elementsEqual(word.utf8) else {
      throw .unexpectedByte(offset: index)
    }
    append(kind, from: index, to: end)
    index = end
  }

  private mutating func append(_ kind: JSONNode.Kind, from start: Int, to end: Int) {
    nodes.append(
      JSONNode(
        kind: kind, start: UInt32(start), end: UInt32(end), next: UInt32(nodes.count + 1)))
  }

  /// The next byte that is not white space, without consuming it.
  private mutating func nextByte() throws(JSONError) -> UInt8 {
    skipWhitespace()
    guard index < bytes.count else { throw .unexpectedEnd }
    return bytes[index]
  }

  private mutating func skipWhitespace() {
    while true {
      while index < bytes.count, bytes[index].isASCIIWhitespace { index += 1 }
      guard isHandwritten, skipComment() else { return }
    }
  }
}

// MARK: Handwritten texts

extension JSONParser {
  /// Reads a text to its end, and returns the readable values, with an empty `null` in place of each
  /// unreadable one, and the errors in the order of the text, the first of each line.
  mutating func parseHandwritten() -> (nodes: [JSONNode], mistakes: [JSONDiagnostic]) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    do throws(JSONError) {
      try readValue()
      try readMembers()
      expected = .end
      skipWhitespace()
      guard index == bytes.count else { throw .unexpectedByte(offset: index) }
    } catch {
      note(error)
    }
    while !open.isEmpty {
      if awaitsValue { appendMissingValue() }
      endContainer()
    }
    if nodes.isEmpty { appendMissingValue() }
    return (nodes, firstOfEachLine)
  }

  /// Reads the open containers, and continues after unreadable members.
  private mutating func readMembers() throws(JSONError) {
    var lastStop = -1
    while let container = open.last {
      do throws(JSONError) {
        try readMember(of: container)
      } catch {
        guard case .unexpectedByte = error else { throw error }
        note(error)
        if awaitsValue { appendMissingValue() }
        if index == lastStop {
          // A delimiter that does not help is skipped.
          index += 1
        } else {
          while index < bytes.count, !Self.isStop(bytes[index]) { index += 1 }
          lastStop = index
        }
      }
    }
  }

  /// Whether the next member may begin after a byte: a line feed, a comma, `}` or `]`.
  private static func isStop(_ byte: UInt8) -> Bool {
    byte == 0x0A || byte == 0x2C || byte == 0x7D || byte == 0x5D
  }

  private mutating func appendMissingValue() {
    append(.null, from: index, to: index)
    awaitsValue = false
  }

  private mutating func note(_ error: JSONError) {
    switch error {
    case .unexpectedByte(let offset):
      mistakes.append(JSONDiagnostic(offset: offset, expected: expected))
    case .unexpectedEnd where expected == .commentEnd: break
    case .unexpectedEnd:
      let end = bytes.lastIndex { !$0.isASCIIWhitespace }.map { $0 + 1 } ?? 0
      mistakes.append(
        JSONDiagnostic(offset: end, expected: expected == .quote ? .quote : .closing))
    case .tooDeep, .tooManyValues, .tooLong:
      mistakes.append(JSONDiagnostic(offset: index, expected: .less))
    }
  }

  /// Further errors in a line mostly follow from the first one.
  private var firstOfEachLine: [JSONDiagnostic] {
    var lines: Set<Int> = []
    return mistakes.filter { lines.insert(bytes.line(at: $0.offset)).inserted }
  }

  /// The offset of the first of some bytes outside of comments; the end where there is none.
  static func firstByte(of bytesToFind: Set<UInt8>, in bytes: [UInt8], from start: Int) -> Int {
    guard
      var parser = try? JSONParser(bytes: bytes, maximumDepth: 0, isHandwritten: true)
    else { return bytes.count }
    parser.index = start
    while true {
      parser.skipWhitespace()
      guard parser.index < bytes.count, !bytesToFind.contains(bytes[parser.index]) else {
        return parser.index
      }
      parser.index += 1
    }
  }

  /// Skips `// ...` or `/* ... */`; false where there is none here.
  private mutating func skipComment() -> Bool {
    guard index + 1 < bytes.count, bytes[index] == 0x2F else { return false }
    switch bytes[index + 1] {
    case 0x2F:
      while index < bytes.count, bytes[index] != 0x0A { index += 1 }
    case 0x2A:
      guard let end = bytes[(index + 2)...].firstRange(of: [0x2A, 0x2F]) else {
        expected = .commentEnd
        mistakes.append(JSONDiagnostic(offset: index, expected: expected))
        index = bytes.count
        return true
      }
      index = end.upperBound
    default: return false
    }
    return true
  }
}

extension [UInt8] {
  /// The line of an offset, from 1.
  func line(at offset: Int) -> Int {
    prefix(offset).count { $0 == 0x0A } + 1
  }
}

/// Error in a handwritten JSON text.
package struct JSONDiagnostic: Hashable, Sendable {
  /// Expected token at the offset.
  package enum Expected: Hashable, Sendable {
    case value
    /// The name of a member, in quotes.
    case key
    case colon
    /// A comma, or the closing bracket of the object or the array.
    case comma
    /// The closing quote of a string.
    case quote
    /// A letter that may follow a backslash, or four hexadecimal digits.
    case escape
    /// The closing brackets.
    case closing
    /// The end of a comment.
    case commentEnd
    /// The end of the text.
    case end
    /// Fewer nested brackets.
    case less
  }

  /// In bytes; the end of the text where something is missing there.
  package let offset: Int
  package let expected: Expected
}
