/// The fields of one record of comma-separated values (RFC 4180).
enum TableRecord {
  private static let quote: UInt8 = 0x22
  private static let comma: UInt8 = 0x2C

  /// Divides a record, without the line feed that ends it, into its fields as they came; nil where
  /// quotes do not match.
  static func fields(_ bytes: [UInt8]) -> [String]? {
    var fields: [String] = []
    var rest = bytes.last == 0x0D ? bytes.dropLast() : bytes[...]
    while true {
      guard let field = takeField(of: &rest) else { return nil }
      fields.append(String(decoding: field, as: UTF8.self))
      guard let next = rest.popFirst() else { return fields }
      guard next == comma else { return nil }
    }
  }

  private static func takeField(of rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard rest.first == quote else {
      let field = rest.prefix { $0 != comma }
      rest = rest[field.endIndex...]
      return Array(field)
    }
    rest.removeFirst()
    var field: [UInt8] = []
    while let end = rest.firstIndex(of: quote) {
      field += rest[..<end]
      rest = rest[(end + 1)...]
      // Two quotes stand for one inside a field.
      guard rest.first == quote else { return field }
      field.append(quote)
      rest.removeFirst()
    }
    return nil
  }

  /// Writes a record with the line end that RFC 4180 asks for.
  static func bytes(_ fields: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, field) in fields.enumerated() {
      if index > 0 { bytes.append(comma) }
      append(field, to: &bytes)
    }
    return bytes + [0x0D, 0x0A]
  }

  private static func append(_ field: String, to bytes: inout [UInt8]) {
    guard field.utf8.contains(where: { [quote, comma, 0x0A, 0x0D].contains($0) }) else {
      bytes += field.utf8
      return
    }
    bytes.append(quote)
    for byte in field.utf8 {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    bytes.append(quote)
  }
}
