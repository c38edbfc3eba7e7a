import MarketModel
import MarketViewModels
import PictureKit

/// Picture source of a market, of favorite thumbnails of any market, and of other markets.
nonisolated struct FavoritePictureSource: PictureSource {
  let market: any PictureSource
  let others: @MainActor @Sendable () -> MarketSessions?
  let store: @MainActor @Sendable () -> (any PersonalDataStore)?

  func bytes(
    of picture: Picture, _ rendition: PictureRendition
  ) async throws(PictureError) -> [UInt8] {
    if let id = FavoritePicture.id(of: picture) { return try await favorite(id) }
    if let (key, picture) = OtherMarketPicture.parts(of: picture) {
      guard let others = await others() else { throw .missing }
      return try await others.bytes(of: picture, rendition, in: key)
    }
    return try await market.bytes(of: picture, rendition)
  }

  func bytes(
    of picture: Picture, _ rendition: PictureRendition, atMost limit: Int
  ) async throws(PictureError) -> [UInt8] {
    guard FavoritePicture.id(of: picture) == nil, OtherMarketPicture.parts(of: picture) == nil
    else {
      return try await bytes(of: picture, rendition)
    }
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

/// Maker of thumbnails that are small enough to be stored: the market's own, else a re-encoded one.
private nonisolated struct ThumbnailMaker {
  let decoder: PictureDecodingQueue

  /// Maximum bytes of a fetched file, that of markets' thumbnails.
  private static let maxFetched = 1 << 20
  private static let box = PixelSize(width: 320, height: 320)
  /// JPEG qualities to try; with the last one the file is nearly always small enough.
  private static let qualities = [80, 50, 20]

  /// Returns the bytes of a thumbnail.
  /// - Throws: what the source and the decoder throw, `.tooLarge` if no quality suffices.
  func bytes(
    of picture: Picture, from source: any PictureSource
  ) async throws(PictureError) -> [UInt8] {
    let bytes = try await source.bytes(of: picture, .thumbnail, atMost: Self.maxFetched)
    let isSmall = bytes.count <= FavoritePicture.longest
    // A file that is no picture is not stored, not even a small one.
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
