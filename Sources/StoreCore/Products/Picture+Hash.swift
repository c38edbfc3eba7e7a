import MarketModel

/// Pictures of a store are named by the hash of their content, in hexadecimal digits; thumbnails
/// by the same with an ending.
extension Picture {
  private static let thumbnailEnding = "-small"

  package init(number: Int64, hash: [UInt8]) {
    let name = hash.map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }.joined()
    self.init(number: number, original: name, thumbnail: name + Self.thumbnailEnding)
  }

  /// Nil for what is no hash.
  init?(number: Int64, storedHash hash: [UInt8]) {
    guard hash.count == ContentHash.byteCount else { return nil }
    self.init(number: number, hash: hash)
  }

  /// The hash in a locator; nil where it locates no picture of a store.
  package static func hash(in locator: String, of rendition: PictureRendition) -> [UInt8]? {
    var name = locator[...]
    if rendition == .thumbnail, name.hasSuffix(Self.thumbnailEnding) {
      name = name.dropLast(Self.thumbnailEnding.count)
    }
    let digits = Array(name.utf8)
    guard digits.count == 2 * ContentHash.byteCount else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = Self.value(of: digits[index]), let low = Self.value(of: digits[index + 1])
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
