package import MarketModel

/// Products that a seller has marked in a list, to change them together.
package final class MarkedProducts {
  /// In the order in which they were marked.
  @Observed package private(set) var products: [ListedProduct] = []

  /// As many as one question can list; more are not marked.
  package static let most = 500

  package init() {}

  package var isEmpty: Bool { products.isEmpty }
  package var count: Int { products.count }

  /// The currencies of their prices.
  var currencies: Set<Currency> {
    Set(products.compactMap { $0.product.pricing.price?.currency })
  }

  package func contains(_ id: Product.ID) -> Bool { products.contains { $0.id == id } }

  /// Marks a product, or takes its mark away.
  func toggle(_ product: ListedProduct) {
    if contains(product.id) { remove(product.id) } else { add([product]) }
  }

  func add(_ added: [ListedProduct]) {
    let known = Set(products.map(\.id))
    products += added.filter { !known.contains($0.id) }.prefix(Self.most - products.count)
  }

  func remove(_ id: Product.ID) { products.removeAll { $0.id == id } }

  package func clear() { if !isEmpty { products = [] } }
}

// MARK: In the seller's own products

extension Navigator {
  /// What is marked among the seller's own products.
  package var marked: MarkedProducts { browser.marked }

  /// Whether something is marked that can be changed.
  package var hasMarks: Bool { showsMine && !marked.isEmpty }

  /// Whether a row may be marked: until the seller's own have come, those before are still shown.
  private func mayMark(_ row: ListedProduct) -> Bool {
    showsMine && (!browser.feed.isStale || isOwn(row))
  }

  /// `Space`: marks the selected product or takes its mark away, and goes on to the next one.
  package func toggleMark() {
    guard let selected = browser.selected, mayMark(selected) else { return }
    marked.toggle(selected)
    browser.select(min(browser.viewport.selected + 1, max(0, browser.feed.count - 1)))
  }

  /// `V`: marks everything that has been read; where all of that is marked, nothing any more.
  package func markAll() {
    guard showsMine else { return }
    let feed = browser.feed
    let rows = (0..<min(feed.count, MarkedProducts.most)).compactMap { feed[$0] }.filter(mayMark)
    if rows.allSatisfy({ marked.contains($0.id) }) { marked.clear() } else { marked.add(rows) }
  }

  /// Opens the menu of what can be done with all marked products; before a change it asks for an
  /// amount or a number.
  package func openMarkedMenu() {
    guard hasMarks, selling?.isBusy == false else { return }
    stack.begin { [self] flow in
      let next = SaleStep.next(for: marked.products)
      let steps = next.filter { refusal(of: $0, among: next) == nil }
      let menu = MenuModel(
        .marked(marked.count), [.price, .stock] + steps.map(MenuModel.Row.step) + [.deletion])
      let change: BulkChange? =
        switch await flow.present(menu) {
        case .price?:
          await flow.ask(
            PromptModel(.bulkPrice), reading: BulkChange.price(reading:),
            refusing: { [currencies = marked.currencies] in $0.refusal(in: currencies) })
        case .stock?: await flow.ask(PromptModel(.bulkStock), reading: BulkChange.stock(reading:))
        case .step(let step)?: step.change
        case .deletion?: .deletion
        default: nil
        }
      flow.dismiss()
      if let change { changeMarked(change) }
    }
  }

  /// `z`, `Z`: makes a step of the sale of all marked products.
  package func makeWithMarked(_ step: SaleStep) {
    let next = SaleStep.next(for: marked.products)
    if let refusal = refusal(of: step, among: next) { return announce(.hint(refusal)) }
    changeMarked(step.change)
  }

  /// Changes or deletes all marked products.
  package func changeMarked(_ change: BulkChange) {
    guard hasMarks else { return }
    selling?.change(marked.products, by: change, marked: marked)
  }
}
