import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import Posix
import SafeTextKit

/// Ways to tell of alerts that fired: the bottom bar, the terminal's notification and
/// the user's own program.
final class AlertDelivery {
  /// Shows a notification where one is wanted.
  var notify: (SafeText) -> Void = { _ in }

  private let markets: Markets
  private let strings: @MainActor () -> Strings
  private let command: AlertProgram?

  /// - Parameters:
  ///   - words: the user's own program; empty is none.
  ///   - markets: where one looks, and whose screen says it.
  ///   - strings: the texts in the language that is spoken by then.
  init(_ words: [String], _ markets: Markets, strings: @escaping @MainActor () -> Strings) {
    self.markets = markets
    self.strings = strings
    guard !words.isEmpty else {
      command = nil
      return
    }
    command = AlertProgram(words) { [weak markets] triggered in
      await Self.name(of: triggered, in: markets)
    } tell: { [weak markets] failure in
      Task { @MainActor in
        markets?.current.announce(.words("✗ " + failure.text(strings())))
      }
    }
  }

  /// Tells what has come, the oldest first.
  func tell(_ triggeredAlerts: [TriggeredAlert]) {
    let text = AlertText.sentence(triggeredAlerts, strings())
    markets.current.announce(.words("◆ " + text))
    notify(text)
    if let command { Task { await command.run(triggeredAlerts) } }
  }

  /// Tells the user's own program what it was not told yet, for the run is over.
  func end() async { await command?.finish() }

  private static func name(of triggered: TriggeredAlert, in markets: Markets?) -> String {
    let market = markets?.all.first { $0.key == triggered.market }
    return market?.name?.string ?? triggered.market.rawValue
  }
}

extension AlertProgram.Failure {
  /// One sentence with what to do.
  nonisolated func text(_ strings: Strings) -> SafeText {
    switch self {
    case .notStarted(let error): strings(.onAlertNotStarted, SafeText(error.description))
    case .tookTooLong: strings[.onAlertTookTooLong]
    case .failed(let status): strings(.onAlertFailed, SafeText(Int(status)))
    case .leftOut(let count): strings(.onAlertLeftOut, SafeText(count), number: count)
    }
  }
}
