package import MarketModel
internal import MarketStrings
internal import SafeTextKit

/// List of products as a page shows it, with what narrows it and where its pages go on.
package struct ListContent: Hashable, Sendable {
  /// Choice among orders or filters; taking it leads to another list.
  struct Choice: Hashable, Sendable {
    let name: SafeText
    let isTaken: Bool
    let route: PageRoute
  }

  /// Part of the search that can be taken away.
  struct Chip: Hashable, Sendable {
    let text: SafeText
    let route: PageRoute
  }

  /// Seller whose products are shown alone.
  package struct SellerHead: Hashable, Sendable {
    let name: SafeText
    let contact: SafeText

    /// Takes the seller as a product's detail shows one.
    package init(_ seller: Seller, _ setting: PageContext) {
      name = SafeText(seller.name)
      contact =
        seller.contact.map { setting.strings(.sellerContact, SafeText($0.text)) }
        ?? setting.strings[.sellerContactNone]
    }
  }

  let seller: SellerHead?
  /// The search line as it was typed.
  let line: SafeText
  let count: SafeText?
  let chips: [Chip]
  let orders: [Choice]
  let filters: [Choice]
  let notes: [SafeText]
  let cards: [PageCard]
  /// What is said where there is no card.
  let empty: SafeText
  let next: PageRoute?
  /// Where the list begins, if that is not here.
  let first: PageRoute?

  /// The list that a search line asks for: as it was typed and as it was read, with the sellers in it
  /// that nobody knows.
  package init(
    of page: ProductPage, line: String, _ request: SearchRequest, after: PageCursor?,
    unknown: [String], _ setting: PageContext
  ) {
    let strings = setting.strings
    let language = strings.language.ofSearch
    func route(_ request: SearchRequest) -> PageRoute {
      .list(line: request.line(in: language), after: nil)
    }
    seller = nil
    self.line = SafeText(line)
    chips = Self.chips(of: request, route, strings)
    orders = ProductOrder.allCases.map { order in
      var other = request
      other.order = order
      return Choice(
        name: strings[order.phrase], isTaken: order == request.order, route: route(other))
    }
    filters = ProductFilter.offered.map { filter in
      var other = request
      other.filters.toggle(filter)
      return Choice(
        name: strings[filter.phrase], isTaken: request.filters.contains(filter),
        route: route(other))
    }
    notes =
      unknown.prefix(Self.maxNotes).map { strings(.pageUnknownSeller, SafeText($0)) }
      + (request.scope == .here ? [] : [strings[.pageOtherMarket]])
    (count, cards) = Self.products(of: page, setting)
    empty = strings[request.isEmpty ? .emptyMarket : .emptyFilter]
    next = page.next?.cursor.map { .list(line: line, after: $0) }
    first = after.map { _ in .list(line: line, after: nil) }
  }

  /// All that a seller has for sale.
  package init(
    of page: ProductPage, by seller: SellerHead, _ id: Seller.ID, after: PageCursor?,
    _ setting: PageContext
  ) {
    self.seller = seller
    (line, chips, orders, filters, notes) = (.empty, [], [], [], [])
    (count, cards) = Self.products(of: page, setting)
    empty = setting.strings[.emptyMarket]
    next = page.next?.cursor.map { .seller(id, after: $0) }
    first = after.map { _ in .seller(id, after: nil) }
  }

  private static let maxNotes = 3
  private static let chipColumns = 32
  private static let maxChips = 8

  /// A chip for each part of the request, in the order in which parts stand in all lists of them.
  private static func chips(
    of request: SearchRequest, _ route: (SearchRequest) -> PageRoute, _ strings: Strings
  ) -> [Chip] {
    QueryPart.allCases.compactMap { part in
      // Filters have a place of their own.
      if case .filter = part { return nil }
      guard
        let text = QueryText.chip(part, of: request, columns: chipColumns, strings)
      else { return nil }
      return Chip(text: text, route: route(request.without(part)))
    }.prefix(maxChips).map(\.self)
  }

  private static func products(
    of page: ProductPage, _ setting: PageContext
  ) -> (count: SafeText?, cards: [PageCard]) {
    (count(page.total, setting.strings), page.products.map { PageCard($0, setting) })
  }

  /// How many products there are; nil where that was not counted.
  static func count(_ total: ProductTotal, _ strings: Strings) -> SafeText? {
    switch total {
    case .exactly(let count): strings.counted(.productCount, count)
    case .atLeast(let count): strings.counted(.productCountAtLeast, count)
    case .unknown: nil
    }
  }
}

extension PagePosition {
  /// The cursor of a page that comes after another; our stores have one for each.
  var cursor: PageCursor? {
    if case .after(let cursor) = self { cursor } else { nil }
  }
}
