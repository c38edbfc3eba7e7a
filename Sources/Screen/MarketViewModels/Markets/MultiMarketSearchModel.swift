package import MarketModel
import Observation

/// Search of all known markets at once: what each finds, as it comes.
///
/// Each is asked by itself with a limit of time, so that one that does not answer is named and holds up
/// nobody.
@Observable
package final class MultiMarketSearchModel: Layer {
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

  package enum Line: Hashable, Sendable {
    /// A market, by its index, above what it has found, or why it has not.
    case source(Int)
    case product(ListedProduct, source: Int)

    var isProduct: Bool { if case .product = self { true } else { false } }
  }

  /// What is searched for; its scope counts for nothing here.
  package let request: SearchRequest
  package private(set) var sources: [Source]
  /// Whether all finds are in one list, the newest first.
  package private(set) var isMerged = false
  /// Lines on the screen.
  package private(set) var viewport = Viewport()

  private let markets: Markets
  @ObservationIgnored private var location: LayerLocation
  @ObservationIgnored private var tasks: [Task<Void, Never>] = []

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

  package var lines: [Line] {
    guard isMerged else {
      return sources.indices.flatMap { index in
        [.source(index)] + sources[index].products.map { .product($0, source: index) }
      }
    }
    let found = sources.indices.flatMap { index in
      sources[index].products.map { (product: $0, source: index) }
    }
    return found.sorted { $0.product.product.created.seconds > $1.product.product.created.seconds }
      .map { .product($0.product, source: $0.source) }
      // Who has not answered is named below.
      + sources.indices.filter { sources[$0].isSilent }.map { .source($0) }
  }

  package var isAsking: Bool { sources.contains { $0.state == .asking } }
  /// How many are found, of which a market shows but the first ones.
  package var count: Int { sources.reduce(0) { $0 + $1.found } }

  /// Whether a market has more than it gives here.
  package var hasMore: Bool { sources.contains(where: \.hasMore) }

  package func didLayOut(rows: Int) {
    if rows != viewport.visibleRows { viewport.reshape(columns: 1, visibleRows: rows) }
  }

  // MARK: Moving

  package func move(_ move: Viewport.Move, times: Int = 1) {
    switch move {
    case .left, .right: break
    case .first: select(0)
    case .last: select(viewport.count - 1)
    case .up, .down, .pageUp, .pageDown, .halfPageUp, .halfPageDown:
      self.move(by: viewport.distance(of: move) * max(1, min(times, viewport.count)))
    }
  }

  private func move(by distance: Int) {
    let lines = lines
    guard !lines.isEmpty else { return }
    var target = (viewport.selected + distance).clamped(to: 0...lines.count - 1)
    // Names of markets are passed over where a product lies behind them.
    let step = distance < 0 ? -1 : 1
    let passed = stride(from: target, to: step < 0 ? -1 : lines.count, by: step)
      .first { lines[$0].isProduct }
    if let passed, distance != 0 { target = passed }
    select(target)
  }

  package func select(_ line: Int) {
    guard line >= 0 else { return }
    viewport.select(line)
  }

  package func toggleMerged() {
    let old = selectedLine
    isMerged.toggle()
    didChange(keeping: old)
  }

  private var selectedLine: Line? {
    let lines = lines
    return lines.indices.contains(viewport.selected) ? lines[viewport.selected] : nil
  }

  /// Keeps the selected product selected while others come above it; the first one that comes is.
  private func didChange(keeping old: Line?) {
    let lines = lines
    let kept = old.flatMap { line in line.isProduct ? lines.firstIndex(of: line) : nil }
    let first = lines.firstIndex(where: \.isProduct)
    viewport.didChange(count: lines.count, selected: kept ?? first ?? 0)
  }

  // MARK: Keeping

  /// What a find is marked with.
  package func marks(of product: Product.ID, in source: Source) -> RowMarks {
    var marks = RowMarks()
    marks.isFavorite = navigator.program.favorites
      .isFavorite(FavoriteKey(.product(product), in: source.market.key))
    return marks
  }

  package var isSelectedFavorite: Bool {
    guard case .product(let product, let index) = selectedLine else { return false }
    return marks(of: product.id, in: sources[index]).isFavorite
  }

  /// Keeps the selected find, or lets it go.
  package func toggleFavorite() {
    guard case .product(let product, let index) = selectedLine else { return }
    navigator.toggleFavorite(product, of: sources[index].market)
  }

  /// Copies the selected find for other programs.
  package func copySelected(as form: CopiedForm) {
    guard case .product(let product, let index) = selectedLine else { return }
    navigator.copy(product, of: sources[index].market, as: form)
  }

  // MARK: Opening

  package var mayOpen: Bool { selectedLine?.isProduct == true }

  /// Opens the market of the selected find with the find's detail; the way back leads here again.
  package func openSelected() {
    guard case .product(let product, let index) = selectedLine else { return }
    let market = sources[index].market
    Task.immediate {
      guard let shown = await navigator.goTo(market) else { return }
      location.move(self, to: shown)
      shown.open(product)
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
    didChange(keeping: selectedLine)
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
    let old = selectedLine
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
    didChange(keeping: old)
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
