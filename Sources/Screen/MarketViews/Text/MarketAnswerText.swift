internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit

/// Summary of a market in one line.
enum MarketAnswerText {
  static func text(_ glance: MarketSummary, _ strings: Strings) -> SafeText {
    let api = glance.api.map { strings(.marketAPI, $0) }
    let far = glance.elapsed.map { SafeText($0.milliseconds) + "\u{a0}ms" }
    return [count(glance, strings), api, far].compactMap(\.self).joined(separator: " · ")
  }

  static func count(_ glance: MarketSummary, _ strings: Strings) -> SafeText? {
    switch glance.total {
    case .exactly(let count): strings.counted(.productCount, count)
    case .atLeast(let count): strings.counted(.productCountAtLeast, count)
    case .unknown: nil
    }
  }
}

extension Duration {
  /// Whole milliseconds, at least 1.
  var milliseconds: Int {
    max(1, Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000))
  }
}
