package import MarketModel
internal import MarketStrings
internal import SafeTextKit

/// List of products on a page, with the search's parts and the next page.
package struct ListContent: Hashable, Sendable {
  /// Selectable order or filter, with the list that it leads to.
  struct Choice: Hashable, Sendable {
    let name: SafeText
    let isTaken: Bool
    let route: PageRoute
  }

  /// Removable part of the search.
  struct Chip: Hashable, Sendable {
    let text: SafeText
    let route: PageRoute
  }

  /// Head of a list with one seller's products.
  package struct SellerHead: Hashable, Sendable {
    let name: SafeText
    let contact: SafeText

    /// Creates the head of a seller taken from a product's detail, which has the contact.
    package init(_ seller: Seller, _ context: PageContext) {
      name = SafeText(seller.name)
      contact =
        seller.contact.map { context.strings(.sellerContact, SafeText($0.text)) }
        ?? context.strings[.sellerContactNone]
    }
  }

  let seller: SellerHead?
  /// Search line as entered.
  let line: SafeText
  let count: SafeText?
  let chips: [Chip]
  let orders: [Choice]
  let filters: [Choice]
  let notes: [SafeText]
  let cards: [PageCard]
  /// Text for an empty list.
  let empty: SafeText
  /// Search with its words in the keyboard's other mode, and how much it finds; nil for nothing.
  private(set) var other: Chip?
  let next: PageRoute?
  /// Route of the first page; nil if this is it.
  let first: PageRoute?

  /// Creates the list of a search line: `line` as entered, `request` as parsed, `unknown` with the
  /// names without a seller.
  package init(
    of page: ProductPage, line: String, _ request: SearchRequest, after: PageCursor?,
    unknown: [String], _ context: PageContext
  ) {
    let strings = context.strings
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
    (count, cards) = Self.products(of: page, context)
    empty = strings[request.isEmpty ? .emptyMarket : .emptyFilter]
    next = page.next?.cursor.map { .list(line: line, after: $0) }
    first = after.map { _ in .list(line: line, after: nil) }
  }

  /// Creates the list of a seller's products.
  package init(
    of page: ProductPage, by seller: SellerHead, _ id: Seller.ID, after: PageCursor?,
    _ context: PageContext
  ) {
    self.seller = seller
    (line, chips, orders, filters, notes) = (.empty, [], [], [], [])
    (count, cards) = Self.products(of: page, context)
    empty = context.strings[.emptyMarket]
    next = page.next?.cursor.map { .seller(id, after: $0) }
    first = after.map { _ in .seller(id, after: nil) }
  }

  /// Offers the search with its words in the keyboard's other mode.
  package mutating func offer(
    _ request: SearchRequest, finding total: ProductTotal, _ context: PageContext
  ) {
    let strings = context.strings
    guard let count = QueryText.count(total, strings) else { return }
    other = Chip(
      text: strings(.otherKeyboardMode, SafeText(request.termsText), count),
      route: .list(line: request.line(in: strings.language.ofSearch), after: nil))
  }

  /// Maximum number of notes about unknown sellers; further ones are left out.
  private static let maxNotes = 3
  private static let chipColumns = 32
  /// Maximum number of chips; further ones are left out.
  private static let maxChips = 8

  /// A chip for each part of the request but filters, in the order of `QueryPart`.
  private static func chips(
    of request: SearchRequest, _ route: (SearchRequest) -> PageRoute, _ strings: Strings
  ) -> [Chip] {
    QueryPart.allCases.compactMap { part in
      // Filters are shown as choices.
      if case .filter = part { return nil }
      guard
        let text = QueryText.chip(part, of: request, columns: chipColumns, strings)
      else { return nil }
      return Chip(text: text, route: route(request.without(part)))
    }.prefix(maxChips).map(\.self)
  }

  private static func products(
    of page: ProductPage, _ context: PageContext
  ) -> (count: SafeText?, cards: [PageCard]) {
    (count(page.total, context.strings), page.products.map { PageCard($0, context) })
  }

  /// Text with the number of products; nil if it is unknown.
  static func count(_ total: ProductTotal, _ strings: Strings) -> SafeText? {
    switch total {
    case .exactly(let count): strings.counted(.productCount, count)
    case .atLeast(let count): strings.counted(.productCountAtLeast, count)
    case .unknown: nil
    }
  }
}

extension PagePosition {
  /// Cursor of the next page; nil for a page by number.
  var cursor: PageCursor? {
    if case .after(let cursor) = self { cursor } else { nil }
  }
}
