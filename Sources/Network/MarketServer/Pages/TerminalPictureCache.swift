import MarketModel
import MarketPages

/// Decoder of a picture file for a box of dots; returns nil if the file cannot be decoded.
package typealias PageDecoding =
  @Sendable (_ file: [UInt8], _ box: TerminalPage.PictureBox) async -> Bitmap?

/// Cache of pictures for terminals; the picture behind a locator never changes.
struct TerminalPictureCache: Sendable {
  private struct Key: Hashable, Sendable {
    let locator: String
    let box: TerminalPage.PictureBox
  }

  /// Maximum bytes of cached pictures; beyond it the cache is cleared.
  private static let memoryBytes = 4 << 20

  private let market: any ServedMarket
  private let decode: PageDecoding
  /// The version is always 0.
  private let cache = VersionedCache<Key, BlockPicture?>(limit: memoryBytes) {
    $0?.byteCount ?? nil
  }

  init(_ market: any ServedMarket, _ decode: @escaping PageDecoding) {
    self.market = market
    self.decode = decode
  }

  /// Pictures of a page, without those that cannot be loaded or decoded.
  func drawn(for content: PageContent) async -> [Picture: BlockPicture] {
    let (wanted, box) = TerminalPage.wants(content)
    return await withTaskGroup(of: (Picture, BlockPicture?).self) { group in
      for picture in Set(wanted) {
        group.addTask { (picture, await blocks(of: picture, in: box)) }
      }
      return await group.reduce(into: [:]) { drawn, next in drawn[next.0] = next.1 }
    }
  }

  private func blocks(
    of picture: Picture, in box: TerminalPage.PictureBox
  ) async -> BlockPicture? {
    await cache.value(for: Key(locator: picture.thumbnail, box: box), at: 0) {
      // A missing picture must not prevent the page.
      guard let file = try? await market.picture(at: picture.thumbnail, .thumbnail),
        let bitmap = await decode(file, box)
      else { return nil }
      return BlockPicture(bitmap)
    }
  }
}

/// Reader of a picture file's size; returns nil if the file is no picture.
package typealias PictureMeasuring = @Sendable (_ file: [UInt8]) -> PixelSize?

/// Cache of the sizes of pictures that stand for pages; the picture behind a locator never changes.
struct PictureSizeCache: Sendable {
  /// Maximum number of cached sizes; beyond it the cache is cleared.
  private static let limit = 10_000

  private let market: any ServedMarket
  private let measure: PictureMeasuring
  /// The version is always 0.
  private let cache = VersionedCache<String, PixelSize?>(limit: limit) { $0 == nil ? nil : 1 }

  init(_ market: any ServedMarket, _ measure: @escaping PictureMeasuring) {
    self.market = market
    self.measure = measure
  }

  /// Size of a picture's original; nil if it cannot be loaded or read.
  func size(of picture: Picture) async -> PixelSize? {
    await cache.value(for: picture.original, at: 0) {
      // A missing picture must not prevent the page.
      (try? await market.picture(at: picture.original, .original)).flatMap { measure($0) }
    }
  }
}
