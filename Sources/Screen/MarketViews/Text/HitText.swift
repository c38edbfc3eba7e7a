package import MarketModel
import MarketStrings
package import SafeText

/// Text of what one waits for and of what has come.
package enum HitText {
  /// One sentence about all that has come just now: the latest, and how many more there are.
  package static func sentence(_ hits: [WaitHit], _ strings: Strings) -> SafeText {
    guard let latest = hits.last else { return .empty }
    return more(one(latest, strings), hits.reduce(0) { $0 + $1.count }, strings)
  }

  package static func sentence(_ hit: WaitHit, _ strings: Strings) -> SafeText {
    sentence([hit], strings)
  }

  /// The name of the product that came, and how many came with it.
  static func name(of hit: WaitHit, _ strings: Strings) -> SafeText {
    more(SafeText(hit.name), hit.count, strings)
  }

  /// A text of the first of so many things, with the number of the others.
  private static func more(_ text: SafeText, _ count: Int, _ strings: Strings) -> SafeText {
    guard count > 1 else { return text }
    let others = SafeText(String(grouped: Int64(count - 1)))
    return strings(.hitsMore, text, others, number: count - 1)
  }

  private static func one(_ hit: WaitHit, _ strings: Strings) -> SafeText {
    let (name, price) = (SafeText(hit.name), price(of: hit, strings))
    return switch hit.condition {
    case .below(let limit): strings(.hitBelow, name, price, MoneyText.text(limit))
    case .backInStock: strings(.hitBackInStock, name, price)
    case .anythingNew: strings(.hitNew, SafeText(hit.waitName), name, price)
    }
  }

  /// What stands before its name where nobody has looked at it.
  static func mark(of hit: WaitHit) -> SafeText { hit.isSeen ? "  " : "◆ " }

  static func price(of hit: WaitHit, _ strings: Strings) -> SafeText {
    hit.price.map(MoneyText.text) ?? strings[.priceUnreadable]
  }

  /// What has to come.
  static func condition(_ condition: Wait.Condition, _ strings: Strings) -> SafeText {
    switch condition {
    case .below(let limit): strings(.waitBelowAmount, MoneyText.text(limit))
    case .backInStock: strings[.waitBackInStock]
    case .anythingNew: strings[.waitAnythingNew]
    }
  }
}

extension Phrase {
  static var hitsMore: Phrase { .named() }
  static var hitBelow: Phrase { .named() }
  static var hitBackInStock: Phrase { .named() }
  static var hitNew: Phrase { .named() }
  static var waitBelowAmount: Phrase { .named() }
  static var waitBackInStock: Phrase { .named() }
  static var waitAnythingNew: Phrase { .named() }
}
