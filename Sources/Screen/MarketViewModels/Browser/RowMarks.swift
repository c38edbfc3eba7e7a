package import MarketModel

/// What is worth a mark at a product's row, beside its facts.
package struct RowMarks: Hashable, Sendable {
  /// What happened to it while one looked.
  package var news: LiveMarket.RowChange?
  /// Whether it was registered just now and stands on top for that.
  package var isJustRegistered = false
  /// Whether it is new in this visit.
  package var isNew = false
  /// The price to pay when it was last seen before this visit; nil where it was not.
  package var formerPrice: Money?

  /// Whether the person keeps it.
  package var isFavorite = false
  /// What became of it where that is not said otherwise.
  package var fate: Removal?

  package enum Removal: Hashable, Sendable {
    case gone(since: Timestamp)
    /// It is kept no more, and can be taken back.
    case removed
  }
  /// Whether it is marked to be changed together with others.
  package var isMarked = false

  package init() {}
}

/// What a market's rows are marked with, read once for all rows of a frame.
package struct RowMarking {
  fileprivate let live: LiveMarket.ChangeMarks
  fileprivate let newlyRegistered: Product.ID?
  fileprivate let favorites: Set<Product.ID>
  fileprivate let seenProducts: SeenState
  fileprivate let marked: Set<Product.ID>

  /// What a product's row is marked with.
  package func marks(of id: Product.ID) -> RowMarks {
    var marks = RowMarks()
    marks.news = live.news(of: id)
    marks.isJustRegistered = id == newlyRegistered
    marks.isFavorite = favorites.contains(id)
    marks.isNew = !marks.isJustRegistered && seenProducts.fresh.contains(id)
    marks.formerPrice = seenProducts.former(of: id)
    marks.isMarked = marked.contains(id)
    return marks
  }
}

extension BrowserModel {
  package var rowMarking: RowMarking {
    RowMarking(
      live: live.news, newlyRegistered: feed.newlyRegistered,
      favorites: favorites?.products ?? [],
      seenProducts: seenTracker.state, marked: Set(marked.products.lazy.map(\.id)))
  }
}
