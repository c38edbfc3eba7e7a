import MarketAPI
import MarketModel
import MarketPages
import MarketStrings
import SafeTextKit

/// Loader of the content of HTML and terminal pages, and of the site map, from one market.
struct PageContentLoader: Sendable {
  private let market: any ServedMarket
  private let cache: ServerCache
  private let decode: PageDecoding
  private let measure: PictureMeasuring
  private let now: @Sendable () -> Int64
  private let sellers: SellerSearch

  /// Creates a loader; `now` is in seconds since 1970.
  init(
    _ market: any ServedMarket, _ cache: ServerCache, _ decode: @escaping PageDecoding,
    _ measure: @escaping PictureMeasuring, now: @escaping @Sendable () -> Int64
  ) {
    (self.market, self.cache, self.now) = (market, cache, now)
    (self.decode, self.measure) = (decode, measure)
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
    of route: PageRoute, _ form: ContentNegotiation.Form, _ context: PageContext
  ) async throws(RepositoryError) -> PageContent {
    let size = Self.size(of: form)
    switch route {
    case .list(let line, let after):
      var search = try await request(for: line, after: after, context)
      search.page.size = size
      let page = try await market.page(search.page)
      var list = ListContent(
        of: page, line: line, search.request, after: after, unknown: search.unknown, context)
      if page.products.isEmpty, after == nil, let other = search.request.inOtherKeyboardMode {
        var query = other.query(sellers: search.page.query.sellers, now: context.now)
        query.phrases = Array(query.phrases.prefix(ProductQuery.maxTexts))
        query.without = search.page.query.without
        list.offer(other, finding: try await market.total(of: query), context)
      }
      return PageContent(.list(list), at: route)
    case .product(let id):
      let detail = try await market.detail(of: id)
      let questions =
        detail.questionCount > 0
        ? try await market.questions(QuestionsRequest(.product(id))).questions : []
      let query = ProductQuery(sellers: [detail.product.seller.id])
      // Guests are no seller whose other products could be shown.
      let others =
        query.sellers == [Seller.guest.id]
        ? .nothing
        : try await market.page(PageRequest(query: query, size: ProductContent.maxOthers + 1))
      let product = ProductContent(
        detail, asked: questions, others: others, context)
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
        of: page, by: ListContent.SellerHead(seller, context), id, after: after, context)
      return PageContent(.list(list), at: route)
    }
  }

  /// Loads the newest products that match a search line.
  /// - Throws: what the market throws.
  func feed(
    of line: String, after: PageCursor?, _ context: PageContext
  ) async throws(RepositoryError) -> AtomFeed {
    var search = try await request(for: line, after: after, context)
    search.page.size = Self.size(of: .feed)
    search.page.query.order = .newest
    let page = try await market.page(search.page)
    let descriptions = try await market.descriptions(
      of: page.products.map(\.id), atMost: AtomFeed.summaryCharacters)
    return AtomFeed(of: page, describedBy: descriptions, line: line, after: after, context)
  }

  /// Reads a search line as the terminal program does, limited to this market; `unknown` holds the
  /// names without a seller.
  /// - Throws: what the market throws for the search of sellers.
  func request(
    for line: String, after: PageCursor?, _ context: PageContext
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
    var query = request.query(sellers: ids, now: context.now)
    query.phrases = Array(query.phrases.prefix(ProductQuery.maxTexts))
    query.without = Array(query.without.prefix(ProductQuery.maxTexts))
    let page = PageRequest(query: query, position: after.map { .after($0) } ?? .first)
    return (page, request, unknown)
  }

  /// Limits on the work that one search line of an untrusted client causes.
  private static let maxSellers = 4
  private static let sellerPages = 2
}

// Cached for an hour.
extension PageContentLoader {
  private static let sitemapPageSize = PageRequest.sizes.upperBound

  private func cached(
    _ key: ServerCacheKey, computing compute: @escaping @Sendable () async -> ServerCacheValue
  ) async -> ServerCacheValue {
    await cache.value(for: key, at: now() / 3_600, computing: compute)
  }

  /// Pictures of a page for terminals, without those that cannot be loaded or decoded.
  func pictures(of content: PageContent) async -> [Picture: BlockPicture] {
    let (wanted, box) = TerminalPage.wants(content)
    return await withTaskGroup(of: (Picture, ServerCacheValue).self) { group in
      for picture in Set(wanted) {
        group.addTask { (picture, await blocks(of: picture, in: box)) }
      }
      return await group.reduce(into: [:]) { pictures, next in
        if case .picture(let blocks) = next.1 { pictures[next.0] = blocks }
      }
    }
  }

  private func blocks(
    of picture: Picture, in box: TerminalPage.PictureBox
  ) async -> ServerCacheValue {
    await cached(.picture(locator: picture.thumbnail, box)) {
      // A missing picture must not prevent the page.
      guard let file = try? await market.picture(at: picture.thumbnail, .thumbnail),
        let bitmap = await decode(file, box)
      else { return .nothing(nil) }
      return .picture(BlockPicture(bitmap))
    }
  }

  /// Size of a picture's original; nil if it cannot be loaded or read.
  func size(of picture: Picture) async -> PixelSize? {
    let size = await cached(.pictureSize(locator: picture.original)) {
      // A missing picture must not prevent the page.
      guard let file = try? await market.picture(at: picture.original, .original),
        let size = measure(file)
      else { return .nothing(nil) }
      return .pictureSize(size)
    }
    return if case .pictureSize(let size) = size { size } else { nil }
  }

  /// Index or part of the site map; `.nothing` if the part does not exist or the market fails.
  func sitemap(_ page: Sitemap.Page) async -> ServerCacheValue {
    await cached(.sitemap(page)) {
      do throws(RepositoryError) {
        let count = try await market.exactTotal(of: ProductQuery())
        guard case .part(let number) = page else { return .sitemapIndex(count) }
        let first = (number - 1) * Sitemap.partSize
        guard first < max(1, count) else { return .nothing(nil) }
        return .sitemapPart(try await entries(from: first, of: count))
      } catch {
        return .nothing(error)
      }
    }
  }

  private func entries(
    from first: Int, of count: Int
  ) async throws(RepositoryError) -> Sitemap.Entries {
    let size = Self.sitemapPageSize
    var entries = Sitemap.Entries()
    for page in 0..<(Sitemap.partSize / size) {
      let request = PageRequest(position: .number(first / size + page + 1), size: size)
      let products = try await market.page(request, of: count).products
      for product in products { entries.append(product) }
      guard products.count == size else { break }
    }
    return entries
  }
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
