package import MarketModel
internal import SafeTextKit

/// List of the favorites in all markets: products, sellers, saved searches and triggered alerts.
///
/// All ids are read once, the content of lines as they are shown. Each market is asked for the
/// current state of its products with its own request, so that a slow one does not delay others.
package final class FavoritesListModel: ListModel {
  package typealias List = SectionedList<FavoriteLine.Part, FavoriteLine>

  package let list = List()
  @Observed package private(set) var sections: [ListSection<FavoriteLine.Part, FavoriteLine>] = []
  /// Filter of the list; empty for no filter.
  private var words = ""
  /// Line in the preview: the selected one, after a delay, so that a held key does not load pictures
  /// of lines that are passed.
  @Observed package private(set) var followed: FavoriteLine?
  /// Entries removed here, which can be restored until the list is closed.
  @Observed package private(set) var removed: Set<FavoriteItem.Identity> = []
  /// Whether the selected product is shown from the saved data, because its market cannot be opened.
  @Observed package private(set) var isReading = false
  private let check: FavoritesCheck
  private let rows: FavoriteRows
  private let store: any PersonalDataStore
  private var location: LayerLocation
  private var reading: Task<Void, Never>?
  private var following: Task<Void, Never>?
  private var opening: Task<Void, Never>?

  init(_ store: any PersonalDataStore, on navigator: Navigator) {
    self.store = store
    location = LayerLocation(on: navigator)
    let favorites = navigator.program.favorites
    rows = FavoriteRows(of: list, in: store)
    check = FavoritesCheck(in: store, favorites, clock: navigator.clock)
    favorites.reload()
    rows.follow(favorites.notedMarkets())
    read(after: .zero)
    check.begin(in: navigator.markets)
  }

  package func didClose() {
    for task in [reading, following, opening] { task?.cancel() }
    rows.cancel()
    check.cancel()
  }

  package func refresh() { check.begin(in: navigator.markets) }

  /// Navigator of the market over which the list lies.
  var navigator: Navigator { location.navigator }

  // MARK: Content

  /// Product of a line; nil until it is read.
  package func product(_ id: FavoriteID) -> FavoriteRow? { rows.cache.products[id] }

  /// Previous price of a product; nil if it has not changed.
  package func previousPrice(of id: FavoriteID) -> Money? { rows.cache.previousPrices[id] }

  package func seller(_ id: FavoriteID) -> FavoriteSeller? { rows.cache.sellers[id] }

  /// Markets of all lines that were read.
  package var markets: Set<FavoriteMarket> { rows.cache.markets }

  /// Markets that are being asked, and the errors of those that did not answer.
  package var asking: Set<MarketKey> { check.asking }
  package var silent: [MarketKey: RepositoryError] { check.silent }

  package func market(of triggered: TriggeredAlert) -> KnownMarket {
    navigator.markets?.known(of: triggered) ?? KnownMarket(of: triggered)
  }

  /// The selected entry; nil if nothing is selected or it is not read.
  package var selected: FavoriteItem? { list.selected.flatMap(item) }

  /// Entry of a line; nil until it is read.
  package func item(of line: FavoriteLine) -> FavoriteItem? {
    switch line {
    case .product(let id): product(id).map { .product($0.favorite) }
    case .seller(let id): seller(id).map { .seller($0) }
    case .search(let search): .search(search)
    case .triggered(let triggered): .triggered(triggered)
    }
  }

  /// The selected product with its texts; nil for other lines.
  package var selectedRow: FavoriteRow? { list.selected.flatMap(row) }

  /// Product of a line with its texts; nil for other lines, or until it is read.
  package func row(of line: FavoriteLine) -> FavoriteRow? {
    if case .product(let id) = line { product(id) } else { nil }
  }

  package var isSelectedRemoved: Bool { selected.map { removed.contains($0.identity) } ?? false }

  /// Keys are held until the list and the selected row are read.
  package var holdsKeys: Bool {
    guard list.isRead else { return true }
    guard rows.areComing, !isReading, let line = list.selected else { return false }
    return item(of: line) == nil
  }

  package func didSelect() {
    fill()
    following?.cancel()
    following = Task.immediate {
      try? await navigator.clock.sleep(for: DetailModel.followDelay)
      if !Task.isCancelled { followNow() }
    }
  }

  private func followNow() {
    following?.cancel()
    followed = list.selected
  }

  /// Reads the missing rows on the screen and around it.
  package func fill() { rows.fill() }

  // MARK: Reading

  /// Filters the list by words, after a pause in typing.
  package func narrow(to words: String) {
    guard words != self.words else { return }
    self.words = words
    read(after: words.isEmpty ? .zero : SearchModel.pause)
  }

  private func read(after pause: Duration) {
    reading?.cancel()
    let words = words.split(whereSeparator: \.isWhitespace).map(String.init)
    reading = Task.immediate {
      if pause > .zero { try? await navigator.clock.sleep(for: pause) }
      guard !Task.isCancelled else { return }
      let sections = await FavoriteLine.sections(from: store, with: words)
      if !Task.isCancelled { didRead(sections) }
    }
  }

  private func didRead(_ sections: [ListSection<FavoriteLine.Part, FavoriteLine>]) {
    self.sections = sections
    list.show(sections)
    followNow()
    fill()
    if sections.contains(where: { $0.heading == .triggeredAlerts && !$0.items.isEmpty }),
      let engine = navigator.program.alerts
    {
      Task.immediate { await engine.didSeeAlerts() }
    }
  }

  // MARK: Commands

  /// Removes the selected entry from the favorites, or restores it.
  package func toggleSelected() {
    guard let item = selected else { return }
    let (identity, isFavorite) = (item.identity, removed.contains(item.identity))
    if case .triggered = item { return }
    set(identity, isRemoved: !isFavorite)
    Task.immediate {
      let isDone = await change(item, isFavorite: isFavorite)
      if isDone { return navigator.announce(.changed(item, isFavorite: isFavorite)) }
      set(identity, isRemoved: isFavorite)
      navigator.announce(.hint(.favoriteNotSaved))
    }
  }

  /// Removes or restores an entry; false if that failed.
  private func change(_ item: FavoriteItem, isFavorite: Bool) async -> Bool {
    switch item {
    case .product, .seller:
      guard let key = item.key else { return false }
      return await navigator.program.favorites.change(key, isFavorite: isFavorite)
    case .search(let search):
      if isFavorite { return await store.save(search) }
      await store.forgetSearch(named: search.name)
      return true
    case .triggered: return false
    }
  }

  /// Whether a triggered alert is selected.
  package var hasAlertSelected: Bool { if case .triggered = list.selected { true } else { false } }

  /// Removes the selected triggered alert.
  package func forgetAlert() {
    guard let line = list.selected, case .triggered(let triggered) = line else { return }
    sections = FavoriteLine.sections(sections.without(line.id))
    list.show(sections)
    followNow()
    Task.immediate { [store] in await store.forget(triggered.id) }
  }

  private func set(_ identity: FavoriteItem.Identity, isRemoved: Bool) {
    if isRemoved { removed.insert(identity) } else { removed.remove(identity) }
  }

  /// Whether the selected entry can have a note.
  package var mayWrite: Bool { selected?.key != nil && !isSelectedRemoved }

  /// Asks for a note and saves it with the selected entry.
  package func beginNote() {
    guard let item = selected, let key = item.key, mayWrite else { return }
    navigator.stack.begin { [self] flow in
      let prompt = PromptModel(.favoriteNote(of: item.name), item.note)
      guard let note = await flow.present(prompt)?.trimmed else { return }
      Task.immediate { await write(note, to: key) }
    }
  }

  private func write(_ note: String, to key: FavoriteKey) async {
    let isSaved = await navigator.program.favorites.write(note, to: key)
    navigator.announce(.hint(isSaved ? .noteSaved : .favoriteNotSaved))
    if isSaved { rows.write(note, to: key) }
  }

  /// Whether an alert can be set for the selected entry.
  package var mayWait: Bool { selected != nil && !isSelectedRemoved }

  /// Opens the menu of alerts for the selected entry.
  package func beginAlert() {
    guard let item = selected, mayWait else { return }
    if case .search(let search) = item { return navigator.beginAlert(for: search) }
    if let target = item.alertTarget { navigator.openAlerts(for: target) }
  }

  /// Copies the selected product to the clipboard.
  package func copySelected(as form: CopiedForm) {
    guard let row = selectedRow else { return }
    let market = row.favorite.market
    guard let known = navigator.markets?.known(market) else {
      return navigator.announce(.hint(.noSuchMarket))
    }
    navigator.copy(row.listed, of: known, as: form)
  }

  // MARK: Opening

  /// Opens a product, seller or alert in its market, or runs a search.
  package func open(_ line: FavoriteLine) {
    guard let item = item(of: line) else { return }
    opening?.cancel()
    opening = Task.immediate { await open(item) }
  }

  private func open(_ item: FavoriteItem) async {
    switch item {
    case .product(let product):
      guard let row = self.product(product.id), let shown = await go(to: product.market) else {
        return
      }
      location.move(self, to: shown)
      shown.open(row.listed, known: row.detail)
    case .seller(let seller):
      guard let shown = await go(to: seller.market) else { return }
      navigator.stack.close(self)
      shown.visit(seller.seller, by: seller.product)
    case .search(let search):
      location.close(self)
      navigator.follow(SearchRequest(reading: search.text))
    case .triggered(let triggered):
      guard let market = item.market, let shown = await go(to: market) else { return }
      location.move(self, to: shown)
      await shown.open(triggered.product)
    }
  }

  /// Shows a market; nil if it cannot be opened, which is announced.
  private func go(to market: FavoriteMarket) async -> Navigator? {
    guard market.key != navigator.market else { return navigator }
    guard let markets = navigator.markets, let known = markets.known(market) else {
      navigator.announce(.hint(.noSuchMarket))
      return nil
    }
    switch await markets.show(known) {
    case .success(let shown): return shown
    case .failure(let error): didNotOpen(error)
    case nil: break
    }
    return nil
  }

  /// Shows the saved data of a product whose market cannot be opened.
  private func didNotOpen(_ error: RepositoryError) {
    isReading = selectedRow != nil
    if isReading { followNow() }
    navigator.announce(.failed(error))
  }

  /// Returns from a saved product to the list, then to the market in which the list was opened.
  package func leave() {
    if isReading { isReading = false } else { location.close(self) }
  }
}
