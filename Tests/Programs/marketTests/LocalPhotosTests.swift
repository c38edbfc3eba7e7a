import Expectations
import MarketModel
import MarketViewModels
import Testing

@testable import market

struct LocalPhotosTests {
  private struct NoPictures: PictureSource {
    func bytes(
      of picture: Picture, _ rendition: PictureRendition
    ) async throws(PictureError) -> [UInt8] {
      Issue.record("a market is asked for what only a form had")
      throw .missing
    }
  }

  @Test func `a photo that was let go of is not held, and no market is asked for it`() async throws
  {
    let photos = LocalPhotos()
    let source = LocalPhotoSource(market: NoPictures(), local: photos)
    let picture = Picture(original: "photo:1", thumbnail: "photo:1")
    photos.show([1, 2, 3], as: FormPhoto.ID(rawValue: "photo:1"))
    try await expect(source.bytes(of: picture, .original), [1, 2, 3])

    photos.forget(FormPhoto.ID(rawValue: "photo:1"))

    await #expect(throws: PictureError.missing) {
      try await source.bytes(of: picture, .original)
    }
  }
}
