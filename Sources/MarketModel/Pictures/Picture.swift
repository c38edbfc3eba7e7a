/// Where a picture's bytes are, in words that only its source understands.
package struct Picture: Hashable, Sendable {
  /// The number that a v2 server gives a picture (`thumbnail_id` names it); nil elsewhere.
  package var number: Int64?
  /// The whole picture: the hash of its content in a store, an address at a server.
  package var original: String
  /// The small one; equal to `original` where there is none.
  package var thumbnail: String

  package init(number: Int64? = nil, original: String, thumbnail: String) {
    self.number = number
    self.original = original
    self.thumbnail = thumbnail
  }

  /// Whether this names that picture of a product: by its number, where it has one.
  package func isNamed(_ other: Picture) -> Bool {
    number.map { $0 == other.number } ?? (self == other)
  }

  package func locator(of rendition: PictureRendition) -> String {
    switch rendition {
    case .thumbnail: thumbnail
    case .original: original
    }
  }
}

/// Which of a picture's two sizes is wanted.
package enum PictureRendition: Hashable, Sendable {
  case thumbnail
  case original
}
