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

/// The kinds of picture file that a market holds, told by their first bytes, never by a name.
package enum PictureFormat: String, Hashable, Sendable, CaseIterable {
  case jpeg
  case png
  case webp
  case gif

  /// Reads the first 12 bytes of a file; nil for anything that is none of the four.
  package init?(sniffing bytes: some Collection<UInt8>) {
    let head = Array(bytes.prefix(12))
    switch head {
    case _ where head.starts(with: [0xFF, 0xD8, 0xFF]): self = .jpeg
    case _ where head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]): self = .png
    case _ where head.starts(with: Array("GIF87a".utf8)): self = .gif
    case _ where head.starts(with: Array("GIF89a".utf8)): self = .gif
    case _
    where head.starts(with: Array("RIFF".utf8)) && head.dropFirst(8) == Array("WEBP".utf8)[...]:
      self = .webp
    default: return nil
    }
  }

  /// What people call it.
  package var name: String { self == .webp ? "WebP" : rawValue.uppercased() }

  /// Media type as HTTP names it.
  package var mediaType: String { "image/" + rawValue }

  /// Usual ending of a file name, without the dot.
  package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}
