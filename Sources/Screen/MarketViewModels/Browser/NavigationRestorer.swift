internal import MarketModel

/// Restoration of a position in the list; the next key ends it.
///
/// It waits for the rows to load and opens the detail that was open.
final class NavigationRestorer: ListObserver {
  private let browser: BrowserModel
  private let stack: LayerStack
  /// Product whose detail was open, until the number of key presses changes; nil without one.
  private var waiting: (product: Product.ID, keyPresses: Int)?

  init(_ browser: BrowserModel, on stack: LayerStack) {
    self.browser = browser
    self.stack = stack
  }

  /// Selects the product of a position, or its row if the product is gone, and opens the detail that
  /// was open.
  func restore(_ place: NavigationState) {
    waiting = place.opened.map { ($0, browser.list.keyPresses) }
    browser.restore(to: place)
  }

  func didSelect(_ product: ListedProduct?) {
    guard let (id, keyPresses) = waiting, keyPresses == browser.list.keyPresses, product != nil,
      !browser.list.isJumping
    else { return }
    waiting = nil
    reopen(id)
  }

  /// Opens the detail that was open: of the selected product, or of one that is not in the list.
  private func reopen(_ id: Product.ID) {
    guard !stack.isCovered else { return }
    if let selected = browser.selected, selected.id == id {
      return stack.show(selected, in: browser.detail)
    }
    let keyPresses = browser.list.keyPresses
    Task.immediate {
      guard let detail = try? await browser.repository.detail(of: id),
        keyPresses == browser.list.keyPresses, !stack.isCovered
      else { return }
      stack.open(ListedProduct(detail.product), in: browser.detail)
    }
  }
}

extension LayerStack {
  /// Opens the detail of a product in the list.
  func show(_ product: ListedProduct, in detail: DetailModel) {
    detail.show(product)
    push(detail)
  }

  /// Opens the detail of a product, which need not be in the list.
  ///
  /// `known` is shown until the detail is read, and if it cannot be.
  func open(_ product: ListedProduct, in detail: DetailModel, known: ProductDetail? = nil) {
    remove(detail)
    detail.hold(product, known: known)
    push(detail)
  }
}
