import MarketAPI
import MarketModel
import MarketPages
import MarketStrings
import SafeTextKit

/// Loader of the content of HTML and terminal pages from one market.
struct PageContentLoader: Sendable {
  private let market: any ServedMarket
  private let sellers: SellerSearch

  init(_ market: any ServedMarket) {
    self.market = market
    sellers = SellerSearch(market)
  }

  /// Products per page: full rows of three and of two cards in browsers, fewer in a terminal.
  private static func size(of form: ContentNegotiation.Form) -> Int {
    switch form {
    case .html, .feed: 24
    case .text(isColored: true): 12
    case .text(isColored: false), .api: 20
    }
  }

  /// Loads the content of the page at a route.
  /// - Throws: `.notFound` if the product or seller does not exist, else what the market throws.
  func content(
    of route: PageRoute, _ form: ContentNegotiation.Form, _ setting: PageContext
  ) async throws(RepositoryError) -> PageContent {
    let size = Self.size(of: form)
    switch route {
    case .list(let line, let after):
      var asked = try await request(for: line, after: after, setting)
      asked.page.size = size
      let page = try await market.page(asked.page)
      var list = ListContent(
        of: page, line: line, asked.request, after: after, unknown: asked.unknown, setting)
      if page.products.isEmpty, after == nil, let other = asked.request.inOtherKeyboardMode {
        var query = other.query(sellers: asked.page.query.sellers, now: setting.now)
        query.phrases = Array(query.phrases.prefix(ProductQuery.maxTexts))
        query.without = asked.page.query.without
        list.offer(other, finding: try await market.total(of: query), setting)
      }
      return PageContent(.list(list), at: route)
    case .product(let id):
      let detail = try await market.detail(of: id)
      let asked =
        detail.questionCount > 0 ? try await market.questions(QuestionsRequest(.product(id))) : nil
      let query = ProductQuery(sellers: [detail.product.seller.id])
      // Guests are no seller whose other products could be shown.
      let others =
        query.sellers == [Seller.guest.id]
        ? .nothing
        : try await market.page(PageRequest(query: query, size: ProductContent.maxOthers + 1))
      let product = ProductContent(
        detail, asked: asked?.questions ?? [], others: others, setting)
      return PageContent(.product(product), at: route)
    case .seller(let id, let after):
      let page = try await market.page(
        PageRequest(
          query: ProductQuery(sellers: [id]), position: after.map { .after($0) } ?? .first,
          size: size))
      guard let newest = page.products.first else { throw .notFound }
      // The seller in a list has no contact; that in a detail has.
      let seller = try await market.detail(of: newest.id).product.seller
      let list = ListContent(
        of: page, by: ListContent.SellerHead(seller, setting), id, after: after, setting)
      return PageContent(.list(list), at: route)
    }
  }

  /// Loads the newest products that match a search line.
  /// - Throws: what the market throws.
  func feed(
    of line: String, after: PageCursor?, _ setting: PageContext
  ) async throws(RepositoryError) -> AtomFeed {
    var asked = try await request(for: line, after: after, setting)
    asked.page.size = Self.size(of: .feed)
    asked.page.query.order = .newest
    let page = try await market.page(asked.page)
    let descriptions = try await market.descriptions(
      of: page.products.map(\.id), atMost: AtomFeed.summaryCharacters)
    return AtomFeed(of: page, describedBy: descriptions, line: line, after: after, setting)
  }

  /// Reads a search line as the terminal program does, limited to this market; `unknown` holds the
  /// names without a seller.
  /// - Throws: what the market throws for the search of sellers.
  func request(
    for line: String, after: PageCursor?, _ setting: PageContext
  ) async throws(RepositoryError) -> (
    page: PageRequest, request: SearchRequest, unknown: [String]
  ) {
    let request = SearchRequest(reading: line)
    var ids: [Seller.ID] = []
    var unknown: [String] = []
    for mention in request.sellers.prefix(Self.maxSellers) {
      switch mention {
      case .number(let id): ids.append(id)
      case .name(let name):
        let found = sellers.ids(
          of: name, among: try await sellers.sellers(matching: name, pages: Self.sellerPages))
        if found.isEmpty { unknown.append(name) }
        ids += found.prefix(Self.maxSellers)
      }
    }
    // If no named seller exists, nothing is found, as in the terminal program.
    if ids.isEmpty, !request.sellers.isEmpty { ids = [.nobody] }
    var query = request.query(sellers: ids, now: setting.now)
    query.phrases = Array(query.phrases.prefix(ProductQuery.maxTexts))
    query.without = Array(query.without.prefix(ProductQuery.maxTexts))
    let page = PageRequest(query: query, position: after.map { .after($0) } ?? .first)
    return (page, request, unknown)
  }

  /// Limits on the work that one search line of an untrusted client causes.
  private static let maxSellers = 4
  private static let sellerPages = 2
}

/// Page that states an error.
struct ErrorPage {
  let status: HTTPStatus
  let content: PageContent

  init(_ error: RepositoryError, at route: PageRoute, _ strings: Strings) {
    let sentence: SafeText
    switch (error, route) {
    case (.notFound, .seller): (status, sentence) = (.notFound, strings[.pageSellerNotThere])
    case (.notFound, _): (status, sentence) = (.notFound, ErrorText.text(error, strings))
    case (.unknownCursor, _), (.invalid, _), (.unsupported, _):
      (status, sentence) = (.badRequest, ErrorText.text(error, strings))
    case (.tooManyRequests, _):
      (status, sentence) = (.tooManyRequests, ErrorText.text(error, strings))
    // Details of the store's failure are for the operator only.
    default: (status, sentence) = (.serviceUnavailable, strings[.pageTryLater])
    }
    content = PageContent(.notice(sentence), at: nil)
  }
}
