import Glibc

/// Names of files, which are bytes (path_resolution(7)), as texts that keep all of them.
///
/// A byte that is no UTF-8 stands as a scalar of its own at the end of the last plane for private use,
/// U+10FF80 to U+10FFFF, which screens show as U+FFFD. A name that holds such a scalar itself has it in
/// its bytes, so that each name is one text and each text one name.
package enum FileName {
  private static let scalars: ClosedRange<UInt32> = 0x10FF80...0x10FFFF
  private static let base: UInt32 = 0x10FF00

  /// Reads a name or a path.
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

  /// The bytes of a name or a path.
  package static func bytes(_ text: String) -> [UInt8] {
    guard text.unicodeScalars.contains(where: { scalars.contains($0.value) }) else {
      return Array(text.utf8)
    }
    return text.unicodeScalars.flatMap { scalar in
      scalars.contains(scalar.value)
        ? [UInt8(scalar.value - base)] : Array(String(Character(scalar)).utf8)
    }
  }

  /// A name as others have it that know no such bytes: with U+FFFD in their place.
  package static func repaired(_ text: String) -> String {
    String(decoding: bytes(text), as: UTF8.self)
  }

  /// Lends a path as the system takes it.
  package static func withPath<Result>(
    _ text: String, _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    let bytes = bytes(text).map(CChar.init(bitPattern:)) + [0]
    return bytes.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map(body) ?? text.withCString(body)
    }
  }
}
