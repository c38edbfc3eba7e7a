internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeText

/// How far a market was sifted for a list, in words.
enum SiftText {
  /// "412 of 5,000 looked at, 7 found", with a word where somebody stopped it; nil where the market
  /// answers by itself.
  static func text(_ feed: ProductFeed, _ strings: Strings) -> SafeText? {
    guard let sift = feed.sift, !feed.isStale else { return nil }
    let (looked, found) = (number(sift.looked), number(feed.head.count))
    let text =
      switch sift.total {
      // A market that counts less than it has says nothing of what is left.
      case .exactly(let total) where total >= sift.looked:
        strings(.siftedOf, looked, number(total), found)
      case .exactly, .atLeast, .unknown: strings(.sifted, looked, found)
      }
    return feed.phase == .stopped ? strings(.siftStopped, text) : text
  }

  /// That texts were looked for in names alone; nil where that was not so.
  static func note(_ feed: ProductFeed, _ strings: Strings) -> SafeText? {
    feed.sift?.readsNames == true && !feed.isStale ? strings[.siftsNames] : nil
  }

  private static func number(_ number: Int) -> SafeText { SafeText(String(grouped: Int64(number))) }
}

extension Phrase {
  static var sifted: Phrase { .named() }
  static var siftedOf: Phrase { .named() }
  static var siftStopped: Phrase { .named() }
  static var siftsNames: Phrase { .named() }
}
