internal import MarketModel

/// What the market's changes ask of the list.
extension BrowserModel {
  /// Reads what a question asks for, in one request.
  func page(
    for question: LiveChanges.Question
  ) async throws(RepositoryError) -> ProductPage {
    var query = ProductQuery()
    var (position, size) = (PagePosition.first, feed.pageSize)
    switch question {
    case .top: query = feed.query
    case .rows(let ids): (query.ids, size) = (ids, ids.count)
    case .finds(let ids):
      query = feed.query
      (query.ids, size) = (ids, ids.count)
    case .page(let number, _):
      query = feed.query
      position = number == 1 ? .first : .number(number)
    }
    return try await reader.pages.page(PageRequest(query: query, position: position, size: size))
  }

  /// Reads what is new into the list; the selected product stays selected.
  package func takeNewcomers() {
    guard !live.pendingProducts.isEmpty else { return }
    refreshRows()
  }
}

extension ProductFeed {
  /// All rows that have been read.
  var rows: [ListedProduct] { head + far.all }

  /// Whether a product is among them.
  func holds(_ id: Product.ID) -> Bool { known.contains(id) || far.place(of: id) != nil }

  /// Those of these products that are other than their rows, and which of them by more than the
  /// seller's name.
  func differing(from products: [Product]) -> (all: [Product], visibly: [Product.ID]) {
    var (all, visibly): ([Product], [Product.ID]) = ([], [])
    for product in products {
      guard let index = index(of: product.id), var before = self[index]?.product,
        before != product
      else { continue }
      all.append(product)
      before.seller = product.seller
      if before != product { visibly.append(product.id) }
    }
    return (all, visibly)
  }
}
