package import MarketModel

/// Market and position in which the program was left.
package nonisolated struct SessionState: Hashable, Sendable {
  package var market: MarketLocation
  /// The market's name; nil for the local market.
  package var name: String?
  package var navigationState: NavigationState
  /// Last shown pictures of products of each market, the latest at the end.
  package var turned: [MarketKey: [ShownPicture]] = [:]

  package init(
    market: MarketLocation, name: String? = nil,
    navigationState: NavigationState = NavigationState()
  ) {
    self.market = market
    self.name = name
    self.navigationState = navigationState
  }
}

/// Position in one market: query, selection and open layers.
package nonisolated struct NavigationState: Hashable, Sendable {
  /// Seller whose page is shown.
  package struct SellerPage: Hashable, Sendable {
    package var seller: Seller.ID
    package var name: String
    /// The product from which the page was opened.
    package var product: Product.ID
    /// List to which the page leads back; nil for all products.
    package var before: ListState?

    package init(
      seller: Seller.ID, name: String, product: Product.ID, before: ListState? = nil
    ) {
      self.seller = seller
      self.name = name
      self.product = product
      self.before = before
    }
  }

  /// Query and selected row of a list.
  package struct ListState: Hashable, Sendable {
    /// The search as the user typed it.
    package var request: SearchRequest
    /// Sellers of the query, to which the names in the request were resolved.
    package var sellers: [Seller.ID]
    /// The selected row, from 0, and its product; nil if the row was not loaded.
    package var row: Int
    package var product: Product.ID?

    package init(
      request: SearchRequest = SearchRequest(), sellers: [Seller.ID] = [], row: Int = 0,
      product: Product.ID? = nil
    ) {
      self.request = request
      self.sellers = sellers
      self.row = row
      self.product = product
    }
  }

  package var list: ListState {
    get { ListState(request: request, sellers: sellers, row: row, product: product) }
    set {
      (request, sellers, row, product) = (
        newValue.request, newValue.sellers, newValue.row, newValue.product
      )
    }
  }

  /// The search as the user typed it.
  package var request = SearchRequest()
  /// Sellers of the query, to which the names in the request were resolved.
  package var sellers: [Seller.ID] = []
  /// Whether the list shows only own products.
  package var isMine = false
  /// The selected row, from 0, and its product; nil if the row was not loaded.
  package var row = 0
  package var product: Product.ID?
  /// The product whose detail is open; nil if none is.
  package var opened: Product.ID?
  package var sellerPage: SellerPage?

  package init() {}
}

/// Last shown picture of a product, by its index from 0.
package nonisolated struct ShownPicture: Hashable, Sendable {
  package var product: Product.ID
  package var index: Int

  package init(product: Product.ID, index: Int) {
    self.product = product
    self.index = index
  }
}

/// Port that saves the position between runs.
package nonisolated protocol SessionStateStore: Sendable {
  /// Replaces the saved position.
  func keep(_ state: SessionState) async
}
