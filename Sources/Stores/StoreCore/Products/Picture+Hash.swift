import MarketModel
import TextCoding

/// Pictures of a store are named by the hash of their content, in hexadecimal digits; thumbnails
/// by the same with an ending.
extension Picture {
  private static let thumbnailEnding = "-small"

  package init(number: Int64, hash: [UInt8]) {
    let name = Hexadecimal.text(of: hash)
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
    guard let hash = Hexadecimal.bytes(of: String(name)), hash.count == ContentHash.byteCount,
      // One picture has one name, without capitals.
      Hexadecimal.text(of: hash) == name
    else { return nil }
    return hash
  }
}
