package import MarketModel

/// Marks of a product's row.
package struct RowMarks: Hashable, Sendable {
  /// Live change of the product; nil if there is none.
  package var news: LiveMarket.RowChange?
  /// Whether the product was registered just now and is pinned at the top.
  package var isJustRegistered = false
  /// Whether the product is new since the last visit.
  package var isNew = false
  /// Price to pay before this visit, or when it was first seen; nil if it is unknown.
  package var previousPrice: Money?

  package var isFavorite = false
  /// Removal to be shown; nil for none.
  package var fate: Removal?

  /// Reason why a row in a list of saved products is marked as removed.
  package enum Removal: Hashable, Sendable {
    case gone(since: Timestamp)
    /// The product was removed from the favorites, which can be undone.
    case removed
  }
  /// Whether the product is selected for a bulk edit.
  package var isMarked = false
  /// Whether it is to be shown beside the next product.
  package var isRemembered = false

  package init() {}
}

/// Marks of all rows of a market, read once for each frame.
package struct RowMarking {
  fileprivate let live: LiveMarket.ChangeMarks
  fileprivate let newlyRegistered: Product.ID?
  fileprivate let favorites: Set<Product.ID>
  fileprivate let seenProducts: SeenState
  fileprivate let marked: Set<Product.ID>
  fileprivate let remembered: Product.ID?

  package func marks(of id: Product.ID) -> RowMarks {
    var marks = RowMarks()
    marks.news = live.news(of: id)
    marks.isJustRegistered = id == newlyRegistered
    marks.isFavorite = favorites.contains(id)
    marks.isNew = !marks.isJustRegistered && seenProducts.fresh.contains(id)
    marks.previousPrice = seenProducts.previousPrice(of: id)
    marks.isMarked = marked.contains(id)
    marks.isRemembered = id == remembered
    return marks
  }
}

extension BrowserModel {
  package var rowMarking: RowMarking {
    RowMarking(
      live: live.news, newlyRegistered: feed.newlyRegistered,
      favorites: favorites?.products ?? [],
      seenProducts: seenTracker.state, marked: Set(marked.products.lazy.map(\.id)),
      remembered: remembered)
  }
}
