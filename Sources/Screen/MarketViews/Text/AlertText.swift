package import MarketModel
import MarketStrings
package import SafeTextKit

/// Texts of alerts, set and triggered.
package enum AlertText {
  /// Returns one sentence about the alerts that triggered just now: the latest, and the number of
  /// others.
  package static func sentence(_ triggeredAlerts: [TriggeredAlert], _ strings: Strings) -> SafeText
  {
    guard let latest = triggeredAlerts.last else { return .empty }
    let all = triggeredAlerts.reduce(0) { $0 + $1.count }
    // The text of several questions includes their count.
    let counted = latest.condition == nil ? latest.count : 1
    return more(one(latest, strings), all - counted + 1, strings)
  }

  package static func sentence(_ triggered: TriggeredAlert, _ strings: Strings) -> SafeText {
    sentence([triggered], strings)
  }

  /// Returns the present price of a product.
  static func priceToday(_ price: Money, _ strings: Strings) -> SafeText {
    strings(.alertPriceToday, MoneyText.text(price))
  }

  /// Returns the name of the product and the number of others; for questions the sentence.
  static func name(of triggered: TriggeredAlert, _ strings: Strings) -> SafeText {
    if triggered.condition == nil { return one(triggered, strings) }
    return more(SafeText(triggered.name), triggered.count, strings)
  }

  /// Returns a text about the first of `count` items, with the number of others.
  static func more(_ text: SafeText, _ count: Int, _ strings: Strings) -> SafeText {
    guard count > 1 else { return text }
    let others = SafeText(String(grouped: Int64(count - 1)))
    return strings(.alertsMore, text, others, number: count - 1)
  }

  private static func one(_ triggered: TriggeredAlert, _ strings: Strings) -> SafeText {
    let (name, price) = (SafeText(triggered.name), price(of: triggered, strings))
    let text = text(of: triggered, name, price, strings)
    guard triggered.isReserved else { return text }
    let isAnswer = triggered.event == .answered
    return strings(isAnswer ? .triggeredReservedAnswer : .triggeredReserved, text)
  }

  private static func text(
    of triggered: TriggeredAlert, _ name: SafeText, _ price: SafeText, _ strings: Strings
  ) -> SafeText {
    let (text, count) = (SafeText(triggered.alertName), triggered.count)
    switch triggered.event {
    case .alert(.below(let limit)):
      return strings(.triggeredBelow, name, price, MoneyText.text(limit))
    case .alert(.backInStock): return strings(.triggeredBackInStock, name, price)
    case .alert(.anythingNew): return strings(.triggeredNew, text, name, price)
    case .asked where count > 1: return strings.counted(.triggeredQuestions, count)
    case .asked(let asker):
      let asker = AskerText.text(asker, strings)
      return price.isEmpty
        ? strings(.triggeredAsked, asker, name, text)
        : strings(.triggeredOffered, asker, name, text, price)
    case .answered where count > 1: return strings.counted(.triggeredAnswers, count)
    case .answered: return strings(.triggeredAnswered, text, name)
    case .deleted: return strings(.triggeredDeleted, name)
    }
  }

  /// Mark before the name of an unseen alert; blanks for a seen one.
  static func mark(of triggered: TriggeredAlert) -> SafeText { triggered.isSeen ? "  " : "◆ " }

  /// Price of the product; for a question its offer, or empty.
  static func price(of triggered: TriggeredAlert, _ strings: Strings) -> SafeText {
    triggered.price.map(MoneyText.text)
      ?? (triggered.condition == nil ? .empty : strings[.priceUnreadable])
  }

  /// Text of the condition.
  static func condition(_ condition: Alert.Condition, _ strings: Strings) -> SafeText {
    switch condition {
    case .below(let limit): strings(.alertBelowAmount, MoneyText.text(limit))
    case .backInStock: strings[.alertBackInStock]
    case .anythingNew: strings[.alertAnythingNew]
    }
  }
}
