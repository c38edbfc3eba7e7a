internal import MarketModel

extension ProductFeed {
  /// Place of a page among the rows.
  enum Anchor: Equatable {
    /// Behind all known rows.
    case end
    /// The first product is at this index.
    case exactly(Int)
    /// Near this index; at it if no product is known.
    case around(Int)
  }

  /// Merges a page into the rows.
  ///
  /// A page is a contiguous piece of the order. Between the first and the last row that both have,
  /// the page therefore decides: rows that it lacks are removed, new ones are added, and a product
  /// known elsewhere has moved. Only at the end known products keep their place and get their new
  /// values, because pages by number repeat some when they shift.
  mutating func splice(_ page: ProductPage, at anchor: Anchor) {
    let before = head.count
    defer { if anchor != .end { far.shift(by: head.count - before) } }
    let products = page.products.uniqued()
    let ids = Set(products.map(\.id))
    let shared = sharedRows(with: products, near: anchor)
    if anchor != .end {
      removeRows(of: known.intersection(ids).subtracting(shared.map { head[$0].id }))
    }
    let replaced = replacedRange(of: ids, at: anchor)
    let kept = known.intersection(ids).subtracting(head[replaced].map(\.id))
    for product in products where kept.contains(product.id) { replaceRow(with: product) }
    let fresh = products.filter { !kept.contains($0.id) }.map(ListedProduct.init)
    known.subtract(head[replaced].map(\.id))
    head.replaceSubrange(replaced, with: fresh)
    known.formUnion(fresh.map(\.id))
    // Rows that were held at the end until their page arrives move behind it.
    if isGrouped, anchor == .end { head.sort { SaleGroup.precedes($0.product, $1.product) } }
    remember(page)
  }

  /// Rising indices of the rows near the anchor that the page has in the same order.
  private func sharedRows(with products: [Product], near anchor: Anchor) -> [Int] {
    let window = window(of: anchor)
    let places = Dictionary(uniqueKeysWithValues: window.map { (head[$0].id, $0) })
    return products.compactMap { places[$0.id] }.longestIncreasingRun()
  }

  /// Rows among which a page's products are searched.
  private func window(of anchor: Anchor) -> Range<Int> {
    switch anchor {
    case .end:
      max(0, head.count - 2 * pageSize)..<head.count
    case .exactly(let index):
      min(index, head.count)..<min(head.count, index + 2 * pageSize)
    case .around(let index):
      max(0, min(index, head.count) - 2 * pageSize)..<min(head.count, index + 2 * pageSize)
    }
  }

  private func replacedRange(of ids: Set<Product.ID>, at anchor: Anchor) -> Range<Int> {
    let shared = window(of: anchor).filter { ids.contains(head[$0].id) }
    switch anchor {
    case .end:
      let tail = head.reversed().prefix { ids.contains($0.id) }.count
      return (head.count - tail)..<head.count
    case .exactly(let index):
      let start = min(index, head.count)
      return start..<max(start, shared.last.map { $0 + 1 } ?? start)
    case .around(let index):
      let place = min(index, head.count)
      return (shared.first ?? place)..<(shared.last.map { $0 + 1 } ?? place)
    }
  }

  private mutating func removeRows(of ids: Set<Product.ID>) {
    guard !ids.isEmpty else { return }
    head.removeAll { ids.contains($0.id) }
    known.subtract(ids)
  }

  /// Stores the cursor behind the page, with which the next page can be read again.
  private mutating func remember(_ page: ProductPage) {
    guard case .after(let cursor) = page.next, let last = page.products.last else { return }
    cursors[last.id] = cursor
  }
}

extension [Product] {
  /// The products without repetitions of the same id.
  fileprivate func uniqued() -> [Product] {
    var seen = Set<Product.ID>()
    return filter { seen.insert($0.id).inserted }
  }
}

extension [Int] {
  /// A longest increasing subsequence (patience sorting).
  func longestIncreasingRun() -> [Int] {
    var tops: [Int] = []
    var predecessors = [Int?](repeating: nil, count: count)
    for (position, value) in enumerated() {
      let pile = tops.firstIndex { self[$0] >= value } ?? tops.count
      predecessors[position] = pile > 0 ? tops[pile - 1] : nil
      if pile == tops.count { tops.append(position) } else { tops[pile] = position }
    }
    var run: [Int] = []
    var position = tops.last
    while let current = position {
      run.append(self[current])
      position = predecessors[current]
    }
    return run.reversed()
  }
}
