import Glibc

/// Lossless conversion between file names, which are bytes (path_resolution(7)), and text.
///
/// A byte that is not UTF-8 becomes a scalar at the end of the last private-use plane, U+10FF80 to
/// U+10FFFF, which screens show as U+FFFD. Such a scalar in a name is encoded byte by byte, so that
/// names and texts correspond one to one.
package enum FileName {
  private static let scalars: ClosedRange<UInt32> = 0x10FF80...0x10FFFF
  private static let base: UInt32 = 0x10FF00

  /// Decodes a name or path.
  package static func text(_ bytes: some Collection<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self),
      !text.unicodeScalars.contains(where: { scalars.contains($0.value) })
    {
      return text
    }
    var text = String.UnicodeScalarView()
    var rest = Array(bytes)[...]
    while let first = rest.first {
      let scalar = (1...4).lazy.compactMap { count in
        String(validating: rest.prefix(count), as: UTF8.self)?.unicodeScalars.first
      }.first
      if let scalar, !scalars.contains(scalar.value) {
        text.append(scalar)
        rest = rest.dropFirst(UTF8.width(scalar))
      } else {
        text.append(Unicode.Scalar(base + UInt32(first)) ?? "\u{FFFD}")
        rest = rest.dropFirst()
      }
    }
    return String(text)
  }

  /// Encodes a name or path.
  package static func bytes(_ text: String) -> [UInt8] {
    guard text.unicodeScalars.contains(where: { scalars.contains($0.value) }) else {
      return Array(text.utf8)
    }
    return text.unicodeScalars.flatMap { scalar in
      scalars.contains(scalar.value)
        ? [UInt8(scalar.value - base)] : Array(String(Character(scalar)).utf8)
    }
  }

  /// Returns a name with U+FFFD in place of invalid bytes, for programs that require UTF-8.
  package static func repaired(_ text: String) -> String {
    String(decoding: bytes(text), as: UTF8.self)
  }

  /// Calls `body` with a path for system calls.
  package static func withPath<Result>(
    _ text: String, _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    let bytes = bytes(text).map(CChar.init(bitPattern:)) + [0]
    return bytes.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map(body) ?? text.withCString(body)
    }
  }
}
