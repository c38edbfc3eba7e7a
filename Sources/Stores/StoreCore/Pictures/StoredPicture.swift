import MarketModel

/// Picture that products may refer to: its files come into the database with them, or are outside
/// already.
package struct StoredPicture: Hashable, Sendable {
  package enum Files: Hashable, Sendable {
    case inside(original: [UInt8], thumbnail: [UInt8])
    /// Outside, with the hash of the thumbnail, by which it is checked.
    case outside(thumbnailHash: [UInt8])
  }

  /// Hash of the original.
  package let hash: [UInt8]
  package let files: Files

  package init(hash: [UInt8], files: Files) {
    self.hash = hash
    self.files = files
  }

  /// The picture with its files in the database.
  package init(inside picture: PreparedPicture) {
    self.init(
      hash: ContentHash.of(picture.bytes),
      files: .inside(original: picture.bytes, thumbnail: picture.thumbnail))
  }

  package var isOutside: Bool { thumbnailHash != nil }

  /// Hash of the thumbnail of a picture outside; nil for one in the database.
  package var thumbnailHash: [UInt8]? {
    if case .outside(let hash) = files { hash } else { nil }
  }
}

/// One file of a picture as a database knows it.
package enum StoredPictureFile: Hashable, Sendable {
  case inside([UInt8])
  /// Outside, with the hash of the thumbnail.
  case outside(thumbnailHash: [UInt8])
}
