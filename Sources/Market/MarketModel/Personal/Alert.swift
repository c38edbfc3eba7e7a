/// Alert of a user: what is checked in a market, and when it fires.
package struct Alert: Hashable, Sendable, Identifiable {
  package struct ID: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
  }

  /// Subject that the alert checks.
  package enum Subject: Hashable, Sendable {
    case product(Product.ID)
    case seller(Seller.ID)
    /// A search, as a search line.
    case search(String)
  }

  /// Condition on which the alert fires.
  package enum Condition: Hashable, Sendable {
    /// A product that is not sold out costs less than this.
    case below(Money)
    /// A product becomes available that was sold out or reserved.
    case backInStock
    /// A new product is listed.
    case anythingNew
  }

  /// Result of the last check, by which the alert fires once for each event.
  package struct State: Hashable, Sendable {
    /// Whether the condition held for the alert's single product; it fires again only after false.
    package var isMet: Bool
    /// Highest product number known; nil before the first check.
    package var newest: Product.ID?
    /// Products up to this number are no longer followed; nil where all are followed.
    package var floor: Product.ID?
    /// Position at which the scan of all products continues; nil where the next one starts from the top.
    package var position: Position?
    /// Whether a scan of all products has completed.
    ///
    /// Until then a product may have existed at the first check without having been read, so no such
    /// product fires.
    package var knowsAll = false
    /// Id of the market that this state belongs to; nil where the market has not reported one.
    package var marketID: MarketID?
    /// Known products of a seller or a search, with whether the condition held.
    ///
    /// Available products and, after a complete scan, those above the price are left out. Filled only
    /// while the store notes a page.
    package var products: [Product.ID: Bool] = [:]

    package init(isMet: Bool = false, newest: Product.ID? = nil) {
      self.isMet = isMet
      self.newest = newest
    }
  }

  /// Position between two pages in a scan of all products of a seller or a search.
  package struct Position: Hashable, Sendable {
    /// Highest product number when the scan began.
    package var top: Product.ID
    package var next: PagePosition

    package init(top: Product.ID, next: PagePosition) {
      self.top = top
      self.next = next
    }
  }

  package var id: ID
  package var market: MarketKey
  /// Path or address of the market, for programs that have not opened it; nil for the local market.
  package var location: String?
  package var subject: Subject
  /// Display name of the subject: a product's, a seller's or a saved search's name; foreign text.
  package var name: String
  package var condition: Condition
  package var state: State

  package init(
    id: ID = ID(rawValue: 0), market: MarketKey, location: String? = nil, subject: Subject,
    name: String, condition: Condition, state: State = State()
  ) {
    self.id = id
    self.market = market
    self.location = location
    self.subject = subject
    self.name = name
    self.condition = condition
    self.state = state
  }
}

/// Page that a market returned for an alert's subject.
package struct AlertObservation: Hashable, Sendable {
  package var alert: Alert.ID
  /// The product, or those products of the page that match the seller or search.
  package var products: [Product]
  /// Whether the market says that the alert's product does not exist.
  package var isDeleted = false
  /// Highest product number on the page, matching or not; nil for an empty page.
  package var highest: Product.ID?
  /// Whether the market lists the newest first, in all pages read so far.
  package var isOrdered = true
  /// Whether it is the market's first page.
  package var isTop = true
  /// Whether an older product cannot match later through an edit.
  package var isFixed = false
  /// Scan positions before and after the page; a nil `after` begins another scan.
  package var before: Alert.Position?
  package var after: Alert.Position?
  /// Whether this page completes the scan.
  package var isLast = true
  /// Id that the market reported; nil for none.
  package var marketID: MarketID?
  /// Record of this check that already exists for the alert; nil before the alert fires.
  package var triggered: TriggeredAlert.ID?

  package init(_ alert: Alert.ID, _ products: [Product]) {
    self.alert = alert
    self.products = products
    highest = products.map(\.id).max()
  }
}

/// Alert that fired in one check: a product, and how many with it.
///
/// New questions and answers are recorded in the same way, without an `Alert`.
package struct TriggeredAlert: Hashable, Sendable, Identifiable {
  /// Cause of the record: an alert that fired, a question, or an answer.
  package enum Event: Hashable, Sendable {
    /// The alert's condition was met.
    case alert(Alert.Condition)
    /// A question about a product of this user; `by` is the asker's name, nil for an asker without
    /// one.
    case asked(by: String?)
    /// An answer to a question of this user.
    case answered
    /// The product of an alert was deleted; the alert ends.
    case deleted
  }

  package struct ID: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
  }

  package var id: ID
  package var market: MarketKey
  /// Path or address of the market; nil for the local market.
  package var location: String?
  package var event: Event
  /// Name of the alert's subject, or the text of the question or the answer.
  package var alertName: String
  package var product: Product.ID
  /// Product's name at that time; foreign text.
  package var name: String
  /// Price to pay at that time, nil where it was unreadable; for a question the price offered.
  package var price: Money?
  /// Whether the product was reserved at that time.
  package var isReserved: Bool
  /// Number of products, questions or answers of this check, this one included.
  package var count: Int
  /// The other products, right after the check; empty in an alert read from the store.
  package var others: [Product.ID]
  package var isSeen: Bool

  package init(
    id: ID = ID(rawValue: 0), market: MarketKey, location: String? = nil,
    event: Event, alertName: String, product: Product.ID, name: String, price: Money?,
    isReserved: Bool = false, count: Int = 1, others: [Product.ID] = [], isSeen: Bool = false
  ) {
    self.id = id
    self.market = market
    self.location = location
    self.event = event
    self.alertName = alertName
    self.product = product
    self.name = name
    self.price = price
    self.isReserved = isReserved
    self.count = count
    self.others = others
    self.isSeen = isSeen
  }

  /// Creates the record for products that fired; nil where there are none.
  package init?(of alert: Alert, _ products: [Product]) {
    guard let first = products.first else { return nil }
    self.init(
      market: alert.market, location: alert.location, event: .alert(alert.condition),
      alertName: alert.name,
      product: first.id, name: first.name, price: first.pricing.price?.toPay,
      isReserved: first.isReserved, count: products.count, others: products.dropFirst().map(\.id))
  }

  /// Creates the record of the deletion of an alert's product; nil where the observation tells of none, or
  /// comes from a market with another id.
  package init?(of alert: Alert, endedBy observation: AlertObservation) {
    guard observation.isDeleted, case .product(let id) = alert.subject,
      !alert.state.isKnown(ofOtherThan: observation.marketID)
    else { return nil }
    self.init(
      market: alert.market, location: alert.location, event: .deleted, alertName: alert.name,
      product: id, name: alert.name, price: nil)
  }

  /// Condition of the alert; nil for a question, an answer or a deletion.
  package var condition: Alert.Condition? {
    if case .alert(let condition) = event { condition } else { nil }
  }

  /// All products of this check; only the first in an alert read from the store.
  package var products: [Product.ID] { [product] + others }
}

