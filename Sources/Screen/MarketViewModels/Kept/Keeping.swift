package import MarketModel
import Observation

/// What a person keeps of all markets: which rows have a star, and keeping, letting go and looking
/// after it.
///
/// A star changes with the key; that it is kept is said when it is on the disk.
@Observable
package final class Keeping {
  private var marks: [MarketKey: KeptMarks] = [:]
  /// Notes of products whose details were shown, the latest at the end.
  private var notes: [(key: KeptKey, text: String)] = []

  /// Where it is kept; nil where nothing is.
  @ObservationIgnored var book: (any KeptBook)?
  /// Learns of a market whose kept products were noted as they are by now.
  @ObservationIgnored var didNote: (MarketKey) -> Void = { _ in }
  /// Makes the small pictures; nil where there are none.
  @ObservationIgnored package weak var pictures: (any KeptPictureMaker)?
  @ObservationIgnored private var reading: Set<MarketKey> = []
  /// How kept products were told to the book last, so that the same is not told twice.
  @ObservationIgnored private var told: [KeptKey: Product] = [:]
  /// Those of them that the book learns of next.
  @ObservationIgnored private var untold: [MarketKey: [Product.ID: Product]] = [:]
  @ObservationIgnored private var telling: Task<Void, Never>?
  private let clock: any Clock<Duration>

  /// Counts what was kept and let go of here.
  @ObservationIgnored private var turn = 0

  private static let mostTold = 2_000
  private static let mostNotes = 100
  /// Between two times that the book is told what was shown, however fast somebody scrolls.
  private static let tellingRest = Duration.milliseconds(500)

  package init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

  package func isKept(_ key: KeptKey) -> Bool { marks[key.market]?.contains(key.thing) == true }

  /// The kept products of a market.
  func products(of market: MarketKey) -> Set<Product.ID> { marks[market]?.products ?? [] }

  /// The note of a kept product whose detail is shown; nil where there is none.
  package func note(of key: KeptKey) -> String? {
    guard isKept(key) else { return nil }
    return notes.last { $0.key == key }.flatMap { $0.text.isEmpty ? nil : $0.text }
  }

  /// Reads which rows of a market have a star, once; `then` is called when that is known.
  func load(_ market: MarketKey, then didLoad: @escaping () -> Void = {}) {
    guard book != nil, marks[market] == nil, reading.insert(market).inserted else { return }
    Task {
      await read(market)
      didLoad()
    }
  }

  private func read(_ market: MarketKey) async {
    guard let book else { return }
    let read = await book.keptMarks(of: market)
    reading.remove(market)
    // Without a star there is nothing to draw anew; what was kept meanwhile is not forgotten.
    if marks[market] == nil { marks[market] = read }
  }

  /// Reads anew which rows have a star: another program may have kept something.
  func reload() {
    guard let book else { return }
    let turn = turn
    for market in marks.keys {
      Task {
        let read = await book.keptMarks(of: market)
        let isNew = await Self.differ(read, marks[market])
        if isNew, turn == self.turn { marks[market] = read }
      }
    }
  }

  /// There may be a hundred thousand, which no key should wait for.
  @concurrent private nonisolated static func differ(
    _ one: KeptMarks, _ other: KeptMarks?
  ) async -> Bool { one != other }

  // MARK: Keeping and letting go

  /// Keeps a product, or lets it go; `then` learns what came of it.
  func toggle(
    _ product: Product, description: String?, of market: KeptMarket,
    then tell: @escaping (Notice) -> Void
  ) {
    let key = KeptKey(.product(product.id), in: market.key)
    toggle(key, then: tell) { [weak self] book in
      // What is shown of the person's own list is there already.
      if product.thumbnail.flatMap(KeptPicture.id) != nil {
        return await book.takeBack(key) ? .kept : .failed
      }
      let outcome = await book.keep(product, description: description, of: market)
      if outcome == .kept { self?.didSee([product], in: market.key) }
      return outcome
    }
  }

  /// The same for a seller.
  func toggle(
    _ seller: Seller, by product: Product.ID, of market: KeptMarket,
    then tell: @escaping (Notice) -> Void
  ) {
    toggle(KeptKey(.seller(seller.id), in: market.key), then: tell) { book in
      await book.keep(seller, by: product, of: market)
    }
  }

  /// Lets go of what is in the person's list, or takes it back there; `then` learns whether that is
  /// done.
  func change(_ key: KeptKey, isKept: Bool, then tell: @escaping (Bool) -> Void) {
    guard let book else { return tell(false) }
    if marks[key.market] != nil { set(key, isKept: isKept) }
    Task.immediate {
      let isDone = isKept ? await book.takeBack(key) : await book.letGo(key)
      if !isDone, marks[key.market] != nil { set(key, isKept: !isKept) }
      tell(isDone)
    }
  }

  private func toggle(
    _ key: KeptKey, then tell: @escaping (Notice) -> Void,
    keep: @escaping (any KeptBook) async -> KeepingOutcome
  ) {
    guard let book else { return tell(.hint(.keepsNothing)) }
    Task.immediate {
      if marks[key.market] == nil { await read(key.market) }
      if isKept(key) {
        set(key, isKept: false)
        let isDone = await book.letGo(key)
        if !isDone { set(key, isKept: true) }
        tell(isDone ? .keeping(key.thing, isKept: false) : .hint(.notKept))
      } else {
        set(key, isKept: true)
        let outcome = await keep(book)
        if outcome != .kept { set(key, isKept: false) }
        tell(.keeping(key.thing, outcome))
      }
    }
  }

  private func set(_ key: KeptKey, isKept: Bool) {
    turn += 1
    marks[key.market, default: KeptMarks()].set(key.thing, isKept: isKept)
    if !isKept { told[key] = nil }
  }

  // MARK: Notes

  /// Writes a note; `then` learns whether it is kept.
  func write(_ note: String, to key: KeptKey, then tell: @escaping (Bool) -> Void) {
    guard let book else { return tell(false) }
    Task.immediate {
      let isKept = await book.write(note, to: key)
      if isKept { show(note, of: key) }
      tell(isKept)
    }
  }

  /// Reads the note of a product whose detail is shown.
  private func readNote(of product: Product.ID, in market: MarketKey) {
    let key = KeptKey(.product(product), in: market)
    guard let book, isKept(key) else { return }
    Task.immediate {
      let note = await book.keptProduct(product, in: market)?.note
      show(note ?? "", of: key)
    }
  }

  private func show(_ note: String, of key: KeptKey) {
    let isKnown = notes.contains { $0.key == key && $0.text == note }
    guard !isKnown else { return }
    notes.removeAll { $0.key == key }
    notes.append((key, note))
    notes.removeFirst(max(0, notes.count - Self.mostNotes))
  }

  // MARK: How it is by now

  /// Products were shown as they are now.
  func didSee(_ products: [Product], in market: MarketKey) {
    guard let book, let kept = marks[market]?.products, !kept.isEmpty else { return }
    let news = products.filter { product in
      kept.contains(product.id) && told[KeptKey(.product(product.id), in: market)] != product
    }
    guard !news.isEmpty else { return }
    if told.count > Self.mostTold { told = [:] }
    for product in news {
      told[KeptKey(.product(product.id), in: market)] = product
      untold[market, default: [:]][product.id] = product
    }
    guard telling == nil else { return }
    telling = Task.immediate { [weak self, clock] in
      while let self, !untold.isEmpty {
        await tell(book)
        try? await clock.sleep(for: Self.tellingRest)
      }
      self?.telling = nil
    }
  }

  private func tell(_ book: any KeptBook) async {
    let all = untold
    untold = [:]
    for (market, products) in all where !products.isEmpty {
      let lacking = await book.didSeeKept(Array(products.values), in: market)
      didNote(market)
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
    let key = KeptKey(.product(detail.id), in: market)
    guard let book, isKept(key) else { return }
    readNote(of: detail.id, in: market)
    Task.immediate { await book.didSeeKept(detail.description, of: detail.id, in: market) }
  }

  /// Products are gone from a market.
  func didLose(_ products: some Sequence<Product.ID>, in market: MarketKey) {
    guard let book, let kept = marks[market]?.products else { return }
    let lost = products.filter(kept.contains)
    guard !lost.isEmpty else { return }
    for id in lost {
      told[KeptKey(.product(id), in: market)] = nil
      untold[market]?[id] = nil
    }
    Task.immediate {
      await book.didLoseKept(lost, in: market)
      didNote(market)
    }
  }

  /// A market was asked for products by their numbers: what it has not is gone, unless there was no
  /// room for it in the answer.
  func didHear(_ page: ProductPage, of asked: [Product.ID], in market: MarketKey) async {
    guard let book else { return }
    let lacking = await book.didSeeKept(page.products, in: market)
    if page.next == nil, page.unreadableRows == 0 {
      let lost = Set(asked).subtracting(page.products.map(\.id))
      if !lost.isEmpty { await book.didLoseKept(Array(lost), in: market) }
    }
    for product in page.products where lacking.contains(product.id) {
      guard !Task.isCancelled else { return }
      await keepPicture(of: product, in: market)
    }
  }

  private func keepPicture(of product: Product, in market: MarketKey) async {
    guard let book, let pictures, let picture = product.thumbnail,
      let bytes = await pictures.keptPicture(of: picture, in: market)
    else { return }
    await book.keep(bytes, of: product, in: market)
  }
}

/// The port that makes the small pictures of what is kept.
@MainActor package protocol KeptPictureMaker: AnyObject {
  /// A product's picture as a file of at most `KeptPicture.longest` bytes; nil where it cannot be had
  /// now.
  func keptPicture(of picture: Picture, in market: MarketKey) async -> [UInt8]?
}

/// Rules of kept pictures.
package nonisolated enum KeptPicture {
  /// Bytes of the longest one.
  package static let longest = 64 << 10

  private static let prefix = "kept:"

  /// By what a kept picture is asked for.
  package static func picture(of id: KeptID) -> Picture {
    let locator = prefix + String(id.rawValue)
    return Picture(original: locator, thumbnail: locator)
  }

  /// What a picture is kept under; nil for one of a market.
  package static func id(of picture: Picture) -> KeptID? {
    guard picture.original.hasPrefix(prefix) else { return nil }
    return Int64(picture.original.dropFirst(prefix.count)).map(KeptID.init(rawValue:))
  }
}
