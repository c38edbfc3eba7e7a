package import MarketModel
package import SafeText

/// Something in the list of what a person keeps.
package nonisolated enum KeptItem: Hashable, Sendable {
  case product(KeptProduct)
  case seller(KeptSeller)
  case search(SavedSearch)
  case hit(WaitHit)

  /// What it is, however it looks by now.
  package enum Identity: Hashable, Sendable {
    case key(KeptKey)
    case search(String)
    case hit(WaitHit.ID)
  }

  package var identity: Identity {
    switch self {
    case .product(let product): .key(product.key)
    case .seller(let seller): .key(seller.key)
    case .search(let search): .search(search.name)
    case .hit(let hit): .hit(hit.id)
    }
  }

  /// By what notes are written to it; nil for searches and hits, which have none.
  package var key: KeptKey? {
    if case .key(let key) = identity { key } else { nil }
  }

  package var market: KeptMarket? {
    switch self {
    case .product(let product): product.market
    case .seller(let seller): seller.market
    case .hit(let hit): KeptMarket(key: hit.market, name: hit.place, place: hit.place)
    case .search: nil
    }
  }

  package var note: String {
    switch self {
    case .product(let product): product.note
    case .seller(let seller): seller.note
    case .search, .hit: ""
    }
  }
}

/// Lines of the list of what is kept, by their numbers: what has come of what is waited for, products,
/// sellers and searches, each under a heading; products that stand first have none.
package nonisolated struct KeptLines: Hashable, Sendable {
  package enum Part: Hashable, Sendable {
    case hits, products, sellers, searches
  }

  package enum Line: Hashable, Sendable {
    case heading(Part)
    case product(KeptID)
    case seller(KeptID)
    case search(SavedSearch)
    case hit(WaitHit)

    var isHeading: Bool { if case .heading = self { true } else { false } }
  }

  package let list: KeptList
  package let searches: [SavedSearch]
  package private(set) var hits: [WaitHit]

  /// Parts with the number of their lines, from the top down; without those that have none.
  private var parts: [(part: Part, lines: Int, hasHeading: Bool)] {
    [
      (Part.hits, hits.count, true), (.products, list.products.count, !hits.isEmpty),
      (.sellers, list.sellers.count, true), (.searches, searches.count, true),
    ]
    .filter { $0.1 > 0 }.map { ($0, $1 + ($2 ? 1 : 0), $2) }
  }

  package init(_ list: KeptList, _ searches: [SavedSearch], _ hits: [WaitHit] = []) {
    self.list = list
    self.searches = searches
    self.hits = hits
  }

  /// Lines with headings.
  package var count: Int { parts.map(\.lines).reduce(0, +) }

  /// What is kept.
  package var itemCount: Int { list.products.count + list.sellers.count + searches.count }

  package var isEmpty: Bool { count == 0 }

  mutating func forget(_ hit: WaitHit.ID) { hits.removeAll { $0.id == hit } }

  /// The line at a place; nil past the end.
  package subscript(index: Int) -> Line? {
    var index = index
    guard index >= 0 else { return nil }
    for (part, lines, hasHeading) in parts {
      if index < lines {
        guard hasHeading else { return line(index, of: part) }
        return index == 0 ? .heading(part) : line(index - 1, of: part)
      }
      index -= lines
    }
    return nil
  }

  private func line(_ index: Int, of part: Part) -> Line {
    switch part {
    case .hits: .hit(hits[index])
    case .products: .product(list.products[index])
    case .sellers: .seller(list.sellers[index])
    case .searches: .search(searches[index])
    }
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

  /// What one pays for it; nil where nobody can read that.
  var price: Money? { kept.product.pricing.price?.toPay }

  /// All that is known of it, as a detail shows it; without a text where that is not known.
  var detail: ProductDetail {
    ProductDetail(
      product: listed.product, description: kept.description ?? "",
      pictures: [listed.product.thumbnail].compactMap(\.self), version: nil)
  }
}

extension WaitHit {
  /// Whether all of these words are in its texts.
  nonisolated func has(_ words: [String]) -> Bool {
    [name, waitName].have(words)
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
