package import SafeTextKit

/// Piece of HTML or XML in which all inserted text is escaped.
///
/// Markup comes only from literals in the source. Interpolated values are safe text (escaped for
/// content and for attributes in double quotes), numbers, addresses of this market or other pieces; a
/// `String` cannot be interpolated.
package struct HTML: Hashable, Sendable {
  /// Markup in UTF-8.
  package private(set) var bytes: [UInt8]

  private init(bytes: [UInt8]) { self.bytes = bytes }

  package static let empty = HTML(bytes: [])

  package var isEmpty: Bool { bytes.isEmpty }

  /// Text within a line in a direction of its own, which changes nothing around it.
  static func isolated(_ text: SafeText) -> HTML { "<bdi>\(text)</bdi>" }

  package static func + (left: HTML, right: HTML) -> HTML { HTML(bytes: left.bytes + right.bytes) }
}

extension HTML: ExpressibleByStringInterpolation {
  package init(stringLiteral value: StaticString) {
    self.init(bytes: value.withUTF8Buffer { Array($0) })
  }

  package init(stringInterpolation: StringInterpolation) {
    self.init(bytes: stringInterpolation.bytes)
  }

  /// Bytes of an interpolated literal.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var bytes: [UInt8] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      bytes.reserveCapacity(literalCapacity + interpolationCount * 32)
    }

    package mutating func appendLiteral(_ literal: StaticString) {
      literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    package mutating func appendInterpolation(_ text: SafeText) { escape(text.string) }

    package mutating func appendInterpolation(_ address: PageAddress) { escape(address.text) }

    package mutating func appendInterpolation(_ number: some BinaryInteger) {
      bytes.append(contentsOf: String(number).utf8)
    }

    package mutating func appendInterpolation(_ piece: HTML) {
      bytes.append(contentsOf: piece.bytes)
    }

    package mutating func appendInterpolation(_ pieces: [HTML]) {
      for piece in pieces { bytes.append(contentsOf: piece.bytes) }
    }

    /// Escapes the five special characters as references (HTML, section 13.1.4).
    private mutating func escape(_ text: String) {
      for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
        case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
        case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
        case UInt8(ascii: "\""): bytes.append(contentsOf: "&quot;".utf8)
        case UInt8(ascii: "'"): bytes.append(contentsOf: "&#39;".utf8)
        default: bytes.append(byte)
        }
      }
    }
  }
}
