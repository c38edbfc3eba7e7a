internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit

/// Progress of a market's scan as text.
enum ScanText {
  /// Returns "412 of 5,000 looked at, 7 found", with a word for a stopped scan, or the number of seen
  /// products that were searched; nil where the market itself answers.
  static func text(_ feed: ProductFeed, _ strings: Strings) -> SafeText? {
    if let seen = seen(feed, strings) { return seen }
    guard let scan = feed.scan, !feed.isStale else { return nil }
    let (looked, found) = (number(scan.looked), number(feed.head.count))
    let text =
      switch scan.total {
      // A total below the scanned number is wrong and says nothing about the rest.
      case .exactly(let total) where total >= scan.looked:
        strings(.scannedOf, looked, number(total), found)
      case .exactly, .atLeast, .unknown: strings(.scannedProducts, looked, found)
      }
    return feed.phase == .stopped ? strings(.scanStopped, text) : text
  }

  /// Returns "offline, among 412 seen" where seen products are searched offline; nil otherwise.
  static func seen(_ feed: ProductFeed, _ strings: Strings) -> SafeText? {
    feed.seenCount.map { strings(.seenAmong, number($0)) }
  }

  /// Returns that only names were searched; nil where that is not so.
  static func note(_ feed: ProductFeed, _ strings: Strings) -> SafeText? {
    let searchesSeen =
      feed.seenCount != nil && !feed.query.parts.isDisjoint(with: QueryPart.texts)
    guard searchesSeen || feed.scan?.readsNames == true && !feed.isStale else { return nil }
    return strings[.scansNames]
  }

  private static func number(_ number: Int) -> SafeText { SafeText(String(grouped: Int64(number))) }
}
