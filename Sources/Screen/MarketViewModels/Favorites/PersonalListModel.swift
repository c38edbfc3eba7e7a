package import MarketModel
internal import SafeTextKit

/// List of the personal data of all markets: favorites, saved searches, alerts and recently viewed
/// products are its tabs.
///
/// The ids of all favorites are read once, the content of lines as they are shown. Each market is
/// asked for the current state of its products with its own request, so that a slow one does not
/// delay others.
package final class PersonalListModel: ListModel {
  package typealias List = SectionedList<PersonalHeading, PersonalLine>
  package typealias Section = ListSection<PersonalHeading, PersonalLine>

  @Observed package private(set) var tab: PersonalTab
  /// Sections that were read; favorites only those that match the filter.
  @Observed private var read: [PersonalTab: [Section]] = [:]
  /// Line in the preview of favorites: the selected one, after a delay, so that a held key does not
  /// load pictures of lines that are passed.
  @Observed package private(set) var followed: PersonalLine?
  /// Products of viewed lines and of alerts as their markets have them; nil if the market has none or
  /// did not answer.
  @Observed private var looked: [PersonalLine.ID: ListedProduct?] = [:]
  /// Lines whose products were asked for since the list was opened or refreshed.
  private var asked: Set<PersonalLine.ID> = []
  /// Entries removed here, which can be restored until the list is closed.
  @Observed package private(set) var removed: Set<PersonalLine.ID> = []
  /// Whether the selected product is shown from the saved data, because its market cannot be opened.
  @Observed package private(set) var isReading = false
  /// Selection, viewport and filter of each tab.
  private let lists = Dictionary(uniqueKeysWithValues: PersonalTab.allCases.map { ($0, List()) })
  /// Filter of the favorites; empty for no filter.
  private var words = ""
  private let check: FavoritesCheck
  private let rows: FavoriteRows
  private let store: any PersonalDataStore
  /// Receives the chosen search; nil runs it.
  private let choose: ((SavedSearch) -> Void)?
  private var location: LayerLocation
  private var loading: Task<Void, Never>?
  private var reading: Task<Void, Never>?
  private var following: Task<Void, Never>?
  private var looking: [Task<Void, Never>] = []
  private var opening: Task<Void, Never>?

  /// Maximum time for a market's answer about products.
  private static let timeout = Duration.seconds(10)
  /// Maximum number of triggered alerts in the list; older ones are left out.
  private static let maxAlerts = 200

  init(
    _ tab: PersonalTab, in store: any PersonalDataStore, on navigator: Navigator,
    choosing choose: ((SavedSearch) -> Void)? = nil
  ) {
    (self.tab, self.store, self.choose) = (tab, store, choose)
    location = LayerLocation(on: navigator)
    let favorites = navigator.program.favorites
    rows = FavoriteRows(of: lists[.favorites] ?? List(), in: store)
    check = FavoritesCheck(in: store, favorites, clock: navigator.clock)
    favorites.reload()
    rows.follow(favorites.updatedMarkets())
    loading = Task.immediate {
      for tab in [tab] + tabs.filter({ $0 != tab }) { await load(tab) }
    }
    didShowTab()
  }

  package func didClose() {
    for task in [loading, reading, following, opening] { task?.cancel() }
    for task in looking { task.cancel() }
    rows.cancel()
    check.cancel()
  }

  /// Reads the tab again; that of favorites asks their markets.
  package func refresh() {
    if tab == .favorites { return check.askMarkets(in: navigator.markets) }
    asked = []
    Task.immediate { [tab] in await load(tab) }
  }

  /// Navigator of the market over which the list lies.
  var navigator: Navigator { location.navigator }

  // MARK: Tabs

  package var list: List { lists[tab] ?? List() }
  package var sections: [Section] { read[tab] ?? [] }

  /// Tabs of this program; without alerts there is none for them.
  package var tabs: [PersonalTab] {
    PersonalTab.allCases.filter { $0 != .alerts || navigator.program.alerts != nil }
  }

  /// Number of lines in a tab; nil until they are read.
  package func count(of tab: PersonalTab) -> Int? {
    read[tab]?.reduce(0) { $0 + $1.items.count }
  }

  /// Shows another tab.
  package func show(_ tab: PersonalTab) {
    guard tab != self.tab else { return }
    isReading = false
    self.tab = tab
    didShowTab()
  }

  /// Shows the next or previous tab, around the ends.
  package func showNextTab(by distance: Int = 1) {
    let tabs = tabs
    guard let index = tabs.firstIndex(of: tab) else { return }
    show(tabs[(index + distance + tabs.count) % tabs.count])
  }

  private func didShowTab() {
    if tab == .favorites { check.askMarkets(in: navigator.markets) }
    didSeeAlerts()
    followNow()
  }

  private func didSeeAlerts() {
    guard tab == .alerts, read[.alerts] != nil, let engine = navigator.program.alerts else {
      return
    }
    Task.immediate { await engine.didSeeAlerts() }
  }

  // MARK: Content

  /// Product of a line; nil until it is read.
  package func product(_ id: FavoriteID) -> FavoriteRow? { rows.cache.products[id] }

  /// Previous price of a product; nil if it has not changed.
  package func previousPrice(of id: FavoriteID) -> Money? { rows.cache.previousPrices[id] }

  /// Price that a viewed product has now; nil if it is as it was then, or unknown.
  package func priceNow(of product: ViewedProduct) -> Money? {
    let now = looked[PersonalLine.viewed(product).id]??.product.pricing.price?.toPay
    return now == product.price ? nil : now
  }

  package func seller(_ id: FavoriteID) -> FavoriteSeller? { rows.cache.sellers[id] }

  /// Markets of all favorites that were read.
  package var markets: Set<FavoriteMarket> { rows.cache.markets }

  /// Markets that are being asked, and the errors of those that did not answer.
  package var asking: Set<MarketKey> { check.asking }
  package var silent: [MarketKey: RepositoryError] { check.silent }

  /// Time since which the market of an alert has not answered; nil if it answered.
  package func silence(of alert: Alert) -> Timestamp? {
    navigator.program.alerts?.silent[alert.market]
  }

  /// Whether the content of a line is in memory.
  package func isRead(_ line: PersonalLine) -> Bool {
    switch line {
    case .product(let id): product(id) != nil
    case .seller(let id): seller(id) != nil
    case .search, .triggered, .alert, .viewed: true
    }
  }

  /// Market of a favorite or viewed product; nil for other lines, or until it is read.
  package func favoriteMarket(of line: PersonalLine) -> FavoriteMarket? {
    switch line {
    case .product(let id): product(id)?.favorite.market
    case .seller(let id): seller(id)?.market
    case .viewed(let product): product.market
    case .search, .triggered, .alert: nil
    }
  }

  /// Market of a line; nil for a search, and if its location is unknown.
  package func market(of line: PersonalLine) -> KnownMarket? {
    switch line {
    case .triggered(let triggered):
      navigator.markets?.known(of: triggered) ?? KnownMarket(of: triggered)
    case .alert(let alert):
      navigator.markets?.all.first { $0.key == alert.market } ?? KnownMarket(of: alert)
    case .product, .seller, .viewed, .search:
      favoriteMarket(of: line).flatMap { navigator.markets?.known($0) }
    }
  }

  /// The selected line; nil if nothing is selected or it is not read.
  package var selected: PersonalLine? { list.selected.flatMap { isRead($0) ? $0 : nil } }

  /// The selected favorite product with its texts; nil for other lines.
  package var selectedRow: FavoriteRow? { list.selected.flatMap(row) }

  /// Product of a line with its texts; nil for other lines, or until it is read.
  package func row(of line: PersonalLine) -> FavoriteRow? {
    if case .product(let id) = line { product(id) } else { nil }
  }

  /// Key of a favorite; nil for other lines, or until it is read.
  private func key(of line: PersonalLine) -> FavoriteKey? {
    switch line {
    case .product(let id): product(id)?.favorite.key
    case .seller(let id): seller(id)?.key
    case .search, .triggered, .alert, .viewed: nil
    }
  }

  package var isSelectedRemoved: Bool { selected.map { removed.contains($0.id) } ?? false }

  /// Keys are held until the list and the selected row are read.
  package var holdsKeys: Bool {
    guard list.isRead else { return true }
    guard rows.areComing, !isReading, let line = list.selected else { return false }
    return !isRead(line)
  }

  package func didSelect() {
    if tab == .favorites { fill() }
    following?.cancel()
    following = Task.immediate {
      try? await navigator.clock.sleep(for: DetailModel.followDelay)
      if !Task.isCancelled { followNow() }
    }
  }

  private func followNow() {
    following?.cancel()
    followed = lists[.favorites]?.selected
    // All that were viewed tell today's price.
    look(at: tab == .viewed ? sections.flatMap(\.items) : [list.selected].compactMap(\.self))
  }

  /// Asks each market once for the products of lines.
  private func look(at lines: [PersonalLine]) {
    guard let probe = navigator.markets?.probe else { return }
    let missing = lines.filter { !asked.contains($0.id) && subject(of: $0) != nil }
    for (market, lines) in Dictionary(grouping: missing, by: { self.market(of: $0) }) {
      guard let market else { continue }
      let lines = lines.prefix(ProductQuery.maxIDs)
      let ids = lines.compactMap(subject)
      asked.formUnion(lines.map(\.id))
      looking.append(
        Task.immediate {
          let outcome = await MarketTimeout.wait(Self.timeout, on: navigator.clock) {
            () throws(RepositoryError) in
            try await probe.products(ids, in: market)
          }
          guard !Task.isCancelled else { return }
          let found = (try? outcome.get())?.products ?? []
          for (line, id) in zip(lines, ids) {
            let product = found.first { $0.id == id }
            looked[line.id] = .some(product.map { seen($0, in: market) })
          }
        })
    }
  }

  /// A product of a market with a thumbnail that is read there.
  private func seen(_ product: Product, in market: KnownMarket) -> ListedProduct {
    var product = product
    product.thumbnail = product.thumbnail.map { $0.of(market.key, seenFrom: navigator.market) }
    return ListedProduct(product)
  }

  /// Product of a viewed line or of an alert; nil for others.
  private func subject(of line: PersonalLine) -> Product.ID? {
    switch line {
    case .viewed(let viewed): viewed.product
    case .triggered(let triggered): triggered.product
    case .alert(let alert): if case .product(let id) = alert.subject { id } else { nil }
    case .product, .seller, .search: nil
    }
  }

  /// Whether the product of a line can be read and was not.
  private func mayLook(at line: PersonalLine) -> Bool {
    looked[line.id] == nil && subject(of: line) != nil && navigator.markets?.probe != nil
      && market(of: line) != nil
  }

  /// Product in the preview of a line; nil for none, or until it is read.
  package func previewedProduct(of line: PersonalLine) -> ListedProduct? {
    row(of: line)?.listed ?? looked[line.id] ?? nil
  }

  package func picture(of line: PersonalLine) -> PreviewPicture {
    if let product = previewedProduct(of: line) {
      return product.product.thumbnail.map(PreviewPicture.ready) ?? .none
    }
    return mayLook(at: line) ? .pending : .none
  }

  /// Reads the missing rows on the screen and around it.
  package func fill() { rows.fill() }

  // MARK: Reading

  /// Filters the favorites by words, after a pause in typing.
  package func narrow(to words: String) {
    guard words != self.words else { return }
    self.words = words
    reading?.cancel()
    reading = Task.immediate {
      if !words.isEmpty { try? await navigator.clock.sleep(for: SearchModel.pause) }
      if !Task.isCancelled { await load(.favorites) }
    }
  }

  private func load(_ tab: PersonalTab) async {
    let words = words
    let sections = await lines(of: tab)
    guard !Task.isCancelled, tab != .favorites || words == self.words else { return }
    read[tab] = sections
    lists[tab]?.show(sections)
    if tab == self.tab { followNow() }
    if tab == .favorites { fill() }
    if tab == .alerts { didSeeAlerts() }
  }

  private func lines(of tab: PersonalTab) async -> [Section] {
    switch tab {
    case .favorites:
      let words = words.split(whereSeparator: \.isWhitespace).map(String.init)
      let found = await store.favoriteList(of: words)
      let products = found.products.map(PersonalLine.product)
      // Products come first and need no heading.
      return [
        ListSection(products),
        ListSection(.sellers, found.sellers.map(PersonalLine.seller)),
      ].filter { !$0.items.isEmpty }
    case .searches:
      return [ListSection(await store.savedSearches().map(PersonalLine.search))]
    case .alerts:
      guard let engine = navigator.program.alerts else { return [] }
      let triggered = await store.triggeredAlerts(atMost: Self.maxAlerts)
      await engine.reload()
      return [
        ListSection(.triggered, triggered.map(PersonalLine.triggered)),
        ListSection(.waiting, engine.alerts.map(PersonalLine.alert)),
      ]
    case .viewed:
      let today = TimeZone.local.day(of: navigator.now())
      let days = Dictionary(grouping: await store.viewedProducts()) { product -> PersonalHeading in
        switch TimeZone.local.day(of: product.viewed) {
        case today...: .today
        case today - 1: .yesterday
        default: .earlier
        }
      }
      return [PersonalHeading.today, .yesterday, .earlier].map { day in
        ListSection(day, (days[day] ?? []).map(PersonalLine.viewed))
      }
    }
  }

  // MARK: Commands

  /// Removes the selected alert, triggered alert or viewed product from its tab.
  package func removeSelected() {
    guard let line = list.selected, removesAtOnce(line) else { return }
    read[tab] = sections.without(line.id)
    Task.immediate { [store, navigator] in
      switch line {
      case .triggered(let triggered): await store.forget(triggered.id)
      case .alert(let alert): await navigator.program.alerts?.remove(alert)
      case .viewed(let product):
        await store.forgetViewed(product.product, in: product.market.key)
      case .product, .seller, .search: break
      }
    }
  }

  private func removesAtOnce(_ line: PersonalLine) -> Bool {
    switch line {
    case .triggered, .alert, .viewed: true
    case .product, .seller, .search: false
    }
  }

  /// Removes the selected favorite or search, or restores it.
  package func toggleSelected() {
    guard let line = selected, !removesAtOnce(line) else { return }
    let isRestored = removed.contains(line.id)
    set(line.id, isRemoved: !isRestored)
    Task.immediate {
      let isDone = await change(line, isFavorite: isRestored)
      if isDone {
        return navigator.announce(
          key(of: line).map { .favoriteChanged($0.thing, isFavorite: isRestored) }
            ?? .hint(isRestored ? .searchSaved : .searchRemoved))
      }
      set(line.id, isRemoved: isRestored)
      navigator.announce(.hint(.favoriteNotSaved))
    }
  }

  /// Removes or restores an entry; false if that failed.
  private func change(_ line: PersonalLine, isFavorite: Bool) async -> Bool {
    if case .search(let search) = line {
      if isFavorite { return await store.save(search) }
      await store.forgetSearch(named: search.name)
      return true
    }
    guard let key = key(of: line) else { return false }
    return await navigator.program.favorites.change(key, isFavorite: isFavorite)
  }

  private func set(_ id: PersonalLine.ID, isRemoved: Bool) {
    if isRemoved { removed.insert(id) } else { removed.remove(id) }
  }

  /// Whether the selected entry can have a note.
  package var mayWrite: Bool { selected.flatMap(key) != nil && !isSelectedRemoved }

  /// Asks for a note and saves it with the selected favorite.
  package func beginNote() {
    guard let line = selected, let key = key(of: line), mayWrite else { return }
    let (name, note) =
      if case .seller(let id) = line, let seller = seller(id) {
        (seller.seller.name, seller.note)
      } else {
        (row(of: line)?.favorite.product.name ?? "", row(of: line)?.favorite.note ?? "")
      }
    navigator.stack.startFlow { [self] flow in
      let prompt = PromptModel(.favoriteNote(of: SafeText(name)), note)
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
  package var mayWait: Bool {
    switch selected {
    case .product, .seller, .search, .triggered: !isSelectedRemoved
    case .alert, .viewed, nil: false
    }
  }

  /// Opens the menu of alerts for the selected entry.
  package func beginAlert() {
    guard let line = selected, mayWait else { return }
    if case .search(let search) = line { return navigator.beginAlert(for: search) }
    if let target = alertTarget(of: line) { navigator.openAlerts(for: target) }
  }

  /// Target of an alert for a line; nil for a search, whose alerts belong to the shown market.
  private func alertTarget(of line: PersonalLine) -> AlertTarget? {
    switch line {
    case .product(let id):
      product(id).map { row in
        let (market, product) = (row.favorite.market, row.favorite.product)
        return AlertTarget(
          market: market.key, location: market.location, subject: .product(product.id),
          name: product.name, product: product)
      }
    case .seller(let id):
      seller(id).map { favorite in
        AlertTarget(
          market: favorite.market.key, location: favorite.market.location,
          subject: .seller(favorite.seller.id), name: favorite.seller.name)
      }
    case .triggered(let triggered):
      AlertTarget(
        market: triggered.market, location: triggered.location,
        subject: .product(triggered.product), name: triggered.name)
    case .search, .alert, .viewed: nil
    }
  }

  /// Copies the selected product to the clipboard.
  package func copySelected(as form: CopiedForm) {
    guard let row = selectedRow else { return }
    guard let known = navigator.markets?.known(row.favorite.market) else {
      return navigator.announce(.hint(.noSuchMarket))
    }
    navigator.copy(row.listed, of: known, as: form)
  }

  // MARK: Opening

  /// Opens the subject of a line in its market, or runs a search.
  package func open(_ line: PersonalLine) {
    guard isRead(line) else { return }
    opening?.cancel()
    if case .search(let search) = line { return open(search) }
    opening = Task.immediate {
      if let shown = await showMarket(of: line) { await open(line, on: shown) }
    }
  }

  private func open(_ search: SavedSearch) {
    location.close(self)
    if let choose { choose(search) } else { navigator.follow(SearchRequest(reading: search.text)) }
  }

  private func open(_ line: PersonalLine, on shown: Navigator) async {
    switch line {
    case .product(let id):
      guard let row = product(id) else { return }
      location.move(self, to: shown)
      shown.open(row.listed, known: row.detail)
    case .seller(let id):
      guard let seller = seller(id) else { return }
      navigator.stack.close(self)
      shown.visit(seller.seller, by: seller.product)
    case .triggered(let triggered): await open(triggered, on: shown)
    case .alert(let alert): await open(alert, on: shown)
    case .viewed(let product): await open(product.product, on: shown)
    case .search: break
    }
  }

  private func open(_ product: Product.ID, on shown: Navigator) async {
    location.move(self, to: shown)
    await shown.open(product)
  }

  private func open(_ triggered: TriggeredAlert, on shown: Navigator) async {
    if case .asked = triggered.event, triggered.count > 1 {
      navigator.stack.close(self)
      if !shown.showsMine { shown.toggleMyProducts() }
      return
    }
    let alert = navigator.program.alerts?.alerts.first {
      ($0.market, $0.name) == (triggered.market, triggered.alertName)
        && .alert($0.condition) == triggered.event
    }
    // For several products the list is shown, if the alert is still set.
    if triggered.count > 1, let alert { return await open(alert, on: shown) }
    await open(triggered.product, on: shown)
  }

  private func open(_ alert: Alert, on shown: Navigator) async {
    switch alert.subject {
    case .product(let id): await open(id, on: shown)
    case .seller(let id):
      navigator.stack.close(self)
      shown.browser.show(ProductQuery(sellers: [id]))
    case .search(let text):
      navigator.stack.close(self)
      shown.follow(SearchRequest(reading: text))
    }
  }

  /// Shows the market of a line; nil if it cannot be opened, which is announced.
  private func showMarket(of line: PersonalLine) async -> Navigator? {
    if favoriteMarket(of: line)?.key == navigator.market { return navigator }
    guard let known = market(of: line) else {
      navigator.announce(.hint(.noSuchMarket))
      return nil
    }
    if known.key == navigator.market { return navigator }
    let outcome = await navigator.markets?.show(known)
    guard !Task.isCancelled else { return nil }
    switch outcome {
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

extension Navigator {
  /// `i`, `T`, `H`: shows a tab of the list of personal data.
  package func openPersonalList(
    _ tab: PersonalTab, choosing choose: ((SavedSearch) -> Void)? = nil
  ) {
    if let open = stack.top as? PersonalListModel { return open.show(tab) }
    guard let personal = program.personal else { return announce(.hint(.cannotSave)) }
    stack.push(PersonalListModel(tab, in: personal, on: self, choosing: choose))
  }
}
