import MarketStrings
import MarketViewModels
import SafeText

/// What the screen says of a guest.
extension Guest {
  var standing: GuestStanding {
    GuestStanding(key: caller.key.map { SafeText($0.text) }, way: SafeText(way))
  }

  /// The first sentence: who sells, or how one comes to.
  func welcome(_ strings: Strings) -> SafeText {
    guard let key = caller.key else { return strings(.guestLooks, SafeText(way)) }
    let sentence = strings(.guestSells, SafeText(key.text))
    return folder == nil ? sentence + " · " + strings[.guestKeepsNothing] : sentence
  }
}

extension Phrase {
  fileprivate static var guestLooks: Phrase { .named() }
  fileprivate static var guestSells: Phrase { .named() }
}
