package import MarketModel
internal import SafeTextKit

/// The list of what a person keeps, over all markets: products, sellers and saved searches.
///
/// The numbers of all lines are read once; what stands in them comes from the file as it is needed. How
/// the products are now, each market is asked for by itself, and one that does not answer holds up
/// nobody.
package final class FavoritesListModel: ListModel {
  package typealias List = SectionedList<FavoriteLine.Part, FavoriteLine>

  package let list = List()
  @Observed package private(set) var sections: [ListSection<FavoriteLine.Part, FavoriteLine>] = []
  /// The words by which the list is narrowed; empty is all of it.
  private var words = ""
  /// The line that is shown beside the rows: the selected one, a moment after the last move, so that a
  /// key that is held down does not wait for pictures that nobody sees.
  @Observed package private(set) var followed: FavoriteLine?
  /// What was let go of here, which can be taken back while it stands there.
  @Observed package private(set) var removed: Set<FavoriteItem.Identity> = []
  /// Whether the selected product is shown alone, for its market cannot be opened.
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

  /// The screens over which it lies; those of another market once something of it was opened.
  var navigator: Navigator { location.navigator }

  // MARK: What it shows

  /// A product of the list; nil until it is read.
  package func product(_ id: FavoriteID) -> FavoriteRow? { rows.cache.products[id] }

  /// What a product cost as it was seen last; nil where that has not changed since.
  package func formerPrice(of id: FavoriteID) -> Money? { rows.cache.formerPrices[id] }

  package func seller(_ id: FavoriteID) -> FavoriteSeller? { rows.cache.sellers[id] }

  /// The markets of what was shown.
  package var markets: Set<FavoriteMarket> { rows.cache.markets }

  /// The markets that are being asked how things are by now, and why others do not answer.
  package var asking: Set<MarketKey> { check.asking }
  package var silent: [MarketKey: RepositoryError] { check.silent }

  /// The market of something that has come.
  package func market(of triggered: TriggeredAlert) -> KnownMarket {
    navigator.markets?.known(of: triggered) ?? KnownMarket(of: triggered)
  }

  /// What is selected; nil where nothing is, or it is still to be read.
  package var selected: FavoriteItem? { list.selected.flatMap(item) }

  /// What a line is about; nil where it is still to be read.
  package func item(of line: FavoriteLine) -> FavoriteItem? {
    switch line {
    case .product(let id): product(id).map { .product($0.favorite) }
    case .seller(let id): seller(id).map { .seller($0) }
    case .search(let search): .search(search)
    case .triggered(let triggered): .triggered(triggered)
    }
  }

  /// The selected product with its texts.
  package var selectedRow: FavoriteRow? { list.selected.flatMap(row) }

  /// The product of a line with its texts; nil for other lines.
  package func row(of line: FavoriteLine) -> FavoriteRow? {
    if case .product(let id) = line { product(id) } else { nil }
  }

  package var isSelectedRemoved: Bool { selected.map { removed.contains($0.identity) } ?? false }

  /// Keys wait for the list, and for the row that they are about.
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

  /// Reads the rows on the screen and around it where some are not there yet.
  package func fill() { rows.fill() }

  // MARK: Reading

  /// Shows what has all of these words in it, after a pause in which nothing else is typed.
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

  // MARK: What a person does

  /// Lets go of what is selected, or takes it back.
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

  /// Lets go of something, or takes it back; false where that failed.
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

  /// Whether the selected line is something that has come.
  package var hasAlertSelected: Bool { if case .triggered = list.selected { true } else { false } }

  /// Takes the selected one of what has come out of the list.
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

  /// Whether a note can be written to what is selected.
  package var mayWrite: Bool { selected?.key != nil && !isSelectedRemoved }

  /// Asks for a note to what is selected.
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

  /// Whether one can wait for something of what is selected.
  package var mayWait: Bool { selected != nil && !isSelectedRemoved }

  /// Opens the menu of waits for what is selected.
  package func beginAlert() {
    guard let item = selected, mayWait else { return }
    if case .search(let search) = item { return navigator.beginAlert(for: search) }
    if let target = item.alertTarget { navigator.openAlerts(for: target) }
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

  /// The screens of a market, which are shown then; nil where there are none.
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

  /// What is kept is shown in the place of what cannot be.
  private func didNotOpen(_ error: RepositoryError) {
    isReading = selectedRow != nil
    if isReading { followNow() }
    navigator.announce(.failed(error))
  }

  /// Goes back: to the list, then to where it was opened.
  package func leave() {
    if isReading { isReading = false } else { location.close(self) }
  }
}
