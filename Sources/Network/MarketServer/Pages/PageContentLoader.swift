import MarketAPI
import MarketModel
import MarketPages
import MarketStrings
import SafeTextKit

/// Finder of what pages show, in one market.
struct PageContentLoader: Sendable {
  private let market: any ServedMarket
  private let sellers: SellerSearch

  init(_ market: any ServedMarket) {
    self.market = market
    sellers = SellerSearch(market)
  }

  /// Products of a page: rows of three and of two cards come out even, and a terminal has less room.
  private static func size(of form: ContentNegotiation.Form) -> Int {
    switch form {
    case .html, .feed: 24
    case .text(isColored: true): 12
    case .text(isColored: false), .api: 20
    }
  }

  /// What the page at a route shows; `.notFound` where there is nothing.
  func content(
    of route: PageRoute, _ form: ContentNegotiation.Form, _ setting: PageContext
  ) async throws(RepositoryError) -> PageContent {
    let size = Self.size(of: form)
    switch route {
    case .list(let line, let after):
      var asked = try await request(for: line, after: after, setting)
      asked.page.size = size
      let list = ListContent(
        of: try await market.page(asked.page), line: line, asked.request, after: after,
        unknown: asked.unknown, setting)
      return PageContent(.list(list), at: route)
    case .product(let id):
      let detail = try await market.detail(of: id)
      let asked =
        detail.questionCount > 0 ? try await market.questions(QuestionsRequest(.product(id))) : nil
      let query = ProductQuery(sellers: [detail.product.seller.id])
      // *guest* is no seller whose other products could be shown.
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
      // A list leaves the contact to details.
      let seller = try await market.detail(of: newest.id).product.seller
      let list = ListContent(
        of: page, by: ListContent.SellerHead(seller, setting), id, after: after, setting)
      return PageContent(.list(list), at: route)
    }
  }

  /// The newest products that a search line finds.
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

  /// What a search line asks the market for: a line of the program, in this market alone.
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
    // Where no seller has the only names, nothing is found, as on the screen.
    if ids.isEmpty, !request.sellers.isEmpty { ids = [.nobody] }
    var query = request.query(sellers: ids, now: setting.now)
    query.phrases = Array(query.phrases.prefix(ProductQuery.maxTexts))
    query.without = Array(query.without.prefix(ProductQuery.maxTexts))
    let page = PageRequest(query: query, position: after.map { .after($0) } ?? .first)
    return (page, request, unknown)
  }

  /// Strangers ask, so that one line asks the market for little.
  private static let maxSellers = 4
  private static let sellerPages = 2
}

/// Page that says why there is none.
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
    // What is wrong with the store is the operator's to know.
    default: (status, sentence) = (.serviceUnavailable, strings[.pageTryLater])
    }
    content = PageContent(.notice(sentence), at: nil)
  }
}
