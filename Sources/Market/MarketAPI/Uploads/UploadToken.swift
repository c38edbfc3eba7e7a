/// Random secret of 128 bits in the address of a page for photos.
///
/// Capitals and digits of base32 (RFC 4648), which a QR code writes in less room than bytes.
package struct UploadToken: Hashable, Sendable {
  /// First segment of the page's path; `u` is accepted as well.
  package static let segment = "U"
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
  private static let length = 26

  package let text: String

  package init() {
    var generator = SystemRandomNumberGenerator()
    // 26 letters of 5 bits, of which the last one has 3 bits of chance.
    let letters = (0..<Self.length).map { index in
      let bits = UInt8.random(in: 0..<32, using: &generator)
      return Self.alphabet[Int(index == Self.length - 1 ? bits & 0b11100 : bits)]
    }
    text = String(decoding: letters, as: UTF8.self)
  }

  /// Reads the token of a path such as `/U/TOKEN` or `/u/token`; nil for other paths.
  package init?(path: String) {
    let bytes = path.utf8
    guard bytes.count == Self.length + 3, path.hasPrefix("/U/") || path.hasPrefix("/u/") else {
      return nil
    }
    self.init(word: String(path.dropFirst(3)))
  }

  /// Reads a token in capitals or small letters; nil for another word.
  package init?(word: String) {
    let text = word.uppercased()
    guard text.utf8.count == Self.length, text.utf8.allSatisfy(Self.alphabet.contains) else {
      return nil
    }
    self.text = text
  }

  package var path: String { "/\(Self.segment)/\(text)" }

  /// Whether two tokens are equal, in a time that does not depend on where they differ.
  package func matches(_ other: UploadToken) -> Bool {
    zip(text.utf8, other.text.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Whether a target may be that of such a page, judged by its first bytes.
  package static func mayBe(_ target: String) -> Bool {
    target.hasPrefix("/U/") || target.hasPrefix("/u/")
  }
}
