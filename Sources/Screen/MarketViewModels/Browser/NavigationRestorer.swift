internal import MarketModel

/// Way back to where one stood in a list, which the next key ends.
///
/// It waits for the rows to come, and opens the detail that was open.
final class NavigationRestorer: ListObserver {
  /// Keys that were pressed; whoever waits for something else compares them.
  private(set) var keys = 0

  private let list: BrowsedList
  private var waiting: (id: Product.ID, open: (Product.ID) -> Void)?

  init(_ list: BrowsedList) {
    self.list = list
  }

  func begin(opening id: Product.ID?, by open: @escaping (Product.ID) -> Void) {
    waiting = id.map { ($0, open) }
  }

  func didPressKey() {
    keys += 1
    waiting = nil
  }

  func didSelect(_ product: ListedProduct?) {
    guard let waiting, product != nil, !list.isOnItsWay else { return }
    self.waiting = nil
    waiting.open(waiting.id)
  }
}
