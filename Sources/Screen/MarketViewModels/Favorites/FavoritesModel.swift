package import MarketModel

/// Favorites of all markets: which rows have a star, adding, removing, and updating the saved data.
///
/// The star changes at once; the notice follows when the change is stored.
package final class FavoritesModel {
  @Observed private var marks: [MarketKey: FavoriteMarks] = [:]
  /// Notes of products whose details were shown, the latest at the end.
  @Observed private var notes: [(key: FavoriteKey, text: String)] = []

  /// Reports markets whose favorites were updated in the store; nil while no list is open.
  private var updates: AsyncStream<MarketKey>.Continuation?

  private let personal: PersonalData
  /// Makes the thumbnails; nil without pictures.
  package weak var pictures: (any FavoriteThumbnailMaker)?
  private var reading: Set<MarketKey> = []
  /// Products as they were last reported to the store, so that none is reported twice.
  private var reported: [FavoriteKey: Product] = [:]
  /// Products that are reported to the store next.
  private var pending: [MarketKey: [Product.ID: Product]] = [:]
  private var reporting: Task<Void, Never>?
  private let clock: any Clock<Duration>

  /// Number of changes so far; a read that began before a change is discarded.
  private var turn = 0

  /// Maximum number of products in `reported`; beyond it all are dropped and reported again.
  private static let maxReported = 2_000
  /// Maximum number of notes in memory; the oldest are dropped.
  private static let maxNotes = 100
  /// Minimum time between two reports to the store, however fast the user scrolls.
  private static let reportInterval = Duration.milliseconds(500)

  package init(of personal: PersonalData, clock: any Clock<Duration> = ContinuousClock()) {
    self.personal = personal
    self.clock = clock
  }

  /// The store; nil for a run that saves nothing.
  private var store: (any PersonalDataStore)? { personal.store }

  package func isFavorite(_ key: FavoriteKey) -> Bool {
    marks[key.market]?.contains(key.thing) == true
  }

  /// Favorite products of a market.
  func products(of market: MarketKey) -> Set<Product.ID> { marks[market]?.products ?? [] }

  /// Note of a favorite whose detail is shown; nil if there is none.
  package func note(of key: FavoriteKey) -> String? {
    guard isFavorite(key) else { return nil }
    return notes.last { $0.key == key }.flatMap { $0.text.isEmpty ? nil : $0.text }
  }

  /// Whether the caller has to call `load`: the stars of the market were neither read nor requested
  /// yet.
  func beginsLoading(_ market: MarketKey) -> Bool {
    store != nil && marks[market] == nil && reading.insert(market).inserted
  }

  /// Reads the stars of a market.
  func load(_ market: MarketKey) async {
    guard let store else { return }
    let read = await store.favoriteMarks(of: market)
    reading.remove(market)
    // Changes made while it was read are kept.
    if marks[market] == nil { marks[market] = read }
  }

  /// Reads the stars of all markets again, because another program may have changed them.
  func reload() {
    guard let store else { return }
    let turn = turn
    for market in marks.keys {
      Task {
        let read = await store.favoriteMarks(of: market)
        let isNew = await Self.differ(read, marks[market])
        if isNew, turn == self.turn { marks[market] = read }
      }
    }
  }

  /// Compares off the main actor, because there may be 100,000.
  @concurrent private nonisolated static func differ(
    _ one: FavoriteMarks, _ other: FavoriteMarks?
  ) async -> Bool { one != other }

  // MARK: Adding and removing

  /// Adds a product to the favorites, or removes it.
  /// - Returns: the notice of the result.
  func toggle(
    _ product: Product, description: String?, of market: FavoriteMarket
  ) async -> Notice {
    let key = FavoriteKey(.product(product.id), in: market.key)
    guard let store else { return .hint(.cannotSave) }
    if let notice = await remove(key, from: store) { return notice }
    set(key, isFavorite: true)
    // A product that is shown from the favorites is restored with its saved data.
    if product.thumbnail.flatMap(FavoritePicture.id) != nil {
      return didAdd(key, await store.restore(key) ? .added : .failed)
    }
    let outcome = await store.add(product, description: description, of: market)
    if outcome == .added { didSee([product], in: market.key) }
    return didAdd(key, outcome)
  }

  /// Adds a seller to the favorites, or removes it.
  /// - Returns: the notice of the result.
  func toggle(_ seller: Seller, by product: Product.ID, of market: FavoriteMarket) async -> Notice {
    let key = FavoriteKey(.seller(seller.id), in: market.key)
    guard let store else { return .hint(.cannotSave) }
    if let notice = await remove(key, from: store) { return notice }
    set(key, isFavorite: true)
    return didAdd(key, await store.add(seller, by: product, of: market))
  }

  /// Removes a favorite; nil if it is none.
  private func remove(_ key: FavoriteKey, from store: any PersonalDataStore) async -> Notice? {
    if marks[key.market] == nil { await load(key.market) }
    guard isFavorite(key) else { return nil }
    set(key, isFavorite: false)
    guard await store.remove(key) else {
      set(key, isFavorite: true)
      return .hint(.favoriteNotSaved)
    }
    return .favoriteChanged(key.thing, isFavorite: false)
  }

  private func didAdd(_ key: FavoriteKey, _ outcome: FavoriteResult) -> Notice {
    if outcome != .added { set(key, isFavorite: false) }
    return .favoriteChanged(key.thing, outcome)
  }

  /// Removes or restores an entry of the list; false if that failed.
  func change(_ key: FavoriteKey, isFavorite: Bool) async -> Bool {
    guard let store else { return false }
    if marks[key.market] != nil { set(key, isFavorite: isFavorite) }
    let isDone = isFavorite ? await store.restore(key) : await store.remove(key)
    if !isDone, marks[key.market] != nil { set(key, isFavorite: !isFavorite) }
    return isDone
  }

  private func set(_ key: FavoriteKey, isFavorite: Bool) {
    turn += 1
    marks[key.market, default: FavoriteMarks()].set(key.thing, isFavorite: isFavorite)
    if !isFavorite { reported[key] = nil }
  }

  // MARK: Notes

  /// Stores a note; false if that failed.
  func write(_ note: String, to key: FavoriteKey) async -> Bool {
    guard let store, await store.write(note, to: key) else { return false }
    show(note, of: key)
    return true
  }

  /// Reads the note of a product whose detail is shown.
  private func readNote(of product: Product.ID, in market: MarketKey) {
    let key = FavoriteKey(.product(product), in: market)
    guard let store, isFavorite(key) else { return }
    Task.immediate {
      let note = await store.favoriteProduct(product, in: market)?.note
      show(note ?? "", of: key)
    }
  }

  private func show(_ note: String, of key: FavoriteKey) {
    let isKnown = notes.contains { $0.key == key && $0.text == note }
    guard !isKnown else { return }
    notes.removeAll { $0.key == key }
    notes.append((key, note))
    notes.removeFirst(max(0, notes.count - Self.maxNotes))
  }

  // MARK: Updates

  /// Stream of markets whose favorites are updated from now on, for the one open list; an earlier
  /// stream ends.
  func updatedMarkets() -> AsyncStream<MarketKey> {
    updates?.finish()
    let (markets, noting) = AsyncStream<MarketKey>.makeStream()
    self.updates = noting
    return markets
  }

  /// Reports the current values of shown products.
  func didSee(_ products: @autoclosure () -> [Product], in market: MarketKey) {
    guard let store, let favorite = marks[market]?.products, !favorite.isEmpty else { return }
    let news = products().filter { product in
      favorite.contains(product.id)
        && reported[FavoriteKey(.product(product.id), in: market)] != product
    }
    guard !news.isEmpty else { return }
    if reported.count > Self.maxReported { reported = [:] }
    for product in news {
      reported[FavoriteKey(.product(product.id), in: market)] = product
      pending[market, default: [:]][product.id] = product
    }
    guard reporting == nil else { return }
    reporting = Task.immediate {
      while !pending.isEmpty {
        await report(store)
        try? await clock.sleep(for: Self.reportInterval)
      }
      reporting = nil
    }
  }

  private func report(_ store: any PersonalDataStore) async {
    let all = pending
    pending = [:]
    for (market, products) in all where !products.isEmpty {
      let lacking = await store.didSeeFavorites(Array(products.values), in: market)
      updates?.yield(market)
      // The other products are reported while a thumbnail is made.
      Task.immediate {
        for product in lacking.compactMap({ products[$0] }) {
          await keepPicture(of: product, in: market)
        }
      }
    }
  }

  /// Reports the shown detail of a product.
  func didSee(_ detail: ProductDetail, in market: MarketKey) {
    didSee([detail.product], in: market)
    let key = FavoriteKey(.product(detail.id), in: market)
    guard let store, isFavorite(key) else { return }
    readNote(of: detail.id, in: market)
    Task.immediate { await store.didSeeFavorites(detail.description, of: detail.id, in: market) }
  }

  /// Reports products that were deleted from a market.
  func didLose(_ products: some Sequence<Product.ID>, in market: MarketKey) {
    guard let store, let favorite = marks[market]?.products else { return }
    let lost = products.filter(favorite.contains)
    guard !lost.isEmpty else { return }
    for id in lost {
      reported[FavoriteKey(.product(id), in: market)] = nil
      pending[market]?[id] = nil
    }
    Task.immediate {
      await store.didLoseFavorites(lost, in: market)
      updates?.yield(market)
    }
  }

  /// Takes the response to a query by ids: products that it lacks are deleted, unless it is
  /// incomplete or partly unreadable.
  func didReceive(_ page: ProductPage, of asked: [Product.ID], in market: MarketKey) async {
    guard let store else { return }
    let lacking = await store.didSeeFavorites(page.products, in: market)
    if page.next == nil, page.unreadableRows == 0 {
      let lost = Set(asked).subtracting(page.products.map(\.id))
      if !lost.isEmpty { await store.didLoseFavorites(Array(lost), in: market) }
    }
    for product in page.products where lacking.contains(product.id) {
      guard !Task.isCancelled else { return }
      await keepPicture(of: product, in: market)
    }
    if !Task.isCancelled { updates?.yield(market) }
  }

  private func keepPicture(of product: Product, in market: MarketKey) async {
    guard let store, let pictures, let picture = product.thumbnail,
      let bytes = await pictures.favoritePicture(of: picture, in: market)
    else { return }
    await store.add(bytes, of: product, in: market)
  }
}

/// Port that makes the thumbnails of favorites.
@MainActor package protocol FavoriteThumbnailMaker: AnyObject {
  /// Thumbnail of a product as a file of at most `FavoritePicture.longest` bytes; nil if it cannot be
  /// made now.
  func favoritePicture(of picture: Picture, in market: MarketKey) async -> [UInt8]?
}

/// Saved thumbnails of favorites, as pictures with locators of their own.
package nonisolated enum FavoritePicture {
  /// Maximum size in bytes; larger files are not stored.
  package static let longest = 64 << 10

  private static let prefix = "kept:"

  /// Locator of a saved thumbnail.
  package static func picture(of id: FavoriteID) -> Picture {
    let locator = prefix + String(id.rawValue)
    return Picture(original: locator, thumbnail: locator)
  }

  /// Id of the favorite of a saved thumbnail; nil for a picture of a market.
  package static func id(of picture: Picture) -> FavoriteID? {
    guard picture.original.hasPrefix(prefix) else { return nil }
    return Int64(picture.original.dropFirst(prefix.count)).map(FavoriteID.init(rawValue:))
  }
}
