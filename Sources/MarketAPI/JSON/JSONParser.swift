/// Reads a JSON text into nodes in one pass, with a stack of its own instead of recursion.
struct JSONParser {
  /// Keeps what a text costs in memory close to its own length.
  static let maximumValues = 1_000_000

  private let bytes: [UInt8]
  private let maximumDepth: Int
  private var index = 0
  private var nodes: [JSONNode] = []
  /// The containers that are open, outermost first, as indices of `nodes`.
  private var open: [Int] = []

  init(bytes: [UInt8], maximumDepth: Int) throws(JSONError) {
    guard bytes.count <= Int(Int32.max) else { throw .tooLong }
    self.bytes = bytes
    self.maximumDepth = maximumDepth
  }

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
    switch try nextByte() {
    case isObject ? 0x7D : 0x5D:
      index += 1
      nodes[container].next = UInt32(nodes.count)
      open.removeLast()
      return
    case 0x2C where !isFirst: index += 1
    case _ where !isFirst: throw .unexpectedByte(offset: index)
    default: break
    }
    if isObject {
      guard try nextByte() == 0x22 else { throw .unexpectedByte(offset: index) }
      try readString()
      guard try nextByte() == 0x3A else { throw .unexpectedByte(offset: index) }
      index += 1
    }
    try readValue()
  }

  private mutating func readValue() throws(JSONError) {
    guard nodes.count < Self.maximumValues else { throw .tooManyValues }
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

  /// Line breaks and other control characters are let through: senders that put JSON together by
  /// hand do not escape them.
  private mutating func readString() throws(JSONError) {
    index += 1
    let start = index
    var hasEscapes = false
    while index < bytes.count {
      switch bytes[index] {
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
        throw .unexpectedByte(offset: index + offset)
      }
      index += 6
    default: throw .unexpectedByte(offset: index + 1)
    }
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

  /// Skips one digit or more.
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

  /// The next byte that is no white space, not yet consumed.
  private mutating func nextByte() throws(JSONError) -> UInt8 {
    skipWhitespace()
    guard index < bytes.count else { throw .unexpectedEnd }
    return bytes[index]
  }

  private mutating func skipWhitespace() {
    while index < bytes.count, bytes[index].isASCIIWhitespace { index += 1 }
  }
}
