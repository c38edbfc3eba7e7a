package import MarketModel
package import SafeText

/// Something in the list of what a person keeps.
package nonisolated enum KeptItem: Hashable, Sendable {
  case product(KeptProduct)
  case seller(KeptSeller)
  case search(SavedSearch)

  /// What it is, however it looks by now.
  package enum Identity: Hashable, Sendable {
    case key(KeptKey)
    case search(String)
  }

  package var identity: Identity {
    switch self {
    case .product(let product): .key(product.key)
    case .seller(let seller): .key(seller.key)
    case .search(let search): .search(search.name)
    }
  }

  /// By what notes are written to it; nil for searches, which have none.
  package var key: KeptKey? {
    if case .key(let key) = identity { key } else { nil }
  }

  package var market: KeptMarket? {
    switch self {
    case .product(let product): product.market
    case .seller(let seller): seller.market
    case .search: nil
    }
  }

  package var note: String {
    switch self {
    case .product(let product): product.note
    case .seller(let seller): seller.note
    case .search: ""
    }
  }
}

/// Lines of the list of what is kept, by their numbers: products, then sellers and searches, each of
/// these under a heading.
package nonisolated struct KeptLines: Hashable, Sendable {
  package enum Part: Hashable, Sendable {
    case sellers, searches
  }

  package enum Line: Hashable, Sendable {
    case heading(Part)
    case product(KeptID)
    case seller(KeptID)
    case search(SavedSearch)

    var isHeading: Bool { if case .heading = self { true } else { false } }
  }

  package let list: KeptList
  package let searches: [SavedSearch]

  package init(_ list: KeptList, _ searches: [SavedSearch]) {
    self.list = list
    self.searches = searches
  }

  /// Lines with headings.
  package var count: Int {
    list.products.count + Self.lines(list.sellers.count) + Self.lines(searches.count)
  }

  /// Lines without headings.
  package var itemCount: Int { list.products.count + list.sellers.count + searches.count }

  package var isEmpty: Bool { count == 0 }

  private static func lines(_ count: Int) -> Int { count == 0 ? 0 : count + 1 }

  /// The line at a place; nil past the end.
  package subscript(index: Int) -> Line? {
    var index = index
    guard index >= 0 else { return nil }
    if index < list.products.count { return .product(list.products[index]) }
    index -= list.products.count
    if index < Self.lines(list.sellers.count) {
      return index == 0 ? .heading(.sellers) : .seller(list.sellers[index - 1])
    }
    index -= Self.lines(list.sellers.count)
    guard index < Self.lines(searches.count) else { return nil }
    return index == 0 ? .heading(.searches) : .search(searches[index - 1])
  }

  /// The nearest line that is none of the headings, in the direction of a move first.
  func nearestItem(to index: Int, goingDown: Bool) -> Int {
    let index = index.clamped(to: 0...max(0, count - 1))
    guard self[index]?.isHeading == true else { return index }
    let next = index + (goingDown ? 1 : -1)
    return self[next].map { !$0.isHeading } == true ? next : index + (goingDown ? -1 : 1)
  }
}

/// A kept product with its foreign texts made drawable once, when it was read.
package struct KeptRow: Hashable, Sendable {
  package let kept: KeptProduct
  /// With the kept picture in the place of the market's.
  package let listed: ListedProduct
  package let paragraphs: [SafeText]
  package let note: SafeText

  init(_ kept: KeptProduct) {
    self.kept = kept
    var product = kept.product
    product.thumbnail = kept.hasPicture ? KeptPicture.picture(of: kept.id) : nil
    listed = ListedProduct(product)
    paragraphs = SafeText.lines(kept.description ?? "")
    note = SafeText(kept.note)
  }

  /// All that is known of it, as a detail shows it; without a text where that is not known.
  var detail: ProductDetail {
    ProductDetail(
      product: listed.product, description: kept.description ?? "",
      pictures: [listed.product.thumbnail].compactMap(\.self), version: nil)
  }
}
