package import MarketModel
package import SafeTextKit

/// Tab of the list of personal data.
package nonisolated enum PersonalTab: Hashable, CaseIterable, Sendable {
  case favorites, searches, alerts, viewed
}

/// Heading of a section in the list of personal data.
package nonisolated enum PersonalHeading: Hashable, Sendable {
  case sellers, triggered, waiting, today, yesterday, earlier
}

/// Row of the list of personal data; favorites are read from the store as they are shown.
///
/// What other rows hold is boxed, so that 100,000 favorites cost 16 bytes each.
package nonisolated enum PersonalLine: Hashable, Identifiable, Sendable {
  case product(FavoriteID)
  case seller(FavoriteID)
  indirect case search(SavedSearch)
  indirect case triggered(TriggeredAlert)
  indirect case alert(Alert)
  indirect case viewed(ViewedProduct)

  /// Identity of a row, independent of its content.
  package enum ID: Hashable, Sendable {
    case favorite(FavoriteID)
    case search(String)
    case triggered(TriggeredAlert.ID)
    case alert(Alert.ID)
    case viewed(ViewedProduct.ID)
  }

  package var id: ID {
    switch self {
    case .product(let id), .seller(let id): .favorite(id)
    case .search(let search): .search(search.name)
    case .triggered(let triggered): .triggered(triggered.id)
    case .alert(let alert): .alert(alert.id)
    case .viewed(let product): .viewed(product.id)
    }
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