extension [TriggeredAlert] {
  /// Merges a further page of a check into the record with its id, or appends it.
  package mutating func add(_ triggered: TriggeredAlert) {
    guard let index = firstIndex(where: { $0.id == triggered.id }) else { return append(triggered) }
    self[index].count += triggered.count
    self[index].others += triggered.products
  }
}

// MARK: Deciding

extension Alert {
  /// Returns the initial state of an alert for one product; a product that is available or listed
  /// already does not fire.
  package static func beginning(_ condition: Condition, with product: Product) -> State {
    switch condition {
    case .backInStock: State(isMet: product.isAvailable)
    // A price that is already low enough fires.
    case .below: State(isMet: false)
    case .anythingNew: State(newest: product.id)
    }
  }

  /// Updates the state with a page, and returns the products that fire, the newest first.
  ///
  /// A price in another currency, an unreadable price and a missing product change nothing. A market
  /// id other than before resets the state, as at a first check.
  package mutating func apply(_ observation: AlertObservation) -> [Product] {
    let isOther = state.isKnown(ofOtherThan: observation.marketID)
    if isOther { state = State() }
    if let id = observation.marketID { state.marketID = id }
    guard case .product(let id) = subject else { return takePage(observation) }
    guard let product = observation.products.first(where: { $0.id == id }),
      let isMet = holds(for: product)
    else { return [] }
    defer { state.isMet = isMet }
    return isMet && !state.isMet && !isOther ? [product] : []
  }

  /// Returns whether the condition holds; nil where the price is unreadable or in another currency.
  private func holds(for product: Product) -> Bool? {
    switch condition {
    case .backInStock: return product.isAvailable
    case .anythingNew: return true
    case .below(let limit):
      guard let price = product.pricing.price?.toPay, price.currency == limit.currency else {
        return nil
      }
      return price.hundredths < limit.hundredths && !product.isSoldOut
    }
  }

  private mutating func takePage(_ page: AlertObservation) -> [Product] {
    if page.isTop, state.newest == nil {
      state.newest = page.highest ?? Product.ID(rawValue: 0)
    }
    if page.isFixed, page.isOrdered, state.floor == nil { state.floor = state.newest }
    let news = page.products.filter { product in
      state.floor.map { product.id > $0 } != false && isNews(product, on: page)
    }
    if page.isTop, state.knowsAll {
      state.newest = [state.newest, page.highest].compactMap(\.self).max()
    }
    goOn(behind: page)
    return news.sorted { $0.id > $1.id }
  }

  /// Returns whether a product fires, and records it as known; one that was unknown may fire
  /// `.below`, but never `.backInStock`.
  private mutating func isNews(_ product: Product, on page: AlertObservation) -> Bool {
    guard let holds = holds(for: product) else { return false }
    let before = state.products[product.id]
    let isNewer = page.isOrdered && state.newest.map { product.id > $0 } == true
    let isNews = holds && (before == false || before == nil && (state.knowsAll || isNewer))
    switch condition {
    case .anythingNew:
      state.products[product.id] = true
      return isNews
    case .below:
      state.products[product.id] = holds || !state.knowsAll ? holds : nil
      return isNews
    case .backInStock:
      state.products[product.id] = holds ? nil : false
      return isNews && before == false
    }
  }

  /// Advances the scan, unless another program has advanced it from the same position.
  private mutating func goOn(behind page: AlertObservation) {
    guard state.position == page.before else { return }
    state.position = page.isLast ? nil : page.after
    guard page.isLast else { return }
    state.knowsAll = true
    guard page.isFixed, page.isOrdered, let top = page.before?.top ?? page.highest else { return }
    let floor = max(top, state.floor ?? top)
    state.floor = floor
    state.products = state.products.filter { $0.key > floor }
  }
}

extension Alert.State {
  /// Returns whether this state belongs to a market with another id; false where either id is
  /// unknown.
  package func isKnown(ofOtherThan id: MarketID?) -> Bool {
    guard let marketID, let id else { return false }
    return marketID != id
  }
}
