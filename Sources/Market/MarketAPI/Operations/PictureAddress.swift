import MarketModel
import TextCoding

/// A picture as a server's addresses name it: by its locator in the store and its rendition.
///
/// The locator carries the hash of the content, so that what is behind an address never changes.
package struct PictureAddress: Hashable, Sendable {
  package var locator: String
  package var rendition: PictureRendition

  package init(locator: String, rendition: PictureRendition) {
    self.locator = locator
    self.rendition = rendition
  }

  /// `/pictures/<locator>`, followed by `/thumbnail` for the small one.
  package var path: String {
    let original = "/" + Self.root + "/" + PercentCoding.encode(locator)
    return rendition == .thumbnail ? original + "/" + Self.small : original
  }

  /// Reads the words of a path; nil where they name no picture.
  package init?(segments: [String]) {
    switch segments.count {
    case 2 where segments[0] == Self.root:
      self.init(locator: segments[1], rendition: .original)
    case 3 where segments[0] == Self.root && segments[2] == Self.small:
      self.init(locator: segments[1], rendition: .thumbnail)
    default: return nil
    }
  }

  /// The hash of the content that an address at any server of ours names, whatever stands before; nil
  /// for other addresses, and for a small picture, whose address names the large one's.
  package static func contentHash(in address: WebAddress) -> [UInt8]? {
    let words = address.path.split(separator: "/").suffix(2)
    guard words.count == 2, words.first == Self.root[...], let name = words.last,
      name.utf8.count == hashDigits
    else { return nil }
    return Hexadecimal.bytes(of: String(name))
  }

  private static let hashDigits = 64
  private static let root = "pictures"
  private static let small = "thumbnail"
}

/// Absolute addresses of a server's pictures, for the client that asked.
package struct PictureAddresses: Hashable, Sendable {
  /// Scheme, host and perhaps a path, without a slash at the end: `http://127.0.0.1:8080`.
  package let base: String

  package init(base: String) {
    self.base = base.last == "/" ? String(base.dropLast()) : base
  }

  /// The address of a picture of the store.
  package func address(of picture: Picture, _ rendition: PictureRendition) -> String {
    base + PictureAddress(locator: picture.locator(of: rendition), rendition: rendition).path
  }

  /// An address for products without a picture: clients read the address and crash without one.
  package var missing: String {
    base + PictureAddress(locator: "none", rendition: .thumbnail).path
  }
}
