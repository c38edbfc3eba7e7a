internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit

/// Number of new products as text: 12 new, 12 new since yesterday.
enum NewText {
  static func count(_ new: NewCount, _ strings: Strings) -> SafeText {
    let text = strings.counted(.marketNew, new.count)
    return new.isMore ? strings(.marketNewAtLeast, SafeText(new.count)) : text
  }

  /// Returns the number with the last visit: its time for today, "yesterday", or its date.
  static func count(
    _ new: NewCount, since visit: Timestamp, now: Timestamp, _ strings: Strings
  ) -> SafeText {
    strings(.newSince, count(new, strings), DateText.recent(visit, now: now, strings))
  }

  /// Returns the number of products marked as seen.
  static func marked(_ new: NewCount, _ strings: Strings) -> SafeText {
    new.isMore
      ? strings(.markedSeenAtLeast, SafeText(new.count))
      : strings.counted(.markedSeen, new.count)
  }
}
