package import MarketModel

/// Picture in the preview of a list's item.
package enum PreviewPicture: Hashable, Sendable {
  /// The item has no picture.
  case none
  /// It is not known yet whether there is one; its place is kept.
  case pending
  case ready(Picture)
}

/// Picture of another market than the one whose screens show it; its locators begin with that
/// market's key.
package nonisolated enum OtherMarketPicture {
  private static let mark: Character = "\u{1F}"

  /// Returns the market and the picture as the market names it; nil for a picture without a market.
  package static func parts(of picture: Picture) -> (market: MarketKey, picture: Picture)? {
    let original = picture.original.split(
      separator: mark, maxSplits: 2, omittingEmptySubsequences: false)
    let thumbnail = picture.thumbnail.split(
      separator: mark, maxSplits: 2, omittingEmptySubsequences: false)
    guard original.count == 3, thumbnail.count == 3, original[0].isEmpty else { return nil }
    return (
      MarketKey(rawValue: String(original[1])),
      Picture(
        number: picture.number, original: String(original[2]), thumbnail: String(thumbnail[2]))
    )
  }

  fileprivate static func locator(_ locator: String, in market: MarketKey) -> String {
    "\(mark)\(market.rawValue)\(mark)\(locator)"
  }
}

extension Picture {
  /// The picture of a market as the screens of `here` load it.
  nonisolated func of(_ market: MarketKey, seenFrom here: MarketKey) -> Picture {
    guard market != here else { return self }
    return Picture(
      number: number, original: OtherMarketPicture.locator(original, in: market),
      thumbnail: OtherMarketPicture.locator(thumbnail, in: market))
  }
}
