import MarketAPI
import MarketModel

/// A version for products of servers that have none: a digest of everything an edit can change.
///
/// A change that is made and undone in between goes unseen, and does no harm.
enum ContentVersion {
  static func version(of detail: ProductDetail) -> ProductVersion {
    var digest = ContentDigest()
    for text in detail.content { digest.add(text) }
    return ProductVersion(rawValue: "content-" + String(digest.value, radix: 16))
  }
}

extension ContentDigest {
  /// Adds a text and a byte that no text holds, so that texts do not run into each other.
  fileprivate mutating func add(_ text: String) {
    add(text.utf8)
    add(CollectionOfOne(0xFF))
  }
}
