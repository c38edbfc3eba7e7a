import MarketModel

/// Picture that products may reference: its files are inserted into the database with it, or are already
/// in the external storage.
package struct StoredPicture: Hashable, Sendable {
  package enum Files: Hashable, Sendable {
    case inside(original: [UInt8], thumbnail: [UInt8])
    /// In the external storage, with the hash by which the thumbnail is checked.
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

  /// Hash of the thumbnail of an external picture; nil for one in the database.
  package var thumbnailHash: [UInt8]? {
    if case .outside(let hash) = files { hash } else { nil }
  }
}

/// One file of a picture as the database stores it.
package enum StoredPictureFile: Hashable, Sendable {
  case inside([UInt8])
  /// In the external storage, with the hash by which the thumbnail is checked.
  case outside(thumbnailHash: [UInt8])
}
