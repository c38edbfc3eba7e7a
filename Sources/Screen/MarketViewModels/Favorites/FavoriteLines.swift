package import MarketModel
package import SafeTextKit

/// Entry of the list of favorites: a product, seller, saved search or triggered alert.
package nonisolated enum FavoriteItem: Hashable, Sendable {
  case product(FavoriteProduct)
  case seller(FavoriteSeller)
  case search(SavedSearch)
  case triggered(TriggeredAlert)

  /// Identity of an entry, independent of its content.
  package enum Identity: Hashable, Sendable {
    case key(FavoriteKey)
    case search(String)
    case triggered(TriggeredAlert.ID)
  }

  package var identity: Identity {
    switch self {
    case .product(let product): .key(product.key)
    case .seller(let seller): .key(seller.key)
    case .search(let search): .search(search.name)
    case .triggered(let triggered): .triggered(triggered.id)
    }
  }

  /// Key under which its note is stored; nil for searches and alerts, which have none.
  package var key: FavoriteKey? {
    if case .key(let key) = identity { key } else { nil }
  }

  package var market: FavoriteMarket? {
    switch self {
    case .product(let product): product.market
    case .seller(let seller): seller.market
    case .triggered(let triggered):
      FavoriteMarket(key: triggered.market, name: triggered.location, location: triggered.location)
    case .search: nil
    }
  }

  package var name: SafeText {
    switch self {
    case .product(let product): SafeText(product.product.name)
    case .seller(let seller): SafeText(seller.seller.name)
    case .search(let search): SafeText(search.name)
    case .triggered(let triggered): SafeText(triggered.name)
    }
  }

  /// Target of an alert for the entry; nil for a search, whose alerts belong to the shown market.
  var alertTarget: AlertTarget? {
    guard let market else { return nil }
    switch self {
    case .product(let favorite):
      let product = favorite.product
      return AlertTarget(
        market: market.key, location: market.location, subject: .product(product.id),
        name: product.name, product: product)
    case .seller(let favorite):
      return AlertTarget(
        market: market.key, location: market.location, subject: .seller(favorite.seller.id),
        name: favorite.seller.name)
    case .triggered(let triggered):
      return AlertTarget(
        market: market.key, location: market.location, subject: .product(triggered.product),
        name: triggered.name)
    case .search: return nil
    }
  }

  package var note: String {
    switch self {
    case .product(let product): product.note
    case .seller(let seller): seller.note
    case .search, .triggered: ""
    }
  }
}

/// Line of the list of favorites, with the id of its content.
package nonisolated enum FavoriteLine: Hashable, Identifiable, Sendable {
  case triggered(TriggeredAlert)
  case product(FavoriteID)
  case seller(FavoriteID)
  case search(SavedSearch)

  package enum Part: Hashable, Sendable {
    case triggeredAlerts, products, sellers, searches
  }

  package enum ID: Hashable, Sendable {
    case triggered(TriggeredAlert.ID)
    case product(FavoriteID)
    case seller(FavoriteID)
    case search(String)
  }

  package var id: ID {
    switch self {
    case .triggered(let triggered): .triggered(triggered.id)
    case .product(let id): .product(id)
    case .seller(let id): .seller(id)
    case .search(let search): .search(search.name)
    }
  }

  /// Maximum number of alerts: 20, of which seen ones are shown only among the latest 5.
  private static let (maxAlerts, latestAlerts) = (20, 5)

  /// Reads the lines whose texts contain all `words`: triggered alerts, products, sellers and
  /// searches.
  static func sections(
    from store: any PersonalDataStore, with words: [String]
  ) async -> [ListSection<Part, FavoriteLine>] {
    let list = await store.favoriteList(of: words)
    let searches = await store.savedSearches().filter { $0.has(words) }
    let triggered = await store.triggeredAlerts(atMost: maxAlerts).enumerated()
      .filter { (index, triggered) in
        (triggered.condition != nil || triggered.event == .deleted)
          && (index < latestAlerts || !triggered.isSeen)
          && triggered.has(words)
      }
      .map { FavoriteLine.triggered($0.element) }
    return sections([
      ListSection(.triggeredAlerts, triggered),
      ListSection(.products, list.products.map(FavoriteLine.product)),
      ListSection(.sellers, list.sellers.map(FavoriteLine.seller)),
      ListSection(.searches, searches.map(FavoriteLine.search)),
    ])
  }

  /// Non-empty sections; products have no heading if they come first.
  static func sections(
    _ sections: [ListSection<Part, FavoriteLine>]
  ) -> [ListSection<Part, FavoriteLine>] {
    var full = sections.filter { !$0.items.isEmpty }
    if let first = full.first, first.heading == .products {
      full[0] = ListSection(first.items)
    }
    return full
  }
}

/// Favorite product, with its foreign texts made safe to draw once, when it was read.
package struct FavoriteRow: Hashable, Sendable {
  package let favorite: FavoriteProduct
  /// The product with its saved thumbnail in place of the market's.
  package let listed: ListedProduct
  package let paragraphs: [SafeText]
  package let note: SafeText

  init(_ favorite: FavoriteProduct) {
    self.favorite = favorite
    var product = favorite.product
    product.thumbnail = favorite.hasPicture ? FavoritePicture.picture(of: favorite.id) : nil
    listed = ListedProduct(product)
    paragraphs = SafeText.lines(favorite.description ?? "")
    note = SafeText(favorite.note)
  }

  /// Price to pay; nil if it cannot be read.
  var price: Money? { favorite.product.pricing.price?.toPay }

  /// Detail from the saved data; its description is empty if it is unknown.
  var detail: ProductDetail {
    ProductDetail(
      product: listed.product, description: favorite.description ?? "",
      pictures: [listed.product.thumbnail].compactMap(\.self), version: nil)
  }
}

extension TriggeredAlert {
  /// Whether its texts contain all `words`.
  nonisolated func has(_ words: [String]) -> Bool {
    [name, alertName].have(words)
  }
}

extension SavedSearch {
  /// Whether its texts contain all `words`.
  nonisolated func has(_ words: [String]) -> Bool {
    [name, text].have(words)
  }
}

extension [String] {
  /// Whether each of the words is in one of the texts.
  fileprivate nonisolated func have(_ words: [String]) -> Bool {
    let tokenizer = SearchTokenizer()
    return SearchedTexts(self, tokenizer).have(words: words.flatMap(tokenizer.wanted(by:)))
  }
}
