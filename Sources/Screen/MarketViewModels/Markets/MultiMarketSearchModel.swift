package import MarketModel

/// Search of all known markets at the same time, with results as they arrive.
///
/// Each market has its own request and timeout, so that a slow one, which is named, does not delay
/// others.
package final class MultiMarketSearchModel: ListModel {
  package enum State: Hashable, Sendable {
    case asking
    case answered(ProductTotal)
    case failed(RepositoryError)
  }

  /// Market with its results.
  package struct Source: Hashable, Sendable {
    package let market: KnownMarket
    package fileprivate(set) var state = State.asking
    package fileprivate(set) var products: [ListedProduct] = []
    /// Whether the market has more results than `products`.
    fileprivate var hasMore = false
  }

  /// One result, with the index of its market.
  package nonisolated struct Item: Hashable, Identifiable, Sendable {
    package let product: ListedProduct
    package let source: Int

    package nonisolated struct ID: Hashable, Sendable {
      let product: Product.ID
      let source: Int
    }

    package var id: ID { ID(product: product.product.id, source: source) }
  }

  /// The request; its scope is ignored.
  package let request: SearchRequest
  @Observed package private(set) var sources: [Source]
  /// Whether all results are in one list, newest first.
  @Observed package private(set) var isMerged = false
  /// The results, one section for each market; the section's value is the market's index.
  package let list = SectionedList<Int, Item>(showsEmptySections: true)

  private let markets: Markets
  private var location: LayerLocation
  private var tasks: [Task<Void, Never>] = []

  /// Maximum time for a market's answer; after it the market counts as failed.
  static let timeout = Duration.seconds(10)
  /// Maximum number of results of each market; the rest is left out.
  package static let maxOfEach = 50

  init(_ request: SearchRequest, in markets: Markets, on navigator: Navigator) {
    self.request = request
    self.markets = markets
    location = LayerLocation(on: navigator)
    markets.directory?.refresh()
    sources = markets.all.map { Source(market: $0) }
    ask()
  }

  // MARK: Content

  package var sections: [ListSection<Int, Item>] {
    let found = sources.indices.map { index in
      ListSection(
        index, sources[index].products.map { Item(product: $0, source: index) })
    }
    guard isMerged else { return found }
    let all = found.flatMap(\.items).sorted {
      $0.product.product.created.seconds > $1.product.product.created.seconds
    }
    // Markets without an answer follow the results.
    return [ListSection(all)]
      + sources.indices.filter { sources[$0].isSilent }.map {
        ListSection($0, [])
      }
  }

  package var isAsking: Bool { sources.contains { $0.state == .asking } }
  /// Number of results, including those that are not shown.
  package var count: Int { sources.reduce(0) { $0 + $1.found } }

  /// Whether a market has more results than are shown.
  package var hasMore: Bool { sources.contains(where: \.hasMore) }

  package func toggleMerged() {
    isMerged.toggle()
    list.show(sections)
  }

  package func picture(of item: Item) -> PreviewPicture {
    item.product.product.thumbnail.map { picture in
      .ready(picture.of(sources[item.source].market.key, seenFrom: navigator.market))
    } ?? .none
  }

  // MARK: Favorites

  /// Marks of a result's row.
  package func marks(of item: Item) -> RowMarks {
    var marks = RowMarks()
    marks.isFavorite = navigator.program.favorites
      .isFavorite(FavoriteKey(.product(item.product.id), in: sources[item.source].market.key))
    return marks
  }

  package var isSelectedFavorite: Bool {
    guard let item = list.selected else { return false }
    return marks(of: item).isFavorite
  }

  /// Adds the selected result to the favorites, or removes it.
  package func toggleFavorite() {
    guard let item = list.selected else { return }
    navigator.toggleFavorite(item.product, of: sources[item.source].market)
  }

  /// Copies the selected result to the clipboard.
  package func copySelected(as form: CopiedForm) {
    guard let item = list.selected else { return }
    navigator.copy(item.product, of: sources[item.source].market, as: form)
  }

  // MARK: Opening

  /// Opens a result's detail in its market; the list moves there.
  package func open(_ item: Item) {
    let market = sources[item.source].market
    Task.immediate {
      guard let shown = await navigator.goTo(market) else { return }
      location.move(self, to: shown)
      shown.open(item.product)
    }
  }

  /// Closes the list and shows the market in which the search began.
  package func close() { location.close(self) }

  /// Navigator of the market over which the list lies.
  private var navigator: Navigator { location.navigator }

  // MARK: Asking

  package func refresh() {
    for task in tasks { task.cancel() }
    for index in sources.indices { sources[index].state = .asking }
    ask()
  }

  package func didClose() { for task in tasks { task.cancel() } }

  private func ask() {
    guard let probe = markets.probe else { return }
    list.show(sections)
    tasks = sources.map { source in
      Task.immediate {
        let outcome = await MarketTimeout.wait(Self.timeout, on: navigator.clock) {
          [request]
          () throws(RepositoryError) in
          try await probe.find(request, in: source.market, atMost: Self.maxOfEach)
        }
        if !Task.isCancelled { didReceive(outcome, from: source.market.key) }
      }
    }
  }

  private func didReceive(_ outcome: Result<ProductPage, RepositoryError>, from key: MarketKey) {
    guard let index = sources.firstIndex(where: { $0.market.key == key }) else { return }
    switch outcome {
    case .success(let page):
      sources[index].products = page.products.prefix(Self.maxOfEach).map(ListedProduct.init)
      sources[index].hasMore = page.hasMore(than: sources[index].products.count)
      sources[index].state = .answered(page.total)
      let favorites = navigator.program.favorites
      if favorites.beginsLoading(key) { Task { await favorites.load(key) } }
      favorites.didSee(page.products, in: key)
    case .failure(let error):
      sources[index].products = []
      sources[index].hasMore = false
      sources[index].state = .failed(error)
    }
    list.show(sections)
  }
}

extension ProductPage {
  /// Whether the market has more than `count` results.
  fileprivate func hasMore(than count: Int) -> Bool {
    switch total {
    case .exactly(let all): all > count
    case .atLeast(let all): all > count || next != nil
    case .unknown: products.count > count || next != nil
    }
  }
}

extension MultiMarketSearchModel.Source {
  fileprivate var found: Int {
    switch state {
    case .answered(.exactly(let count)): count
    case .answered, .asking, .failed: products.count
    }
  }

  /// Whether the market has not answered or has failed.
  fileprivate var isSilent: Bool {
    switch state {
    case .asking, .failed: true
    case .answered: false
    }
  }
}

extension Navigator {
  /// Opens a search of all known markets.
  package func searchEverywhere(_ request: SearchRequest) {
    guard let markets, markets.areMany else { return }
    stack.push(MultiMarketSearchModel(request, in: markets, on: self))
  }

  /// Runs a request in the markets of its scope.
  package func follow(_ request: SearchRequest) {
    switch request.scope {
    case .here: searching.ask(for: request)
    case .all: searchEverywhere(request)
    case .home: show(request, in: markets?.home)
    case .market(let name): show(request, in: markets?.market(named: name))
    }
  }

  private func show(_ request: SearchRequest, in market: KnownMarket?) {
    guard let market else { return announce(.hint(.noSuchMarket)) }
    var request = request
    request.scope = .here
    Task.immediate { [request] in await goTo(market)?.searching.ask(for: request) }
  }
}
