internal import MarketModel

/// Market below a list over several markets: the market of the item that was opened last, at first
/// that in which the list was opened.
struct LayerLocation {
  private(set) var navigator: Navigator
  /// The market in which the list was opened.
  private let origin: MarketKey

  init(on navigator: Navigator) {
    self.navigator = navigator
    origin = navigator.market
  }

  /// Moves the list from the current market's stack to another one's.
  mutating func move(_ list: any Layer, to shown: Navigator) {
    guard shown !== navigator else { return }
    navigator.stack.detach(list)
    shown.stack.push(list)
    navigator = shown
  }

  /// Closes the list and shows the market in which it was opened.
  func close(_ list: any Layer) {
    navigator.stack.close(list)
    if navigator.market != origin, let before = navigator.markets?.navigator(of: origin) {
      navigator.markets?.bring(before)
    }
  }
}
