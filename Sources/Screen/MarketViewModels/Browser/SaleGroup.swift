package import MarketModel

/// Group of own products by state of sale, in the order of the list.
package nonisolated enum SaleGroup: Int, Comparable, CaseIterable, Sendable {
  case forSale, reserved, sold

  package init(of product: Product) {
    self = product.isSoldOut ? .sold : product.isReserved ? .reserved : .forSale
  }

  /// Whether `one` precedes `other`: by group, then newest first.
  static func precedes(_ one: Product, _ other: Product) -> Bool {
    let (group, otherGroup) = (SaleGroup(of: one), SaleGroup(of: other))
    return group == otherGroup ? ProductOrder.newest.precedes(one, other) : group < otherGroup
  }

  package static func < (left: SaleGroup, right: SaleGroup) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// Own products of a query in groups: the pages of each group follow those of the one before.
struct GroupedProducts {
  /// Filters that select the groups, in order.
  let filters: [ProductFilter]

  /// Splits a query into groups; nil in another order than newest, for ids, with a stock filter, or if
  /// the market has no cursors or lacks the filters.
  ///
  /// Without a filter for reservations, unsold products are one group.
  init?(_ query: ProductQuery, in capabilities: RepositoryCapabilities) {
    guard query.order == .newest, query.ids == nil, capabilities.paging == .cursor,
      query.filters.isDisjoint(with: ProductFilter.ofStock)
    else { return nil }
    let ways: [[ProductFilter]] = [[.available, .reserved, .sold], [.inStock, .sold]]
    let offered = ways.first { $0.allSatisfy { capabilities.parts.contains(.filter($0)) } }
    guard let offered else { return nil }
    filters = offered
  }

  /// Reads a page by `read`, and further ones if a group ends before the page is full.
  /// - Throws: what `read` throws; `.unsupported` for a page by number, because each group is a list
  ///   of its own.
  func page(
    _ request: PageRequest, reading read: (PageRequest) async throws(RepositoryError) -> ProductPage
  ) async throws(RepositoryError) -> ProductPage {
    if case .number = request.position { throw .unsupported }
    var place = ScanPosition(request.position)
    if place.source == .number(1) { place.source = .first }
    var page = ProductPage(products: [], total: .unknown, next: nil)
    // `looked` counts the groups before the current one.
    for (number, filter) in filters.enumerated().dropFirst(place.looked) {
      var query = request.query
      query.filters.insert(filter)
      let part = try await read(
        PageRequest(query: query, position: place.source, size: request.size))
      page.products += part.products
      page.unreadableRows += part.unreadableRows
      place.looked = part.next == nil ? number + 1 : number
      place.source = part.next ?? .first
      if part.next != nil || page.products.count >= request.size { break }
    }
    if place.looked < filters.count { page.next = .after(place.cursor) }
    if request.position == .first, page.next == nil { page.total = .exactly(page.products.count) }
    return page
  }
}
