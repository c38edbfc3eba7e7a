import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import Posix
import SafeText

/// Ways to tell what has come of all that is waited for: the bottom bar, the terminal's notification and
/// the user's own program.
final class HitTelling {
  /// Shows a notification where one is wanted.
  var notify: (SafeText) -> Void = { _ in }

  private let markets: Markets
  private let strings: @MainActor () -> Strings
  private let command: HitCommand?

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
    command = HitCommand(words) { [weak markets] hit in
      await Self.name(of: hit, in: markets)
    } tell: { [weak markets] failure in
      Task { @MainActor in
        markets?.current.announce(.words("✗ " + failure.text(strings())))
      }
    }
  }

  /// Tells what has come, the oldest first.
  func tell(_ hits: [WaitHit]) {
    let text = HitText.sentence(hits, strings())
    markets.current.announce(.words("◆ " + text))
    notify(text)
    if let command { Task { await command.run(hits) } }
  }

  /// Tells the user's own program what it was not told yet, for the run is over.
  func end() async { await command?.finish() }

  private static func name(of hit: WaitHit, in markets: Markets?) -> String {
    let market = markets?.all.first { $0.key == hit.market }
    return market?.name?.string ?? hit.market.rawValue
  }
}

extension HitCommand.Failure {
  /// One sentence with what to do.
  nonisolated func text(_ strings: Strings) -> SafeText {
    switch self {
    case .notStarted(let error): strings(.onHitNotStarted, SafeText(error.description))
    case .tookTooLong: strings[.onHitTookTooLong]
    case .failed(let status): strings(.onHitFailed, SafeText(Int(status)))
    case .leftOut(let count): strings(.onHitLeftOut, SafeText(count), number: count)
    }
  }
}

nonisolated extension Phrase {
  fileprivate static var onHitNotStarted: Phrase { .named() }
  fileprivate static var onHitTookTooLong: Phrase { .named() }
  fileprivate static var onHitFailed: Phrase { .named() }
  fileprivate static var onHitLeftOut: Phrase { .named() }
}
