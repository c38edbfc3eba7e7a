/// Wait of a person for something in a market: what is looked at, and when it is told.
package struct Alert: Hashable, Sendable, Identifiable {
  package struct ID: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) {
      self.rawValue = rawValue
    }
  }

  /// What is looked at.
  package enum Subject: Hashable, Sendable {
    case product(Product.ID)
    case seller(Seller.ID)
    /// A search, as its line says it.
    case search(String)
  }

  /// What has to come.
  package enum Condition: Hashable, Sendable {
    /// Something that is not sold costs less than this.
    case below(Money)
    /// Something can be had again: it was sold, or it was reserved.
    case backInStock
    /// Products come that were not there before.
    case anythingNew
  }

  /// What was known when one looked last, so that everything is told once.
  package struct State: Hashable, Sendable {
    /// Whether the condition of one product held: it is told again only after it did not.
    package var isMet: Bool
    /// The highest number that was there; nil before anybody looked.
    package var newest: Product.ID?
    /// Products up to this number are not followed any more; nil where all are.
    package var floor: Product.ID?
    /// Where the round through all products goes on; nil where the next one begins.
    package var position: Position?
    /// Whether a round through all products has come to its end.
    ///
    /// Until then those that were there at the first look may not have been read yet, and none of them
    /// is told.
    package var knowsAll = false
    /// The id of the market that all of this is known of; nil where it has not said one.
    package var marketID: MarketID?
    /// The known products of a seller or a search, and whether the condition held.
    ///
    /// Of what can be had or, after a whole round, too dear there is none. They are read where a page
    /// is noted; elsewhere there are none.
    package var products: [Product.ID: Bool] = [:]

    package init(isMet: Bool = false, newest: Product.ID? = nil) {
      self.isMet = isMet
      self.newest = newest
    }
  }

  /// Place between two pages in a round through all products of a seller or a search.
  package struct Position: Hashable, Sendable {
    /// The highest number that was there when the round began.
    package var top: Product.ID
    package var next: PagePosition

    package init(top: Product.ID, next: PagePosition) {
      self.top = top
      self.next = next
    }
  }

  package var id: ID
  package var market: MarketKey
  /// Path or address of the market, for programs that have not opened it; nil for the local one.
  package var location: String?
  package var subject: Subject
  /// What a person calls the subject: a product's, a seller's or a search's name; foreign text.
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

/// Page of products that a market answered for the subject of an alert.
package struct AlertObservation: Hashable, Sendable {
  package var alert: Alert.ID
  /// The product, or those of a seller or a search that came with the page.
  package var products: [Product]
  /// The highest number on the page, whether or not the alert is for it; nil of an empty one.
  package var highest: Product.ID?
  /// Whether the market begins with the newest, as far as its pages were read.
  package var isOrdered = true
  /// Whether it is the market's first page.
  package var isTop = true
  /// Whether no edit can bring a product in that was there before.
  package var isFixed = false
  /// The place of the round before and after the page; nil after it where another round begins.
  package var before: Alert.Position?
  package var after: Alert.Position?
  /// Whether the round ends with it.
  package var isLast = true
  /// The id that the market said; nil where it says none.
  package var marketID: MarketID?
  /// What this check has told of the alert already.
  package var triggered: TriggeredAlert.ID?

  package init(_ alert: Alert.ID, _ products: [Product]) {
    self.alert = alert
    self.products = products
    highest = products.map(\.id).max()
  }
}

/// Alert that fired in one check: a product, and how many with it.
///
/// Questions and answers are told the same way, without an alert for them.
package struct TriggeredAlert: Hashable, Sendable, Identifiable {
  /// What has happened.
  package enum Event: Hashable, Sendable {
    /// What an alert waits for.
    case alert(Alert.Condition)
    /// Somebody asked about a product that is sold from here; nil where no name was said.
    case asked(by: String?)
    /// A question that was asked from here has an answer.
    case answered
  }

  package struct ID: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) {
      self.rawValue = rawValue
    }
  }

  package var id: ID
  package var market: MarketKey
  /// Path or address of the market; nil for the local one.
  package var location: String?
  package var event: Event
  /// Name of the alert's subject, or the text of the question or the answer.
  package var alertName: String
  package var product: Product.ID
  /// The product's name as it was then; foreign text.
  package var name: String
  /// The price to pay as it was then, nil where it could not be read; of a question what was offered.
  package var price: Money?
  /// Whether the product was reserved then.
  package var isReserved: Bool
  /// Products that came with the check, this one among them; or questions, or answers.
  package var count: Int
  /// The others, where they were told just now; empty where the alert was read from the store.
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

  /// What an alert tells of products; nil where there are none.
  package init?(of alert: Alert, _ products: [Product]) {
    guard let first = products.first else { return nil }
    self.init(
      market: alert.market, location: alert.location, event: .alert(alert.condition),
      alertName: alert.name,
      product: first.id, name: first.name, price: first.pricing.price?.toPay,
      isReserved: first.isReserved, count: products.count, others: products.dropFirst().map(\.id))
  }

  /// What the alert waited for; nil for a question or an answer.
  package var condition: Alert.Condition? {
    if case .alert(let condition) = event { condition } else { nil }
  }

  /// All products that were told just now.
  package var products: [Product.ID] { [product] + others }
}

extension [TriggeredAlert] {
  /// Adds what a further page of a check brought: to what fired of the same alert, where there is one.
  package mutating func add(_ triggered: TriggeredAlert) {
    guard let index = firstIndex(where: { $0.id == triggered.id }) else { return append(triggered) }
    self[index].count += triggered.count
    self[index].others += triggered.products
  }
}

// MARK: Deciding

extension Alert {
  /// State that an alert for one product begins with: what is there already does not fire.
  package static func beginning(_ condition: Condition, with product: Product) -> State {
    switch condition {
    case .backInStock: State(isMet: product.isAvailable)
    // A price that is low enough already is good news.
    case .below: State(isMet: false)
    case .anythingNew: State(newest: product.id)
    }
  }

  /// Takes note of a page, and answers the products that are to be told, the newest first.
  ///
  /// A price in another currency, one that cannot be read and a product that is gone change nothing.
  /// Of a market that has another id than before, nothing is known: it is looked at for the first time.
  package mutating func take(_ observation: AlertObservation) -> [Product] {
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

  /// Whether the condition holds; nil where nobody can say.
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

  /// Whether a product is to be told, which then is known.
  ///
  /// One that was not there before costs less at once, but is not back in stock.
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

  /// Goes on with the round, unless another program has gone on with it from the same place.
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
  /// Whether it is known of a market that had another id.
  package func isKnown(ofOtherThan id: MarketID?) -> Bool {
    guard let marketID, let id else { return false }
    return marketID != id
  }
}
