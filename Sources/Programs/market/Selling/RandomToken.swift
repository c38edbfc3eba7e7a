import TextCoding

/// Random texts from the system's generator.
nonisolated enum RandomToken {
  /// A random UUID (RFC 9562, version 4) in lower case.
  static func uuid() -> String {
    var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { Hexadecimal.text(of: bytes[$0]) }
      .joined(separator: "-")
  }
}
