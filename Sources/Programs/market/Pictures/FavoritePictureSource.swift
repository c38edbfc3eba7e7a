import MarketModel
import MarketViewModels
import PictureKit

/// The pictures of a market, and the small ones that a person keeps of any market.
nonisolated struct FavoritePictureSource: PictureSource {
  let market: any PictureSource
  let store: @MainActor @Sendable () -> (any PersonalDataStore)?

  func bytes(
    of picture: Picture, _ rendition: PictureRendition
  ) async throws(PictureError) -> [UInt8] {
    if let id = FavoritePicture.id(of: picture) { return try await favorite(id) }
    return try await market.bytes(of: picture, rendition)
  }

  func bytes(
    of picture: Picture, _ rendition: PictureRendition, atMost limit: Int
  ) async throws(PictureError) -> [UInt8] {
    if let id = FavoritePicture.id(of: picture) { return try await favorite(id) }
    return try await market.bytes(of: picture, rendition, atMost: limit)
  }

  private func favorite(_ id: FavoriteID) async throws(PictureError) -> [UInt8] {
    guard let bytes = await store()?.favoritePicture(of: id) else { throw .missing }
    return bytes
  }
}

extension MarketSessions: FavoriteThumbnailMaker {
  func favoritePicture(of picture: Picture, in market: MarketKey) async -> [UInt8]? {
    guard let source = pictures(of: market) else { return nil }
    return try? await ThumbnailMaker(decoder: decoder).bytes(of: picture, from: source)
  }
}

/// Maker of a file that is small enough to be kept: the market's own small picture where that is, else
/// one that is made of it.
private nonisolated struct ThumbnailMaker {
  let decoder: PictureDecodingQueue

  /// Bytes of a file that is fetched for it: markets keep no larger ones.
  private static let maxFetched = 1 << 20
  private static let box = PixelSize(width: 320, height: 320)
  /// Of the last one at the latest the file is small enough.
  private static let qualities = [80, 50, 20]

  func bytes(
    of picture: Picture, from source: any PictureSource
  ) async throws(PictureError) -> [UInt8] {
    let bytes = try await source.bytes(of: picture, .thumbnail, atMost: Self.maxFetched)
    let isSmall = bytes.count <= FavoritePicture.longest
    // What is no picture is not kept, however small it is.
    let bitmap = try await decoder.decode(
      bytes, into: isSmall ? PixelSize(width: 1, height: 1) : Self.box)
    if isSmall { return bytes }
    for quality in Self.qualities {
      let smaller = try PictureEncoder.jpeg(bitmap, quality: quality)
      if smaller.count <= FavoritePicture.longest { return smaller }
    }
    throw .tooLarge
  }
}
