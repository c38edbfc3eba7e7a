package import MarketModel

/// Group of a seller's own products by what their sale has come to, in the order of the list.
package nonisolated enum SaleGroup: Int, Comparable, CaseIterable, Sendable {
  case forSale, reserved, sold

  package init(of product: Product) {
    self = product.isSoldOut ? .sold : product.isReserved ? .reserved : .forSale
  }

  /// Whether a product stands before another one: by group, then the newest first.
  static func precedes(_ one: Product, _ other: Product) -> Bool {
    let (group, otherGroup) = (SaleGroup(of: one), SaleGroup(of: other))
    return group == otherGroup ? ProductOrder.newest.precedes(one, other) : group < otherGroup
  }

  package static func < (left: SaleGroup, right: SaleGroup) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// Products of one query as a list of groups: the pages of one group after those of the one before.
struct GroupedProducts {
  /// The filters by which each group is asked for, in their order.
  let filters: [ProductFilter]

  /// The filters that a market has for a query of a seller's own products; nil where it is read as it
  /// is.
  ///
  /// Without reservations what is not sold is one group.
  init?(_ query: ProductQuery, in capabilities: RepositoryCapabilities) {
    guard query.order == .newest, query.ids == nil, capabilities.paging == .cursor,
      query.filters.isDisjoint(with: ProductFilter.ofStock)
    else { return nil }
    let ways: [[ProductFilter]] = [[.available, .reserved, .sold], [.inStock, .sold]]
    let offered = ways.first { $0.allSatisfy { capabilities.parts.contains(.filter($0)) } }
    guard let offered else { return nil }
    filters = offered
  }

  /// Reads a page by `read`, with those behind it where groups end before it is full; by number there
  /// are none, for each group is a list of its own.
  func page(
    _ request: PageRequest, reading read: (PageRequest) async throws(RepositoryError) -> ProductPage
  ) async throws(RepositoryError) -> ProductPage {
    if case .number = request.position { throw .unsupported }
    var place = ScanPosition(request.position)
    if place.source == .number(1) { place.source = .first }
    var page = ProductPage(products: [], total: .unknown, next: nil)
    // What was looked at are the groups before this one.
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
