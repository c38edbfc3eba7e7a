import MarketModel
import TextCoding

/// Picture in a server's URLs: its locator in the store and its rendition.
///
/// The locator contains the hash of the content, so that a URL's content never changes.
package struct PictureAddress: Hashable, Sendable {
  package var locator: String
  package var rendition: PictureRendition

  package init(locator: String, rendition: PictureRendition) {
    self.locator = locator
    self.rendition = rendition
  }

  /// `/pictures/<locator>`, followed by `/thumbnail` for thumbnails.
  package var path: String {
    let original = "/" + Self.root + "/" + PercentCoding.encode(locator)
    return rendition == .thumbnail ? original + "/" + Self.small : original
  }

  /// Reads the segments of a path; nil where they do not name a picture.
  package init?(segments: [String]) {
    switch segments.count {
    case 2 where segments[0] == Self.root:
      self.init(locator: segments[1], rendition: .original)
    case 3 where segments[0] == Self.root && segments[2] == Self.small:
      self.init(locator: segments[1], rendition: .thumbnail)
    default: return nil
    }
  }

  /// The hash of the content behind a picture URL of any of our servers; nil for other URLs, and for
  /// thumbnails, whose URLs contain the hash of the original.
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

/// Absolute URLs of a server's pictures, for one client.
package struct PictureAddresses: Hashable, Sendable {
  /// Scheme, host and optional path, without a trailing slash: `http://127.0.0.1:8080`.
  package let base: String

  package init(base: String) {
    self.base = base.last == "/" ? String(base.dropLast()) : base
  }

  /// The URL of a picture.
  package func address(of picture: Picture, _ rendition: PictureRendition) -> String {
    base + PictureAddress(locator: picture.locator(of: rendition), rendition: rendition).path
  }

  /// URL for products without a picture: clients crash without one.
  package var missing: String {
    base + PictureAddress(locator: "none", rendition: .thumbnail).path
  }
}
