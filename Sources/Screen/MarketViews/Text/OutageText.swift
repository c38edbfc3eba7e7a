internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit

/// What is said of a market that does not answer.
enum OutageText {
  /// When the market is asked again by itself; nil where that is not due.
  static func nextTry(_ reconnection: Reconnection, _ strings: Strings) -> SafeText? {
    switch reconnection.phase {
    case .idle: nil
    case .waiting(let seconds):
      strings(.nextTry, DurationText.short(seconds: seconds, strings))
    case .asking: strings[.askingAgain]
    }
  }

  /// What the top bar says beside the market's name.
  static func bar(_ browser: BrowserModel, _ strings: Strings) -> SafeText? {
    guard let next = nextTry(browser.reconnection, strings) else {
      return browser.spinner.isSlow ? strings[.stillWaiting] : nil
    }
    // The middle of the screen says the rest.
    if browser.feed.count == 0 { return strings[.noAnswer] }
    // Beside the age of what was seen earlier, nobody asks whether there is an answer.
    return browser.feed.seenAt == nil ? strings[.noAnswer] + ", " + next : next
  }

  /// How often and for how long the market was asked in vain: tried 3 times in 9 s.
  static func tries(_ reconnection: Reconnection, _ strings: Strings) -> SafeText {
    let asked = strings.counted(.askedTimes, reconnection.tries)
    let seconds = Int(reconnection.elapsed.components.seconds)
    guard seconds > 0 else { return asked }
    return strings(.askedWithin, asked, DurationText.short(seconds: seconds, strings))
  }
}
