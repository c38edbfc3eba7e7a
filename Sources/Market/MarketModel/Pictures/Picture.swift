/// Picture of a product, by locators that only its source understands.
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

/// Rendition of a picture: one of its two sizes.
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

  /// The name that people know it by.
  package var name: String { self == .webp ? "WebP" : rawValue.uppercased() }

  /// Media type as HTTP names it.
  package var mediaType: String { "image/" + rawValue }

  /// Usual ending of a file name, without the dot.
  package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}

/// The port through which picture bytes come: a store or a server.
package protocol PictureSource: Sendable {
  /// Fetches the file of a picture that the repository of the same source named, as it is kept: JPEG,
  /// PNG, WebP or GIF, not yet checked.
  ///
  /// Throws `.missing`, `.unreachable`, `.tooLarge` or `.cancelled`.
  func bytes(
    of picture: Picture, _ rendition: PictureRendition
  ) async throws(PictureError) -> [UInt8]

  /// Fetches one picture file if it has no more than so many bytes, and throws `.tooLarge` for one
  /// that has, before all of it is held in memory where that can be.
  func bytes(
    of picture: Picture, _ rendition: PictureRendition, atMost limit: Int
  ) async throws(PictureError) -> [UInt8]
}

extension PictureSource {
  package func bytes(
    of picture: Picture, _ rendition: PictureRendition, atMost limit: Int
  ) async throws(PictureError) -> [UInt8] {
    let bytes = try await bytes(of: picture, rendition)
    guard bytes.count <= limit else { throw .tooLarge }
    return bytes
  }
}

/// Reason why there is no picture to show.
package enum PictureError: Error, Hashable, Sendable {
  /// The source has no such picture.
  case missing
  /// The source could not be asked; later it may work.
  case unreachable
  /// The bytes are none of the four formats, or broken.
  case undecodable
  /// Decoding it would cost more memory or time than a picture may, or its file is too long.
  case tooLarge
  /// Nobody waits for it any more.
  case cancelled

  /// The failure as the log says it; nil where nobody waited any more.
  package var logged: String? { self == .cancelled ? nil : String(describing: self) }
}
