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

/// Why there is no picture to show.
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

  /// Whether asking again later may succeed.
  package var isTransient: Bool { self == .unreachable || self == .cancelled }
}
