import MarketModel

extension PagePosition {
  /// The page of a number; the first is the beginning itself, so that cursors can go on from it.
  static func page(_ number: Int) -> PagePosition { number == 1 ? .first : .number(number) }

  /// The number that is echoed: 1 for the first page and where a cursor hides it.
  var pageNumber: Int {
    if case .number(let number) = self { number } else { 1 }
  }
}
