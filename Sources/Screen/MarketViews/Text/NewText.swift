internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit

/// How many products are new, in words: 12 new, 12 new since yesterday.
enum NewText {
  static func count(_ new: NewCount, _ strings: Strings) -> SafeText {
    let text = strings.counted(.marketNew, new.count)
    return new.isMore ? strings(.marketNewAtLeast, SafeText(new.count)) : text
  }

  /// The same with the time of the last visit: its hour today, yesterday, or its day.
  static func count(
    _ new: NewCount, since visit: Timestamp, now: Timestamp, _ strings: Strings
  ) -> SafeText {
    strings(.newSince, count(new, strings), DateText.recent(visit, now: now, strings))
  }

  /// That so many were marked as seen.
  static func marked(_ new: NewCount, _ strings: Strings) -> SafeText {
    new.isMore
      ? strings(.markedSeenAtLeast, SafeText(new.count))
      : strings.counted(.markedSeen, new.count)
  }
}
