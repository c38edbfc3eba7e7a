/// Picture of a product, with locators that only its source understands.
package struct Picture: Hashable, Sendable {
  /// Number of the picture at a v2 server (`thumbnail_id`); nil elsewhere.
  package var number: Int64?
  /// Locator of the full picture: a content hash in a store, an address at a server.
  package var original: String
  /// Locator of the thumbnail; equal to `original` where there is none.
  package var thumbnail: String

  package init(number: Int64? = nil, original: String, thumbnail: String) {
    self.number = number
    self.original = original
    self.thumbnail = thumbnail
  }

  /// Whether both are the same picture of a product: by number, or by locators without one.
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

package enum PictureRendition: Hashable, Sendable {
  case thumbnail
  case original
}

/// Picture file formats that a market accepts, detected by their first bytes, never by name.
package enum PictureFormat: String, Hashable, Sendable, CaseIterable {
  case jpeg
  case png
  case webp
  case gif

  /// Detects the format from the first 12 bytes of a file; nil for none of the four.
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

  /// Display name.
  package var name: String { self == .webp ? "WebP" : rawValue.uppercased() }

  /// Media type for HTTP.
  package var mediaType: String { "image/" + rawValue }

  /// File name extension, without the dot.
  package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}

/// The port that delivers picture files: a store or a server.
package protocol PictureSource: Sendable {
  /// Fetches a stored picture file, named by the repository of the same source: JPEG, PNG, WebP or
  /// GIF, not yet checked.
  ///
  /// - Throws: `.missing` where the source has no such picture; `.unreachable`; `.tooLarge` for a
  ///   file above the source's limit; `.cancelled`.
  func bytes(
    of picture: Picture, _ rendition: PictureRendition
  ) async throws(PictureError) -> [UInt8]

  /// Fetches a picture file of at most `limit` bytes.
  ///
  /// - Throws: what `bytes(of:_:)` throws; `.tooLarge` for a longer file, where possible before all
  ///   of it is in memory.
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

/// Reason why a picture cannot be shown.
package enum PictureError: Error, Hashable, Sendable {
  /// The source has no such picture.
  case missing
  /// The source could not be reached; a retry may work.
  case unreachable
  /// The bytes are in none of the four formats, or corrupt.
  case undecodable
  /// The file is too long, or decoding it would exceed the limits of memory or time.
  case tooLarge
  /// The calling task was cancelled.
  case cancelled

  /// Failure for the log; nil where the task was cancelled.
  package var logged: String? { self == .cancelled ? nil : String(describing: self) }
}
