internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit

/// How far a market was sifted for a list, in words.
enum ScanText {
  /// "412 of 5,000 looked at, 7 found", with a word where somebody stopped it, or among how many
  /// products that were seen the rows were found; nil where the market answers by itself.
  static func text(_ feed: ProductFeed, _ strings: Strings) -> SafeText? {
    if let seen = seen(feed, strings) { return seen }
    guard let scan = feed.scan, !feed.isStale else { return nil }
    let (looked, found) = (number(scan.looked), number(feed.head.count))
    let text =
      switch scan.total {
      // A market that counts less than it has says nothing of what is left.
      case .exactly(let total) where total >= scan.looked:
        strings(.scannedOf, looked, number(total), found)
      case .exactly, .atLeast, .unknown: strings(.scannedProducts, looked, found)
      }
    return feed.phase == .stopped ? strings(.scanStopped, text) : text
  }

  /// "offline, among 412 seen", where nobody answers a search; nil elsewhere.
  static func seen(_ feed: ProductFeed, _ strings: Strings) -> SafeText? {
    feed.seenCount.map { strings(.seenAmong, number($0)) }
  }

  /// That texts were looked for in names alone; nil where that was not so.
  static func note(_ feed: ProductFeed, _ strings: Strings) -> SafeText? {
    let searchesSeen =
      feed.seenCount != nil && !feed.query.parts.isDisjoint(with: QueryPart.texts)
    guard searchesSeen || feed.scan?.readsNames == true && !feed.isStale else { return nil }
    return strings[.scansNames]
  }

  private static func number(_ number: Int) -> SafeText { SafeText(String(grouped: Int64(number))) }
}
