internal import MarketModel

/// Leaving a market for another one: what stays, what rests, and what comes back.
extension BrowserModel {
  /// What is kept of a list whose rows are let go of: which products it showed, and where.
  struct Remains {
    fileprivate let query: ProductQuery
    fileprivate let arrangement: Arrangement
    fileprivate let selected: Int
  }

  var remains: Remains {
    Remains(query: feed.query, arrangement: arrangement, selected: viewport.selected)
  }

  /// Reads the first page of what was shown before, and goes to the row that was selected.
  func start(at remains: Remains) {
    arrange(as: remains.arrangement)
    show(remains.query)
    if remains.selected > 0 { jump(to: remains.selected) }
  }

  /// Nobody looks at the list: nothing is followed, and nothing asked again by itself.
  func rest() {
    reconnection.rest()
    live.stop()
  }

  /// Somebody looks again.
  func wake() {
    reconnection.wake()
    live.resume()
  }

  /// Leaves off everything that is on its way, for nobody will look at it.
  func stop() {
    tasks.cancelAll()
    detail.cancel()
    rest()
  }

  /// The newest product among the first ones that are loaded; nil where there are none.
  var newest: Product.ID? { feed.head.prefix(feed.pageSize).lazy.map(\.id).max() }
}
