package import MarketModel

/// The place in which the program was left: a market, and where one stood in it.
package nonisolated struct SessionState: Hashable, Sendable {
  package var market: MarketLocation
  /// The market's name; nil for the local one.
  package var name: String?
  package var navigationState: NavigationState
  /// Which pictures of products of other markets were shown last.
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

/// Where one stands in a market: what it shows, what is selected and what is open, to come back to.
package nonisolated struct NavigationState: Hashable, Sendable {
  /// Seller whose page is shown.
  package struct SellerPage: Hashable, Sendable {
    package var seller: Seller.ID
    package var name: String
    /// The product that led there.
    package var product: Product.ID
    /// Where the visit leads back to; nil is all products.
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

  /// Place in a list of products, as what to ask for.
  package struct ListState: Hashable, Sendable {
    /// What is searched for, as it was said.
    package var request: SearchRequest
    /// The sellers of the query: what the names in the request have become.
    package var sellers: [Seller.ID]
    /// The selected row, and the product in it; nil where that was not read.
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

  /// Where one stands in the list.
  package var list: ListState {
    get { ListState(request: request, sellers: sellers, row: row, product: product) }
    set {
      (request, sellers, row, product) = (
        newValue.request, newValue.sellers, newValue.row, newValue.product
      )
    }
  }

  /// What is searched for, as it was said.
  package var request = SearchRequest()
  /// The sellers of the query: what the names in the request have become.
  package var sellers: [Seller.ID] = []
  /// Whether the own products are shown alone.
  package var isMine = false
  /// Nil where nothing has to be said of it.
  package var arrangement: BrowserModel.Arrangement?
  /// The selected row, and the product in it; nil where that was not read.
  package var row = 0
  package var product: Product.ID?
  /// The product whose detail is open.
  package var opened: Product.ID?
  package var sellerPage: SellerPage?
  /// Which picture of a product was shown last, the latest at the end.
  package var pictures: [ShownPicture] = []

  package init() {}
}

/// Picture of a product that was shown last.
package nonisolated struct ShownPicture: Hashable, Sendable {
  package var product: Product.ID
  package var index: Int

  package init(product: Product.ID, index: Int) {
    self.product = product
    self.index = index
  }
}

/// The port to what keeps the place between runs.
package nonisolated protocol SessionStateStore: Sendable {
  /// Keeps a place instead of the one that was kept before.
  func keep(_ state: SessionState) async
}
