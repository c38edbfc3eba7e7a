/// Wait of a person for something in a market: what is looked at, and when it is told.
package struct Wait: Hashable, Sendable, Identifiable {
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
    /// Something costs less than this.
    case below(Money)
    case backInStock
    /// Products come that were not there before.
    case anythingNew
  }

  /// What was known when one looked last, so that everything is told once.
  package struct State: Hashable, Sendable {
    /// Whether the condition held: it is told again only after it did not.
    package var isMet: Bool
    /// The highest number that was there; nil before anybody looked.
    package var newest: Product.ID?
    /// Whether the condition held for each product of a seller or a search; known where a look is
    /// noted, empty elsewhere.
    package var products: [Product.ID: Bool] = [:]

    /// Products of one seller or search that are remembered.
    package static let mostProducts = 300

    package init(isMet: Bool = false, newest: Product.ID? = nil) {
      self.isMet = isMet
      self.newest = newest
    }
  }

  package var id: ID
  package var market: MarketKey
  /// Path or address of the market, for programs that have not opened it; nil for the local one.
  package var place: String?
  package var subject: Subject
  /// What a person calls the subject: a product's, a seller's or a search's name; foreign text.
  package var name: String
  package var condition: Condition
  package var state: State

  package init(
    id: ID = ID(rawValue: 0), market: MarketKey, place: String? = nil, subject: Subject,
    name: String, condition: Condition, state: State = State()
  ) {
    self.id = id
    self.market = market
    self.place = place
    self.subject = subject
    self.name = name
    self.condition = condition
    self.state = state
  }
}

/// What a market said about the subject of a wait.
package struct WaitObservation: Hashable, Sendable {
  package var wait: Wait.ID
  /// The product, or the first ones of a seller or a search: the cheapest where a price is waited
  /// for, else the newest.
  package var products: [Product]

  package init(_ wait: Wait.ID, _ products: [Product]) {
    self.wait = wait
    self.products = products
  }
}

/// Something that a person waited for and that has come.
package struct WaitHit: Hashable, Sendable, Identifiable {
  package struct ID: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) {
      self.rawValue = rawValue
    }
  }

  package var id: ID
  package var market: MarketKey
  /// Path or address of the market; nil for the local one.
  package var place: String?
  package var condition: Wait.Condition
  /// What the wait was for, by its name.
  package var waitName: String
  package var product: Product.ID
  /// The product's name as it was then; foreign text.
  package var name: String
  /// The price to pay as it was then; nil where it could not be read.
  package var price: Money?
  package var isSeen: Bool

  package init(
    id: ID = ID(rawValue: 0), market: MarketKey, place: String? = nil, condition: Wait.Condition,
    waitName: String, product: Product.ID, name: String, price: Money?, isSeen: Bool = false
  ) {
    self.id = id
    self.market = market
    self.place = place
    self.condition = condition
    self.waitName = waitName
    self.product = product
    self.name = name
    self.price = price
    self.isSeen = isSeen
  }

  /// What a wait tells of a product.
  package init(of wait: Wait, _ product: Product) {
    self.init(
      market: wait.market, place: wait.place, condition: wait.condition, waitName: wait.name,
      product: product.id, name: product.name, price: product.pricing.price?.toPay)
  }
}

// MARK: Deciding

extension Wait {
  /// What a wait for one product begins with: what is there already is nothing to wait for.
  package static func beginning(_ condition: Condition, with product: Product) -> State {
    switch condition {
    case .backInStock: State(isMet: !product.isSoldOut)
    // A price that is low enough already is good news.
    case .below: State(isMet: false)
    case .anythingNew: State(newest: product.id)
    }
  }

  /// The products that are to be told after one looked again, the newest first, and the state after
  /// that.
  ///
  /// A price in another currency, one that cannot be read and a product that is gone change nothing.
  package func looking(at products: [Product]) -> (state: State, news: [Product]) {
    switch condition {
    case .below(let limit):
      return watching(products) { product in
        guard let price = product.pricing.price?.toPay, price.currency == limit.currency else {
          return nil
        }
        return price.hundredths < limit.hundredths
      }
    case .backInStock: return watching(products) { !$0.isSoldOut }
    case .anythingNew: return comparing(products)
    }
  }

  /// Tells products when a condition begins to hold; `holds` is nil where nobody can say.
  private func watching(
    _ products: [Product], _ holds: (Product) -> Bool?
  ) -> (state: State, news: [Product]) {
    guard case .product(let id) = subject else { return watchingEach(products, holds) }
    guard let product = products.first(where: { $0.id == id }), let isMet = holds(product)
    else { return (state, []) }
    var next = state
    next.isMet = isMet
    return (next, isMet && !state.isMet ? [product] : [])
  }

  /// Tells each product of a seller or a search for which a condition begins to hold; the first look
  /// tells nothing.
  ///
  /// A product that was not there before costs less at once, but is not back in stock.
  private func watchingEach(
    _ products: [Product], _ holds: (Product) -> Bool?
  ) -> (state: State, news: [Product]) {
    var (next, news) = (state, [Product]())
    next.newest = ([state.newest ?? Product.ID(rawValue: 0)] + products.map(\.id)).max()
    for product in products {
      guard let isMet = holds(product) else { continue }
      let before = state.products[product.id] ?? (condition == .backInStock)
      if isMet, !before, state.newest != nil { news.append(product) }
      next.products[product.id] = isMet
    }
    next.forget(but: Set(products.map(\.id)))
    return (next, news.sorted { $0.id > $1.id })
  }

  /// Tells what has a higher number than all that was there before; the first look tells nothing.
  private func comparing(_ products: [Product]) -> (state: State, news: [Product]) {
    var next = state
    let highest = products.map(\.id).max()
    guard let newest = state.newest else {
      next.newest = highest ?? Product.ID(rawValue: 0)
      return (next, [])
    }
    let news = products.filter { $0.id > newest }.sorted { $0.id > $1.id }
    next.newest = max(newest, highest ?? newest)
    return (next, news)
  }
}

extension Wait.State {
  /// Forgets the oldest of too many products, never one that was there just now.
  fileprivate mutating func forget(but present: Set<Product.ID>) {
    let surplus = products.count - Self.mostProducts
    guard surplus > 0 else { return }
    let absent = products.keys.filter { !present.contains($0) }.sorted()
    for id in absent.prefix(surplus) { products[id] = nil }
  }
}
