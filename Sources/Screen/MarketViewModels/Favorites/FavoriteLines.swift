package import MarketModel
package import SafeTextKit

/// Something in the list of what a person keeps.
package nonisolated enum FavoriteItem: Hashable, Sendable {
  case product(FavoriteProduct)
  case seller(FavoriteSeller)
  case search(SavedSearch)
  case triggered(TriggeredAlert)

  /// What it is, however it looks by now.
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

  /// By what notes are written to it; nil for searches and hits, which have none.
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

  /// What one waits for with an alert for it; nil for a search, which is of the market that is shown.
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

/// Line of the list of what is kept.
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

  /// What has come is shown where nobody has looked at it, and the latest of it always.
  private static let (maxAlerts, latestAlerts) = (20, 5)

  /// Reads what has all of these words in its texts: what has come of what is waited for, products,
  /// sellers and searches.
  static func sections(
    from store: any PersonalDataStore, with words: [String]
  ) async -> [ListSection<Part, FavoriteLine>] {
    let list = await store.favoriteList(of: words)
    let searches = await store.savedSearches().filter { $0.has(words) }
    let triggered = await store.triggeredAlerts(atMost: maxAlerts).enumerated()
      .filter { (index, triggered) in
        triggered.condition != nil && (index < latestAlerts || !triggered.isSeen)
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

  /// Sections that have items, without a heading over products that stand first.
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

/// A kept product with its foreign texts made drawable once, when it was read.
package struct FavoriteRow: Hashable, Sendable {
  package let favorite: FavoriteProduct
  /// With the kept picture in the place of the market's.
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

  /// What one pays for it; nil where nobody can read that.
  var price: Money? { favorite.product.pricing.price?.toPay }

  /// All that is known of it, as a detail shows it; without a text where that is not known.
  var detail: ProductDetail {
    ProductDetail(
      product: listed.product, description: favorite.description ?? "",
      pictures: [listed.product.thumbnail].compactMap(\.self), version: nil)
  }
}

extension TriggeredAlert {
  /// Whether all of these words are in its texts.
  nonisolated func has(_ words: [String]) -> Bool {
    [name, alertName].have(words)
  }
}

extension SavedSearch {
  /// Whether all of these words are in its texts.
  nonisolated func has(_ words: [String]) -> Bool {
    [name, text].have(words)
  }
}

extension [String] {
  /// Whether each of these words is in one of the texts.
  fileprivate nonisolated func have(_ words: [String]) -> Bool {
    let tokenizer = SearchTokenizer()
    return SearchedTexts(self, tokenizer).have(words: words.flatMap(tokenizer.wanted(by:)))
  }
}
