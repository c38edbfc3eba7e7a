import MarketModel

/// Pictures whose bytes are the letters of their addresses; those at `gone` are not there.
struct FakePictures: PictureSource {
  func bytes(
    of picture: Picture, _ rendition: PictureRendition
  ) async throws(PictureError) -> [UInt8] {
    guard picture.original != "gone" else { throw .missing }
    return Array(picture.original.utf8)
  }
}
