package import MarketModel
import MarketStrings
package import SafeTextKit

/// Texts of alerts, set and fired.
package enum AlertText {
  /// One sentence about all that has come just now: the latest, and how many more there are.
  package static func sentence(_ triggeredAlerts: [TriggeredAlert], _ strings: Strings) -> SafeText
  {
    guard let latest = triggeredAlerts.last else { return .empty }
    let all = triggeredAlerts.reduce(0) { $0 + $1.count }
    // A sentence about many questions counts them itself.
    let counted = latest.condition == nil ? latest.count : 1
    return more(one(latest, strings), all - counted + 1, strings)
  }

  package static func sentence(_ triggered: TriggeredAlert, _ strings: Strings) -> SafeText {
    sentence([triggered], strings)
  }

  /// What a product costs now.
  static func priceToday(_ price: Money, _ strings: Strings) -> SafeText {
    strings(.alertPriceToday, MoneyText.text(price))
  }

  /// The name of the product that came, and how many came with it; of questions the sentence.
  static func name(of triggered: TriggeredAlert, _ strings: Strings) -> SafeText {
    if triggered.condition == nil { return one(triggered, strings) }
    return more(SafeText(triggered.name), triggered.count, strings)
  }

  /// A text of the first of so many things, with the number of the others.
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
      return strings(.triggeredAsked, AskerText.text(asker, strings), name, text)
    case .answered where count > 1: return strings.counted(.triggeredAnswers, count)
    case .answered: return strings(.triggeredAnswered, text, name)
    }
  }

  /// What stands before its name where nobody has looked at it.
  static func mark(of triggered: TriggeredAlert) -> SafeText { triggered.isSeen ? "  " : "◆ " }

  /// Its price; of a question what was offered, or nothing.
  static func price(of triggered: TriggeredAlert, _ strings: Strings) -> SafeText {
    triggered.price.map(MoneyText.text)
      ?? (triggered.condition == nil ? .empty : strings[.priceUnreadable])
  }

  /// What has to come.
  static func condition(_ condition: Alert.Condition, _ strings: Strings) -> SafeText {
    switch condition {
    case .below(let limit): strings(.alertBelowAmount, MoneyText.text(limit))
    case .backInStock: strings[.alertBackInStock]
    case .anythingNew: strings[.alertAnythingNew]
    }
  }
}
