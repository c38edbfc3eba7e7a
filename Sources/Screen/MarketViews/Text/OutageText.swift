internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit

/// Texts about a market that does not respond.
enum OutageText {
  /// Returns the time until the automatic retry; nil where none is due.
  static func nextTry(_ reconnection: Reconnection, _ strings: Strings) -> SafeText? {
    switch reconnection.phase {
    case .idle: nil
    case .waiting(let seconds):
      strings(.nextTry, DurationText.short(seconds: seconds, strings))
    case .asking: strings[.askingAgain]
    }
  }

  /// Returns the text of the top bar; nil where the market responds.
  static func bar(_ browser: BrowserModel, _ strings: Strings) -> SafeText? {
    guard let next = nextTry(browser.reconnection, strings) else {
      return browser.spinner.isSlow ? strings[.stillWaiting] : nil
    }
    // An empty list shows the details itself.
    if browser.feed.count == 0 { return strings[.noAnswer] }
    // Beside the age of the rows, the missing response is implied.
    return browser.feed.seenAt == nil ? strings[.noAnswer] + ", " + next : next
  }

  /// Returns number and duration of the failed attempts: tried 3 times in 9 s.
  static func tries(_ reconnection: Reconnection, _ strings: Strings) -> SafeText {
    let asked = strings.counted(.askedTimes, reconnection.tries)
    let seconds = Int(reconnection.elapsed.components.seconds)
    guard seconds > 0 else { return asked }
    return strings(.askedWithin, asked, DurationText.short(seconds: seconds, strings))
  }
}
