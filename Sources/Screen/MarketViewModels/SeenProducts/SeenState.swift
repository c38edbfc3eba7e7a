internal import MarketModel

/// What is known of a market's products as they were last seen: a pure machine that says which are new,
/// which have another price than before, and what is worth a note.
///
/// A product is new where its number is above the newest of the last visit and it was on no screen
/// until that ended, and stays so for the whole of the present visit; without a visit before, none is.
struct SeenState {
  private struct Entry {
    /// When it was on the screen; nil where it never was.
    var seen: Timestamp?
    /// The price to pay that was seen last.
    var latest: Money?
    /// The one before this visit, which stays for the whole of it.
    var former: Money?
  }

  /// The new ones that are known.
  private(set) var fresh: Set<Product.ID> = []
  /// Whether there are no further new ones, as far as the market's order tells.
  private(set) var knowsAll = false
  /// The last visit that has ended; nil where there was none.
  private(set) var visit: Visit?
  private var entries: [Product.ID: Entry] = [:]
  private var asked: Set<Product.ID> = []

  /// Seconds after which a product that is seen again is noted again.
  private static let noteAgain: Int64 = 43_200
  /// So many products are remembered; the list holds fewer.
  private static let most = 20_000

  /// Whether answers are on their way.
  var isAsking: Bool { !asked.isEmpty }

  /// Nothing up to this product is new; nil where nothing is.
  var newest: Product.ID? { visit?.newest }

  /// How many new ones there are; nil where there is none.
  var count: NewCount? {
    fresh.isEmpty ? nil : NewCount(count: fresh.count, isMore: !knowsAll)
  }

  /// The price before this visit, or where it was seen for the first time, of then.
  func former(of id: Product.ID) -> Money? { entries[id]?.former }

  /// A visit has begun, after this one.
  mutating func begin(after visit: Visit?) { self.visit = visit }

  // MARK: Asking what is remembered

  /// The products of a list that have to be asked for, which from now on they are.
  mutating func ask(for rows: [ListedProduct]) -> [Product.ID] {
    if entries.count > Self.most {
      let kept = Set(rows.map(\.id))
      entries = entries.filter { kept.contains($0.key) }
    }
    let unknown = rows.map(\.id).filter { entries[$0] == nil && !asked.contains($0) }
    asked.formUnion(unknown)
    return unknown
  }

  /// Takes what is remembered of products that were asked for.
  mutating func take(_ seenProducts: [Product.ID: SeenRecord], of ids: [Product.ID]) {
    for id in ids where asked.remove(id) != nil {
      let record = seenProducts[id]
      entries[id] = Entry(seen: record?.at, latest: record?.latest, former: record?.former)
      if isNew(id, record) { fresh.insert(id) }
    }
  }

  private func isNew(_ id: Product.ID, _ record: SeenRecord?) -> Bool {
    guard let visit, let newest = visit.newest, id > newest else { return false }
    return record.map { $0.first.seconds > visit.ended.seconds } ?? true
  }

  /// Takes note that this program registered a product: it is not new to who sells it.
  mutating func didRegister(_ id: Product.ID) {
    entries[id] = entries[id] ?? Entry()
    asked.remove(id)
  }

  /// Takes the beginning of all products in, the newest first: how many are new is known where that
  /// reaches back to the last visit.
  mutating func update(_ head: [ListedProduct], isWhole: Bool) {
    guard let newest else { return }
    // Some servers say "newest" and have an order of their own.
    guard zip(head, head.dropFirst()).allSatisfy({ $0.id > $1.id }) else {
      knowsAll = isWhole
      return
    }
    if isWhole || head.last.map({ $0.id <= newest }) == true {
      know(Set(head.lazy.map(\.id).prefix { $0 > newest }))
    }
  }

  /// Takes the numbers of all products that can be new; what was deleted is none of them.
  private mutating func know(_ above: Set<Product.ID>) {
    knowsAll = true
    if !fresh.isSubset(of: above) { fresh.formIntersection(above) }
  }

  // MARK: Seeing

  /// Whether a product that was on the screen for a while is worth a note: it was never seen, not today,
  /// or has another price.
  func isDue(_ product: Product, at now: Timestamp) -> Bool {
    guard let entry = entries[product.id] else { return false }
    guard let seen = entry.seen, abs(now.seconds - seen.seconds) < Self.noteAgain else {
      return true
    }
    let price = product.pricing.price?.toPay
    return price != nil && price != entry.latest
  }

  /// Takes note of what was on the screen for a while.
  mutating func note(_ products: [Product], at now: Timestamp) {
    for product in products {
      let price = product.pricing.price?.toPay
      entries[product.id, default: Entry()].seen = now
      if let price {
        entries[product.id]?.latest = price
        if entries[product.id]?.former == nil { entries[product.id]?.former = price }
      }
    }
  }

  /// Takes note that nothing up to a product is new.
  mutating func markAllSeen(through newest: Product.ID) {
    let through = max(newest, self.newest ?? newest)
    visit?.newest = through
    fresh = fresh.filter { $0 > newest }
  }
}
