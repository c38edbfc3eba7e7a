internal import MarketModel

/// Way back to where one stood in a list, which the next key ends.
///
/// It waits for the rows to come, and opens the detail that was open.
final class NavigationRestorer: ListObserver {
  private let browser: BrowserModel
  private let stack: LayerStack
  private var waiting: Product.ID?
  /// Reads a product that the list has not.
  private var reading: Task<Void, Never>?

  init(_ browser: BrowserModel, on stack: LayerStack) {
    self.browser = browser
    self.stack = stack
  }

  /// Goes to the product that was selected, or to its row where it is gone, and opens the detail that
  /// was open when that is there.
  func restore(_ place: NavigationState) {
    waiting = place.opened
    browser.restore(to: place)
  }

  func didPressKey() {
    waiting = nil
    reading?.cancel()
  }

  func didSelect(_ product: ListedProduct?) {
    guard let id = waiting, product != nil, !browser.list.isOnItsWay else { return }
    waiting = nil
    reopen(id)
  }

  /// Opens the detail that was open: of the selected product, or of one that the list has not.
  private func reopen(_ id: Product.ID) {
    guard !stack.isCovered else { return }
    if let selected = browser.selected, selected.id == id {
      return stack.show(selected, in: browser.detail)
    }
    reading = Task.immediate {
      guard let detail = try? await browser.repository.detail(of: id), !Task.isCancelled,
        !stack.isCovered
      else { return }
      stack.open(ListedProduct(detail.product), in: browser.detail)
    }
  }
}

extension LayerStack {
  /// Opens the detail of a product of the list.
  func show(_ product: ListedProduct, in detail: DetailModel) {
    detail.show(product)
    push(detail)
  }

  /// Shows a product that the list may not have.
  ///
  /// `known` is what is shown until it is read, and where it cannot be.
  func open(_ product: ListedProduct, in detail: DetailModel, known: ProductDetail? = nil) {
    remove(detail)
    detail.hold(product, known: known)
    push(detail)
  }
}
