import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import Posix
import SafeTextKit

/// Delivery of fired alerts: in the bottom bar, as a terminal notification and to the user's own
/// program.
final class AlertDelivery {
  /// Shows a terminal notification if the options ask for one.
  var notify: (SafeText) -> Void = { _ in }

  private let markets: Markets
  private let strings: @MainActor () -> Strings
  private let command: AlertProgram?

  /// - Parameters:
  ///   - words: command line of the user's program; empty for none.
  ///   - markets: open markets, whose current screen shows the alerts.
  ///   - strings: returns the texts in the current language.
  init(_ words: [String], _ markets: Markets, strings: @escaping @MainActor () -> Strings) {
    self.markets = markets
    self.strings = strings
    guard !words.isEmpty else {
      command = nil
      return
    }
    command = AlertProgram(words) { [weak markets] triggered in
      await Self.name(of: triggered, in: markets)
    } report: { [weak markets] failure in
      Task { @MainActor in
        markets?.current.announce(.words("✗ " + failure.text(strings())))
      }
    }
  }

  /// Delivers fired alerts, the oldest first.
  func deliver(_ triggeredAlerts: [TriggeredAlert]) {
    let text = AlertText.sentence(triggeredAlerts, strings())
    markets.current.announce(.words("◆ " + text))
    notify(text)
    if let command { Task { await command.run(triggeredAlerts) } }
  }

  /// Passes undelivered alerts to the user's program at the end of the run.
  func end() async { await command?.finish() }

  private static func name(of triggered: TriggeredAlert, in markets: Markets?) -> String {
    let market = markets?.all.first { $0.key == triggered.market }
    return market?.name?.string ?? triggered.market.rawValue
  }
}

extension AlertProgram.Failure {
  nonisolated func text(_ strings: Strings) -> SafeText {
    switch self {
    case .notStarted(let error): strings(.onAlertNotStarted, SafeText(error.description))
    case .tookTooLong: strings[.onAlertTookTooLong]
    case .failed(let status): strings(.onAlertFailed, SafeText(Int(status)))
    case .leftOut(let count): strings(.onAlertLeftOut, SafeText(count), number: count)
    }
  }
}
