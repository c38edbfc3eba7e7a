internal import MarketModel

/// Seen products of a market: a pure state machine that knows which are new, which have another
/// price, and which have to be recorded.
///
/// A product is new if its id is above the newest of the last visit and it was not seen until that
/// visit ended. It stays new during this visit; without an earlier visit no product is.
struct SeenState {
  private struct Entry {
    /// Time at which it was last seen; nil if it never was.
    var seen: Timestamp?
    /// Last seen price to pay.
    var latest: Money?
    /// Price to pay before this visit, which stays during the visit.
    var previousPrice: Money?
  }

  /// The known new products.
  private(set) var fresh: Set<Product.ID> = []
  /// Whether `fresh` is complete, as far as the market's order shows.
  private(set) var knowsAll = false
  /// The last ended visit; nil if there was none.
  private(set) var visit: Visit?
  private var entries: [Product.ID: Entry] = [:]
  private var asked: Set<Product.ID> = []

  /// Seconds after which a seen product is recorded again.
  private static let noteAgain: Int64 = 43_200
  /// Maximum number of products; beyond it those outside the list are dropped.
  private static let most = 20_000

  /// Whether a query to the store is running.
  var isAsking: Bool { !asked.isEmpty }

  /// Newest product of the last visit, above which products are new; nil without a visit.
  var newest: Product.ID? { visit?.newest }

  /// Number of new products; nil if there are none.
  var count: NewCount? {
    fresh.isEmpty ? nil : NewCount(count: fresh.count, isMore: !knowsAll)
  }

  /// Price to pay before this visit, or when it was first seen; nil if it is unknown.
  func previousPrice(of id: Product.ID) -> Money? { entries[id]?.previousPrice }

  /// Sets the last visit at the beginning of this one.
  mutating func startVisit(after visit: Visit?) { self.visit = visit }

  // MARK: Queries to the store

  /// Ids that have to be queried, which are marked as such.
  mutating func ask(for rows: [ListedProduct]) -> [Product.ID] {
    if entries.count > Self.most {
      let kept = Set(rows.map(\.id))
      entries = entries.filter { kept.contains($0.key) }
    }
    let unknown = rows.map(\.id).filter { entries[$0] == nil && !asked.contains($0) }
    asked.formUnion(unknown)
    return unknown
  }

  /// Takes the store's records of queried ids.
  mutating func add(_ seenProducts: [Product.ID: SeenRecord], of ids: [Product.ID]) {
    for id in ids where asked.remove(id) != nil {
      let record = seenProducts[id]
      entries[id] = Entry(seen: record?.at, latest: record?.latest, previousPrice: record?.previous)
      if isNew(id, record) { fresh.insert(id) }
    }
  }

  private func isNew(_ id: Product.ID, _ record: SeenRecord?) -> Bool {
    guard let visit, let newest = visit.newest, id > newest else { return false }
    return record.map { $0.first.seconds > visit.ended.seconds } ?? true
  }

  /// Records a registration by this program: the product is not new to its seller.
  mutating func didRegister(_ id: Product.ID) {
    entries[id] = entries[id] ?? Entry()
    asked.remove(id)
  }

  /// Takes the beginning of the list of all products, newest first: if it reaches back to the last
  /// visit, all new products are known.
  mutating func update(_ head: [ListedProduct], isWhole: Bool) {
    guard let newest else { return }
    // Some servers claim this order and have another one.
    guard zip(head, head.dropFirst()).allSatisfy({ $0.id > $1.id }) else {
      knowsAll = isWhole
      return
    }
    if isWhole || head.last.map({ $0.id <= newest }) == true {
      know(Set(head.lazy.map(\.id).prefix { $0 > newest }))
    }
  }

  /// Takes the ids of all products that can be new; others were deleted.
  private mutating func know(_ above: Set<Product.ID>) {
    knowsAll = true
    if !fresh.isSubset(of: above) { fresh.formIntersection(above) }
  }

  // MARK: Seeing

  /// Whether a product on the screen has to be recorded: it was never seen, not for 12 hours, or with
  /// another price.
  func isDue(_ product: Product, at now: Timestamp) -> Bool {
    guard let entry = entries[product.id] else { return false }
    guard let seen = entry.seen, abs(now.seconds - seen.seconds) < Self.noteAgain else {
      return true
    }
    let price = product.pricing.price?.toPay
    return price != nil && price != entry.latest
  }

  /// Records products that were on the screen.
  mutating func record(_ products: [Product], at now: Timestamp) {
    for product in products {
      let price = product.pricing.price?.toPay
      entries[product.id, default: Entry()].seen = now
      if let price {
        entries[product.id]?.latest = price
        if entries[product.id]?.previousPrice == nil { entries[product.id]?.previousPrice = price }
      }
    }
  }

  /// Records that no product up to `newest` is new.
  mutating func markAllSeen(through newest: Product.ID) {
    let through = max(newest, self.newest ?? newest)
    visit?.newest = through
    fresh = fresh.filter { $0 > newest }
  }
}
