package import MarketModel

/// What a person keeps of all markets: which rows have a star, and keeping, letting go and looking
/// after it.
///
/// A star changes with the key; that it is kept is said when it is on the disk.
package final class FavoritesModel {
  @Observed private var marks: [MarketKey: FavoriteMarks] = [:]
  /// Notes of products whose details were shown, the latest at the end.
  @Observed private var notes: [(key: FavoriteKey, text: String)] = []

  /// Tells of markets whose kept products were noted as they are by now; nil where nobody looks.
  private var noting: AsyncStream<MarketKey>.Continuation?

  private let personal: PersonalData
  /// Makes the small pictures; nil where there are none.
  package weak var pictures: (any FavoriteThumbnailMaker)?
  private var reading: Set<MarketKey> = []
  /// How kept products were told to the book last, so that the same is not told twice.
  private var told: [FavoriteKey: Product] = [:]
  /// Those of them that the book learns of next.
  private var untold: [MarketKey: [Product.ID: Product]] = [:]
  private var telling: Task<Void, Never>?
  private let clock: any Clock<Duration>

  /// Counts what was kept and let go of here.
  private var turn = 0

  private static let maxReported = 2_000
  private static let maxNotes = 100
  /// Between two times that the book is told what was shown, however fast somebody scrolls.
  private static let tellingRest = Duration.milliseconds(500)

  package init(of personal: PersonalData, clock: any Clock<Duration> = ContinuousClock()) {
    self.personal = personal
    self.clock = clock
  }

  /// Where it is kept; nil where nothing is.
  private var store: (any PersonalDataStore)? { personal.store }

  package func isFavorite(_ key: FavoriteKey) -> Bool {
    marks[key.market]?.contains(key.thing) == true
  }

  /// The kept products of a market.
  func products(of market: MarketKey) -> Set<Product.ID> { marks[market]?.products ?? [] }

  /// The note of a kept product whose detail is shown; nil where there is none.
  package func note(of key: FavoriteKey) -> String? {
    guard isFavorite(key) else { return nil }
    return notes.last { $0.key == key }.flatMap { $0.text.isEmpty ? nil : $0.text }
  }

  /// Whether nobody has begun yet to read which rows of a market have a star: who asks does, by `load`.
  func beginsLoading(_ market: MarketKey) -> Bool {
    store != nil && marks[market] == nil && reading.insert(market).inserted
  }

  /// Reads which rows of a market have a star.
  func load(_ market: MarketKey) async {
    guard let store else { return }
    let read = await store.favoriteMarks(of: market)
    reading.remove(market)
    // Without a star there is nothing to draw anew; what was kept meanwhile is not forgotten.
    if marks[market] == nil { marks[market] = read }
  }

  /// Reads anew which rows have a star: another program may have kept something.
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

  /// There may be a hundred thousand, which no key should wait for.
  @concurrent private nonisolated static func differ(
    _ one: FavoriteMarks, _ other: FavoriteMarks?
  ) async -> Bool { one != other }

  // MARK: Keeping and letting go

  /// Keeps a product, or lets it go, and says what came of it.
  func toggle(
    _ product: Product, description: String?, of market: FavoriteMarket
  ) async -> Notice {
    let key = FavoriteKey(.product(product.id), in: market.key)
    guard let store else { return .hint(.cannotSave) }
    if let notice = await remove(key, from: store) { return notice }
    set(key, isFavorite: true)
    // What is shown of the person's own list is there already.
    if product.thumbnail.flatMap(FavoritePicture.id) != nil {
      return didAdd(key, await store.restore(key) ? .added : .failed)
    }
    let outcome = await store.add(product, description: description, of: market)
    if outcome == .added { didSee([product], in: market.key) }
    return didAdd(key, outcome)
  }

  /// The same for a seller.
  func toggle(_ seller: Seller, by product: Product.ID, of market: FavoriteMarket) async -> Notice {
    let key = FavoriteKey(.seller(seller.id), in: market.key)
    guard let store else { return .hint(.cannotSave) }
    if let notice = await remove(key, from: store) { return notice }
    set(key, isFavorite: true)
    return didAdd(key, await store.add(seller, by: product, of: market))
  }

  /// Lets go of what is kept; nil where it is not.
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

  /// Lets go of what is in the person's list, or takes it back there; false where that failed.
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
    if !isFavorite { told[key] = nil }
  }

  // MARK: Notes

  /// Writes a note; false where it is not kept.
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

  // MARK: How it is by now

  /// The markets whose kept products are noted as they are by now, from here on, for the one list that
  /// shows them.
  func notedMarkets() -> AsyncStream<MarketKey> {
    noting?.finish()
    let (markets, noting) = AsyncStream<MarketKey>.makeStream()
    self.noting = noting
    return markets
  }

  /// Products were shown as they are now.
  func didSee(_ products: @autoclosure () -> [Product], in market: MarketKey) {
    guard let store, let favorite = marks[market]?.products, !favorite.isEmpty else { return }
    let news = products().filter { product in
      favorite.contains(product.id)
        && told[FavoriteKey(.product(product.id), in: market)] != product
    }
    guard !news.isEmpty else { return }
    if told.count > Self.maxReported { told = [:] }
    for product in news {
      told[FavoriteKey(.product(product.id), in: market)] = product
      untold[market, default: [:]][product.id] = product
    }
    guard telling == nil else { return }
    telling = Task.immediate {
      while !untold.isEmpty {
        await tell(store)
        try? await clock.sleep(for: Self.tellingRest)
      }
      telling = nil
    }
  }

  private func tell(_ store: any PersonalDataStore) async {
    let all = untold
    untold = [:]
    for (market, products) in all where !products.isEmpty {
      let lacking = await store.didSeeFavorites(Array(products.values), in: market)
      noting?.yield(market)
      // A picture may take its time, and the rest is told meanwhile.
      Task.immediate {
        for product in lacking.compactMap({ products[$0] }) {
          await keepPicture(of: product, in: market)
        }
      }
    }
  }

  /// All of a product was shown.
  func didSee(_ detail: ProductDetail, in market: MarketKey) {
    didSee([detail.product], in: market)
    let key = FavoriteKey(.product(detail.id), in: market)
    guard let store, isFavorite(key) else { return }
    readNote(of: detail.id, in: market)
    Task.immediate { await store.didSeeFavorites(detail.description, of: detail.id, in: market) }
  }

  /// Products are gone from a market.
  func didLose(_ products: some Sequence<Product.ID>, in market: MarketKey) {
    guard let store, let favorite = marks[market]?.products else { return }
    let lost = products.filter(favorite.contains)
    guard !lost.isEmpty else { return }
    for id in lost {
      told[FavoriteKey(.product(id), in: market)] = nil
      untold[market]?[id] = nil
    }
    Task.immediate {
      await store.didLoseFavorites(lost, in: market)
      noting?.yield(market)
    }
  }

  /// A market was asked for products by their numbers: what it has not is gone, unless there was no
  /// room for it in the answer.
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
    if !Task.isCancelled { noting?.yield(market) }
  }

  private func keepPicture(of product: Product, in market: MarketKey) async {
    guard let store, let pictures, let picture = product.thumbnail,
      let bytes = await pictures.favoritePicture(of: picture, in: market)
    else { return }
    await store.add(bytes, of: product, in: market)
  }
}

/// The port that makes the small pictures of what is kept.
@MainActor package protocol FavoriteThumbnailMaker: AnyObject {
  /// A product's picture as a file of at most `FavoritePicture.longest` bytes; nil where it cannot be had
  /// now.
  func favoritePicture(of picture: Picture, in market: MarketKey) async -> [UInt8]?
}

/// Rules of kept pictures.
package nonisolated enum FavoritePicture {
  /// Bytes of the longest one.
  package static let longest = 64 << 10

  private static let prefix = "kept:"

  /// By what a kept picture is asked for.
  package static func picture(of id: FavoriteID) -> Picture {
    let locator = prefix + String(id.rawValue)
    return Picture(original: locator, thumbnail: locator)
  }

  /// What a picture is kept under; nil for one of a market.
  package static func id(of picture: Picture) -> FavoriteID? {
    guard picture.original.hasPrefix(prefix) else { return nil }
    return Int64(picture.original.dropFirst(prefix.count)).map(FavoriteID.init(rawValue:))
  }
}
