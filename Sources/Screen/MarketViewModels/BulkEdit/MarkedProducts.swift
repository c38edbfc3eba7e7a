package import MarketModel

/// Products that are selected for a bulk edit.
package final class MarkedProducts {
  /// In the order of selection.
  @Observed package private(set) var products: [ListedProduct] = []

  /// Maximum number that one confirmation can list; further products are not added.
  package static let most = 500

  package init() {}

  package var isEmpty: Bool { products.isEmpty }
  package var count: Int { products.count }

  /// Currencies of the prices.
  var currencies: Set<Currency> {
    Set(products.compactMap { $0.product.pricing.price?.currency })
  }

  package func contains(_ id: Product.ID) -> Bool { products.contains { $0.id == id } }

  /// Selects or deselects a product.
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

// MARK: Selection among the own products

extension Navigator {
  package var marked: MarkedProducts { browser.marked }

  /// Whether products are selected while the own ones are shown.
  package var hasMarks: Bool { showsMine && !marked.isEmpty }

  /// Whether a row can be selected: rows of the previous query only if they are own products.
  private func mayMark(_ row: ListedProduct) -> Bool {
    showsMine && (!browser.feed.isStale || isOwn(row))
  }

  /// `Space`: selects or deselects the product and moves to the next one.
  package func toggleMark() {
    guard let selected = browser.selected, mayMark(selected) else { return }
    marked.toggle(selected)
    browser.list.select(min(browser.viewport.selected + 1, max(0, browser.feed.count - 1)))
  }

  /// `V`: selects all loaded rows; if all are selected, deselects them.
  package func markAll() {
    guard showsMine else { return }
    let feed = browser.feed
    let rows = (0..<min(feed.count, MarkedProducts.most)).compactMap { feed[$0] }.filter(mayMark)
    if rows.allSatisfy({ marked.contains($0.id) }) { marked.clear() } else { marked.add(rows) }
  }

  /// Opens the menu of bulk edits, which asks for a price or stock if necessary.
  package func openMarkedMenu() {
    guard hasMarks, selling?.isBusy == false else { return }
    stack.startFlow { [self] flow in
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

  /// `z`, `Z`: makes a step of the sale of all selected products.
  package func makeWithMarked(_ step: SaleStep) {
    let next = SaleStep.next(for: marked.products)
    if let refusal = refusal(of: step, among: next) { return announce(.hint(refusal)) }
    changeMarked(step.change)
  }

  /// Changes or deletes all selected products.
  package func changeMarked(_ change: BulkChange) {
    guard hasMarks else { return }
    selling?.change(marked.products, by: change, marked: marked)
  }
}
