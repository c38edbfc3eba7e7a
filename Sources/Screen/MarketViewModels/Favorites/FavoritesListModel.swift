package import MarketModel
import Observation
internal import SafeTextKit

/// The list of what a person keeps, over all markets: products, sellers and saved searches.
///
/// The numbers of all lines are read once; what stands in them comes from the file as it is needed. How
/// the products are now, each market is asked for by itself, and one that does not answer holds up
/// nobody.
@Observable
package final class FavoritesListModel: Layer {
  /// Nil until the list has been read.
  package private(set) var lines: FavoriteLines?
  /// The words by which the list is narrowed; empty is all of it.
  package private(set) var words = ""
  package private(set) var viewport = Viewport()
  /// The line that is shown beside the rows: the selected one, a moment after the last move, so that a
  /// key that is held down does not wait for pictures that nobody sees.
  private var followed = 0
  /// What was let go of here, which can be taken back while it stands there.
  package private(set) var removed: Set<FavoriteItem.Identity> = []
  /// Whether the selected product is shown alone, for its market cannot be opened.
  package private(set) var isReading = false
  /// The markets that are being asked, and why others do not answer.
  package private(set) var asking: Set<MarketKey> = []
  package private(set) var silent: [MarketKey: RepositoryError] = [:]

  private var cache = FavoritesCache()
  @ObservationIgnored private let store: any PersonalDataStore
  /// The screens over which it lies; those of another market once something of it was opened.
  @ObservationIgnored private(set) var navigator: Navigator
  /// Where it was opened, and leads back.
  @ObservationIgnored private let origin: MarketKey
  @ObservationIgnored private var generation = 0
  @ObservationIgnored private var reading: Task<Void, Never>?
  @ObservationIgnored private var filling: Task<Void, Never>?
  @ObservationIgnored private var following: Task<Void, Never>?
  @ObservationIgnored private var checks: [Task<Void, Never>] = []
  @ObservationIgnored private var opening: Task<Void, Never>?

  /// A market that has said nothing after this time does not answer.
  static let timeout = Duration.seconds(10)
  /// Screens that are read before and after the one that is shown.
  private static let screensAhead = 3
  /// Markets that are asked at once.
  private static let maxMarkets = 20
  /// What has come is shown where nobody has looked at it, and the latest of it always.
  private static let (maxAlerts, latestAlerts) = (20, 5)

  init(_ store: any PersonalDataStore, on navigator: Navigator) {
    self.store = store
    self.navigator = navigator
    origin = navigator.market
    navigator.program.favorites.reload()
    navigator.program.favorites.didNote = { [weak self] in self?.readAgain($0) }
    read(after: .zero)
    check()
  }

  package func didClose() {
    for task in [reading, filling, following, opening] + checks { task?.cancel() }
  }

  package func refresh() {
    for task in checks { task.cancel() }
    (silent, asking) = ([:], [])
    check()
  }

  // MARK: What it shows

  /// A product of the list; nil until it is read.
  package func product(_ id: FavoriteID) -> FavoriteRow? { cache.products[id] }

  /// What a product cost as it was seen last; nil where that has not changed since.
  package func formerPrice(of id: FavoriteID) -> Money? { cache.formerPrices[id] }

  package func seller(_ id: FavoriteID) -> FavoriteSeller? { cache.sellers[id] }

  /// The markets of what was shown.
  package var markets: Set<FavoriteMarket> { cache.markets }

  /// The market of something that has come.
  package func market(of triggered: TriggeredAlert) -> KnownMarket {
    navigator.markets?.known(of: triggered) ?? KnownMarket(of: triggered)
  }

  /// What is selected; nil where nothing is, or it is still to be read.
  package var selected: FavoriteItem? { item(at: viewport.selected) }

  private func item(at line: Int) -> FavoriteItem? {
    switch lines?[line] {
    case .product(let id): product(id).map { .product($0.favorite) }
    case .seller(let id): seller(id).map { .seller($0) }
    case .search(let search): .search(search)
    case .triggered(let triggered): .triggered(triggered)
    case .heading, nil: nil
    }
  }

  /// The selected product with its texts.
  package var selectedRow: FavoriteRow? { row(at: viewport.selected) }

  private func row(at line: Int) -> FavoriteRow? {
    if case .product(let id) = lines?[line] { product(id) } else { nil }
  }

  /// What is shown beside the rows, with its texts where it is a product.
  package var shownBeside: (item: FavoriteItem, row: FavoriteRow?)? {
    item(at: followed).map { ($0, row(at: followed)) }
  }

  package var isSelectedRemoved: Bool { selected.map { removed.contains($0.identity) } ?? false }

  /// Keys wait for the list, and for the row that they are about.
  package var holdsKeys: Bool {
    guard let lines else { return true }
    guard filling != nil, !isReading else { return false }
    switch lines[viewport.selected] {
    case .product(let id): return product(id) == nil
    case .seller(let id): return seller(id) == nil
    case .heading, .triggered, .search, nil: return false
    }
  }

  // MARK: Moving

  package func didLayOut(rows: Int) {
    guard rows != viewport.visibleRows else { return }
    viewport.reshape(columns: 1, visibleRows: rows)
    fill()
  }

  package func move(_ move: Viewport.Move, times: Int = 1) {
    switch move {
    case .left, .right: break
    case .first: select(0, goingDown: true)
    case .last: select(viewport.count - 1, goingDown: false)
    case .up, .down, .pageUp, .pageDown, .halfPageUp, .halfPageDown:
      let distance = viewport.distance(of: move) * max(1, min(times, max(1, viewport.count)))
      select(viewport.selected + distance, goingDown: distance > 0)
    }
  }

  package func select(_ index: Int, goingDown: Bool = true) {
    place(at: index, goingDown: goingDown)
    following?.cancel()
    following = Task.immediate { [weak self, clock = navigator.clock] in
      try? await clock.sleep(for: DetailModel.followDelay)
      if !Task.isCancelled { self?.followNow() }
    }
  }

  private func followNow() {
    following?.cancel()
    followed = viewport.selected
  }

  private func place(at index: Int, goingDown: Bool = true) {
    guard let lines, !lines.isEmpty else { return }
    viewport.select(lines.nearestItem(to: index, goingDown: goingDown))
    fill()
  }

  // MARK: Reading

  /// Shows what has all of these words in it, after a pause in which nothing else is typed.
  private func narrow(to words: String) {
    guard words != self.words else { return }
    self.words = words
    read(after: SearchModel.pause)
  }

  private func read(after pause: Duration) {
    reading?.cancel()
    generation += 1
    let words = words.split(whereSeparator: \.isWhitespace).map(String.init)
    reading = Task.immediate { [weak self, store, generation, clock = navigator.clock] in
      if pause > .zero { try? await clock.sleep(for: pause) }
      guard !Task.isCancelled else { return }
      let list = await store.favoriteList(of: words)
      let searches = await store.savedSearches().filter { $0.has(words) }
      let triggeredAlerts = await store.triggeredAlerts(atMost: Self.maxAlerts).enumerated()
        .filter { (index, triggered) in
          (index < Self.latestAlerts || !triggered.isSeen) && triggered.has(words)
        }
        .map(\.element)
      guard !Task.isCancelled else { return }
      self?.didRead(FavoriteLines(list, searches, triggeredAlerts), generation)
    }
  }

  private func didRead(_ lines: FavoriteLines, _ generation: Int) {
    guard generation == self.generation else { return }
    self.lines = lines
    viewport.reset(count: lines.count)
    place(at: 0)
    followNow()
    fill()
    if !lines.triggeredAlerts.isEmpty, let engine = navigator.program.alerts {
      Task.immediate { await engine.didSeeAlerts() }
    }
  }

  /// Reads the rows on the screen and around it where some are not there yet, one question at a time.
  private func fill() {
    guard filling == nil, let (products, sellers) = missing() else { return }
    filling = Task.immediate { [weak self, store] in
      let readProducts = products.isEmpty ? [] : await store.favoriteProducts(products)
      let readSellers = sellers.isEmpty ? [] : await store.favoriteSellers(sellers)
      guard !Task.isCancelled, let self else { return }
      filling = nil
      cache.take(readProducts, readSellers)
      // What is not there any more was let go of elsewhere, and is not asked for again and again.
      if !readProducts.isEmpty || !readSellers.isEmpty { fill() }
    }
  }

  /// The numbers of the rows to read: those of several screens, where some of the screens beside this
  /// one are missing; nil where these are there.
  ///
  /// A row at a time would be a question and a frame more for each key that scrolls.
  private func missing() -> (products: [FavoriteID], sellers: [FavoriteID])? {
    guard let lines, cache.missing(in: lines, around(by: 1)) != nil else { return nil }
    return cache.missing(in: lines, around(by: Self.screensAhead))
  }

  /// The rows on the screen, and so many screens before and after them.
  private func around(by screens: Int) -> Range<Int> {
    let shown = viewport.visibleWithCutRow
    let distance = shown.count * screens
    return max(0, shown.lowerBound - distance)..<shown.upperBound + distance
  }

  /// Reads the rows of a market anew.
  private func readAgain(_ market: MarketKey) {
    let ids = cache.products.values.filter { $0.favorite.market.key == market }.map(\.favorite.id)
    guard !ids.isEmpty else { return }
    Task.immediate { [weak self, store] in
      let products = await store.favoriteProducts(ids)
      guard let self else { return }
      var cache = cache
      if cache.refresh(products) { self.cache = cache }
    }
  }

  // MARK: Asking the markets

  private func check() {
    guard let markets = navigator.markets, let probe = markets.probe else { return }
    let favorites = navigator.program.favorites
    checks = [
      Task.immediate { [weak self, store, clock = navigator.clock] in
        let latest = await store.latestFavorites(ofEach: ProductQuery.maxIDs)
        guard let self, !Task.isCancelled else { return }
        for (market, ids) in latest.prefix(Self.maxMarkets) {
          guard let known = markets.known(market) else { continue }
          asking.insert(market.key)
          checks.append(
            Task.immediate { [weak self] in
              let outcome = await MarketTimeout.wait(Self.timeout, on: clock) {
                () throws(RepositoryError) in try await probe.products(ids, in: known)
              }
              guard !Task.isCancelled else { return }
              if case .success(let page) = outcome {
                await favorites.didReceive(page, of: ids, in: market.key)
              }
              guard !Task.isCancelled else { return }
              self?.didReceive(outcome, from: market.key)
            })
        }
      }
    ]
  }

  private func didReceive(_ outcome: Result<ProductPage, RepositoryError>, from market: MarketKey) {
    asking.remove(market)
    switch outcome {
    case .success: readAgain(market)
    // A market that cannot be asked by numbers says how its products are when it shows them.
    case .failure(.unsupported): break
    case .failure(let error): silent[market] = error
    }
  }

  // MARK: What a person does

  /// Lets go of what is selected, or takes it back.
  package func toggleSelected() {
    guard let item = selected else { return }
    let (identity, isFavorite) = (item.identity, removed.contains(item.identity))
    set(identity, isRemoved: !isFavorite)
    let tell: (Bool) -> Void = { [weak self] isDone in
      guard let self else { return }
      if isDone { return announceChange(of: item, isFavorite: isFavorite) }
      set(identity, isRemoved: isFavorite)
      navigator.announce(.hint(.favoriteNotSaved))
    }
    switch item {
    case .product, .seller:
      if let key = item.key {
        navigator.program.favorites.change(key, isFavorite: isFavorite, then: tell)
      }
    case .search(let search):
      Task.immediate { [store] in
        if isFavorite { return tell(await store.save(search)) }
        await store.forgetSearch(named: search.name)
        tell(true)
      }
    case .triggered: set(identity, isRemoved: false)
    }
  }

  /// Whether the selected line is something that has come.
  package var hasAlertSelected: Bool {
    if case .triggered = lines?[viewport.selected] { true } else { false }
  }

  /// Takes the selected one of what has come out of the list.
  package func forgetAlert() {
    guard case .triggered(let triggered) = lines?[viewport.selected] else { return }
    let selected = viewport.selected
    lines?.forget(triggered.id)
    viewport.reset(count: lines?.count ?? 0)
    place(at: selected)
    followNow()
    Task.immediate { [store] in await store.forget(triggered.id) }
  }

  private func set(_ identity: FavoriteItem.Identity, isRemoved: Bool) {
    if isRemoved { removed.insert(identity) } else { removed.remove(identity) }
  }

  private func announceChange(of item: FavoriteItem, isFavorite: Bool) {
    switch item {
    case .product: navigator.announce(.hint(isFavorite ? .productAdded : .productRemoved))
    case .seller: navigator.announce(.hint(isFavorite ? .sellerAdded : .sellerRemoved))
    case .search: navigator.announce(.hint(isFavorite ? .searchSaved : .searchRemoved))
    case .triggered: break
    }
  }

  /// Whether a note can be written to what is selected.
  package var mayWrite: Bool { selected?.key != nil && !isSelectedRemoved }

  /// Asks for a note to what is selected.
  package func beginNote() {
    guard let item = selected, let key = item.key, mayWrite else { return }
    navigator.stack.begin { [self] flow in
      let prompt = PromptModel(.favoriteNote(of: item.name), item.note)
      guard let note = await flow.present(prompt)?.trimmed else { return }
      navigator.program.favorites.write(note, to: key) { [self] isSaved in
        navigator.announce(.hint(isSaved ? .noteSaved : .favoriteNotSaved))
        if isSaved { cache.write(note, to: key) }
      }
    }
  }

  /// Asks for the words by which the list is narrowed; it follows as one types.
  package func beginSearch() {
    let before = words
    navigator.stack.begin { [self] flow in
      let prompt = PromptModel(.favoritesSearch, before) { [self] in narrow(to: $0) }
      if await flow.present(prompt) == nil { narrow(to: before) }
    }
  }

  /// Whether one can wait for something of what is selected.
  package var mayWait: Bool { selected != nil && !isSelectedRemoved }

  /// Opens the menu of waits for what is selected.
  package func beginAlert() {
    guard let item = selected, mayWait else { return }
    switch item {
    case .product(let favorite):
      let product = favorite.product
      beginAlert(.product(product.id), product.name, in: favorite.market, product: product)
    case .seller(let favorite):
      beginAlert(.seller(favorite.seller.id), favorite.seller.name, in: favorite.market)
    case .search(let search): navigator.beginAlert(for: search)
    case .triggered(let triggered):
      let market = FavoriteMarket(key: triggered.market, name: nil, location: triggered.location)
      beginAlert(.product(triggered.product), triggered.name, in: market)
    }
  }

  private func beginAlert(
    _ subject: Alert.Subject, _ name: String, in market: FavoriteMarket, product: Product? = nil
  ) {
    navigator.openAlerts(
      for: AlertTarget(
        market: market.key, location: market.location, subject: subject, name: name,
        product: product))
  }

  /// Copies the selected product for other programs.
  package func copySelected(as form: CopiedForm) {
    guard let row = selectedRow else { return }
    let market = row.favorite.market
    guard let known = navigator.markets?.known(market) else {
      return navigator.announce(.hint(.noSuchMarket))
    }
    navigator.copy(row.listed, of: known, as: form)
  }

  // MARK: Opening

  /// Opens a product or a seller in its market, and asks for a search.
  package func openSelected() {
    switch selected {
    case .product(let product):
      guard let row = self.product(product.id) else { return }
      go(to: product.market) { [self] shown in
        lie(over: shown)
        shown.open(row.listed, known: row.detail)
      }
    case .seller(let seller):
      go(to: seller.market) { [self] shown in
        navigator.stack.close(self)
        shown.visit(seller.seller, by: seller.product)
      }
    case .search(let search):
      close()
      navigator.follow(SearchRequest(reading: search.text))
    case .triggered(let triggered):
      go(
        to: FavoriteMarket(
          key: triggered.market, name: triggered.location, location: triggered.location)
      ) { [self] shown in
        lie(over: shown)
        open(triggered.product)
      }
    case nil: break
    }
  }

  /// Reads a product that the list knows by its number alone, and opens it.
  private func open(_ id: Product.ID) {
    let shown = navigator
    opening?.cancel()
    opening = Task.immediate {
      do throws(RepositoryError) {
        let detail = try await shown.browser.repository.detail(of: id)
        if !Task.isCancelled { shown.open(ListedProduct(detail.product)) }
      } catch {
        if !Task.isCancelled { shown.announce(.failed(error)) }
      }
    }
  }

  private func go(to market: FavoriteMarket, then arrive: @escaping (Navigator) -> Void) {
    guard market.key != navigator.market else { return arrive(navigator) }
    guard let markets = navigator.markets, let known = markets.known(market) else {
      return navigator.announce(.hint(.noSuchMarket))
    }
    markets.show(known) { [weak self] outcome in
      switch outcome {
      case .success(let shown): arrive(shown)
      case .failure(let error): self?.didNotOpen(error)
      }
    }
  }

  /// What is kept is shown in the place of what cannot be.
  private func didNotOpen(_ error: RepositoryError) {
    isReading = selectedRow != nil
    if isReading { followNow() }
    navigator.announce(.failed(error))
  }

  private func lie(over shown: Navigator) {
    guard shown !== navigator else { return }
    navigator.stack.take(self)
    shown.stack.push(self)
    navigator = shown
  }

  /// Goes back: to the list, to all of it, then to where it was opened.
  package func leave() {
    if isReading {
      isReading = false
    } else if !words.isEmpty {
      words = ""
      read(after: .zero)
    } else {
      close()
    }
  }

  private func close() {
    navigator.stack.close(self)
    if navigator.market != origin, let before = navigator.markets?.navigator(of: origin) {
      navigator.markets?.bring(before)
    }
  }
}

extension Markets {
  /// The market of something that is kept; nil where nobody knows where it is.
  func known(_ market: FavoriteMarket) -> KnownMarket? {
    if let known = all.first(where: { $0.key == market.key }) { return known }
    guard let location = market.location else { return nil }
    return KnownMarket(
      key: market.key, name: market.name.map { SafeText($0) },
      location: location.hasPrefix("/") ? .file(location) : .server(address: location))
  }
}
