package import MarketModel

/// Search of all known markets at once: what each finds, as it comes.
///
/// Each is asked by itself with a limit of time, so that one that does not answer is named and holds up
/// nobody.
package final class MultiMarketSearchModel: ListModel {
  package enum State: Hashable, Sendable {
    case asking
    case answered(ProductTotal)
    case failed(RepositoryError)
  }

  /// A market with what it has found.
  package struct Source: Hashable, Sendable {
    package let market: KnownMarket
    package fileprivate(set) var state = State.asking
    package fileprivate(set) var products: [ListedProduct] = []
    /// Whether it has more than these.
    fileprivate var hasMore = false
  }

  /// A find, with the index of its market.
  package nonisolated struct Item: Hashable, Identifiable, Sendable {
    package let product: ListedProduct
    package let source: Int

    package nonisolated struct ID: Hashable, Sendable {
      let product: Product.ID
      let source: Int
    }

    package var id: ID { ID(product: product.product.id, source: source) }
  }

  /// What is searched for; its scope counts for nothing here.
  package let request: SearchRequest
  @Observed package private(set) var sources: [Source]
  /// Whether all finds are in one list, the newest first.
  @Observed package private(set) var isMerged = false
  /// Under each market, by its index, what that has found.
  package let list = SectionedList<Int, Item>(showsEmptySections: true)

  private let markets: Markets
  private var location: LayerLocation
  private var tasks: [Task<Void, Never>] = []

  /// A market that has said nothing after this time does not answer.
  static let timeout = Duration.seconds(10)
  /// Products that a market gives at most.
  package static let maxOfEach = 50

  init(_ request: SearchRequest, in markets: Markets, on navigator: Navigator) {
    self.request = request
    self.markets = markets
    location = LayerLocation(on: navigator)
    markets.directory?.refresh()
    sources = markets.all.map { Source(market: $0) }
    ask()
  }

  // MARK: What it shows

  package var sections: [ListSection<Int, Item>] {
    let found = sources.indices.map { index in
      ListSection(
        index, sources[index].products.map { Item(product: $0, source: index) })
    }
    guard isMerged else { return found }
    let all = found.flatMap(\.items).sorted {
      $0.product.product.created.seconds > $1.product.product.created.seconds
    }
    // Who has not answered is named below.
    return [ListSection(all)]
      + sources.indices.filter { sources[$0].isSilent }.map {
        ListSection($0, [])
      }
  }

  package var isAsking: Bool { sources.contains { $0.state == .asking } }
  /// How many are found, of which a market shows but the first ones.
  package var count: Int { sources.reduce(0) { $0 + $1.found } }

  /// Whether a market has more than it gives here.
  package var hasMore: Bool { sources.contains(where: \.hasMore) }

  package func toggleMerged() {
    isMerged.toggle()
    list.show(sections)
  }

  // MARK: Keeping

  /// What a find is marked with.
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

  /// Keeps the selected find, or lets it go.
  package func toggleFavorite() {
    guard let item = list.selected else { return }
    navigator.toggleFavorite(item.product, of: sources[item.source].market)
  }

  /// Copies the selected find for other programs.
  package func copySelected(as form: CopiedForm) {
    guard let item = list.selected else { return }
    navigator.copy(item.product, of: sources[item.source].market, as: form)
  }

  // MARK: Opening

  /// Opens the market of a find with the find's detail; the way back leads here again.
  package func open(_ item: Item) {
    let market = sources[item.source].market
    Task.immediate {
      guard let shown = await navigator.goTo(market) else { return }
      location.move(self, to: shown)
      shown.open(item.product)
    }
  }

  /// Goes back to where the search began.
  package func close() { location.close(self) }

  /// The screens over which it lies.
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
  /// Whether its market has more than so many of its products.
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

  /// Whether it has said nothing yet, or why it does not.
  fileprivate var isSilent: Bool {
    switch state {
    case .asking, .failed: true
    case .answered: false
    }
  }
}

extension Navigator {
  /// Searches all known markets at once.
  package func searchEverywhere(_ request: SearchRequest) {
    guard let markets, markets.areMany else { return }
    stack.push(MultiMarketSearchModel(request, in: markets, on: self))
  }

  /// Takes a request to the markets that it is about.
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
