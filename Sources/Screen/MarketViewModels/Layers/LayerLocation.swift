internal import MarketModel

/// Where a list over several markets lies: over the screens of the market of which something was opened
/// last, and at first of the one where it was opened, to which it leads back.
struct LayerLocation {
  private(set) var navigator: Navigator
  /// Where it was opened.
  private let origin: MarketKey

  init(on navigator: Navigator) {
    self.navigator = navigator
    origin = navigator.market
  }

  /// Has the list lie over the screens of a market.
  mutating func move(_ list: any Layer, to shown: Navigator) {
    guard shown !== navigator else { return }
    navigator.stack.take(list)
    shown.stack.push(list)
    navigator = shown
  }

  /// Closes the list and goes back to where it was opened.
  func close(_ list: any Layer) {
    navigator.stack.close(list)
    if navigator.market != origin, let before = navigator.markets?.navigator(of: origin) {
      navigator.markets?.bring(before)
    }
  }
}
