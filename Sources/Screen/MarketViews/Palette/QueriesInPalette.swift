internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit

/// The orders, each by its name.
enum OrdersInPalette: PaletteSource {
  static let guestPermission: GuestPermission? = .looking

  static func entries(in frame: Frame, obstacle: Phrase?) -> [PaletteEntry] {
    let browser = frame.navigator.browser
    return ProductOrder.allCases.map { order in
      entry(
        "order.\(order)", .paletteOrder, { $0[order.phrase] },
        obstacle: obstacle
          ?? browser.obstacle(.paletteNoOrder) { $0.orders.contains(order) },
        in: frame
      ) { frame.navigator.showList { $0.order = order } }
    }
  }
}

/// The filters, each to be set or taken away.
enum FiltersInPalette: PaletteSource {
  static let guestPermission: GuestPermission? = .looking

  static func entries(in frame: Frame, obstacle: Phrase?) -> [PaletteEntry] {
    let browser = frame.navigator.browser
    return ProductFilter.allCases.map { filter in
      let isSet = browser.feed.query.filters.contains(filter)
      return entry(
        "filter.\(filter)", isSet ? .paletteUnfilter : .paletteFilter, { $0[filter.phrase] },
        obstacle: obstacle
          ?? browser.obstacle(.paletteNoFilter) { $0.filters.contains(filter) },
        in: frame
      ) { frame.navigator.showList { $0.filters.toggle(filter) } }
    }
  }
}

/// The markets, each to go to.
enum MarketsInPalette: PaletteSource {
  static func entries(in frame: Frame, obstacle: Phrase?) -> [PaletteEntry] {
    guard let markets = frame.navigator.markets, markets.areMany else { return [] }
    return markets.all.map { market in
      entry(
        "market." + market.key.rawValue, .paletteMarket,
        { market.name ?? $0[.marketLocal] },
        obstacle: market.key == frame.navigator.market ? .paletteThisMarket : obstacle, in: frame
      ) {
        Task.immediate { _ = await frame.navigator.goTo(market) }
      }
    }
  }
}

/// The searches that have a name, each to be asked again.
enum SearchesInPalette: PaletteSource {
  static let guestPermission: GuestPermission? = .withKey

  static func entries(in frame: Frame, obstacle: Phrase?) -> [PaletteEntry] {
    let navigator = frame.navigator
    let searches = navigator.stack.first(PaletteModel.self)?.savedSearches ?? []
    return searches.map { search in
      entry(
        "search." + search.name, .paletteSearch, { _ in SafeText(search.name) },
        obstacle: obstacle, in: frame
      ) {
        navigator.closeToList()
        navigator.follow(SearchRequest(reading: search.text))
      }
    }
  }
}

/// What may be set, each to be changed in its row of the settings.
enum SettingsInPalette: PaletteSource {
  static func entries(in frame: Frame, obstacle: Phrase?) -> [PaletteEntry] {
    let navigator = frame.navigator
    let settings = navigator.stack.first(PaletteModel.self)?.settings ?? []
    return settings.map { row in
      PaletteEntry(
        name: "setting." + row.name,
        words: frame.context.strings(.paletteSetting, row.label),
        otherNames: [row.name.replacing("-", with: " "), row.summary.string],
        obstacle: obstacle.map { frame.context.strings[$0] }
      ) { SettingsModel.open(on: navigator, at: row.path) }
    }
  }
}

/// What only the command line does.
enum ShellInPalette: PaletteSource {
  static func entries(in frame: Frame, obstacle: Phrase?) -> [PaletteEntry] {
    let commands: [(String, Phrase, SafeText)] = [
      ("shell.export", .paletteExport, "market data export"),
      ("shell.import", .paletteImport, "market data import"),
    ]
    return commands.map { name, phrase, command in
      PaletteEntry(
        name: name, words: frame.context.strings[phrase],
        otherNames: [frame.context.otherStrings[phrase].string],
        obstacle: frame.context.strings(.paletteInShell, command)
      ) {}
    }
  }
}

/// The sellers of the products that were loaded, each with all that is for sale from them.
enum SellersInPalette: PaletteSource {
  static let guestPermission: GuestPermission? = .looking
  private static let most = 100

  static func entries(in frame: Frame, obstacle: Phrase?) -> [PaletteEntry] {
    let browser = frame.navigator.browser
    let obstacle =
      obstacle ?? browser.obstacle(.paletteNoSeller) { $0.parts.contains(.seller) }
    var known: Set<Seller.ID> = [Seller.guest.id]
    var sellers: [Seller] = []
    for product in browser.feed.head where known.insert(product.product.seller.id).inserted {
      sellers.append(product.product.seller)
      if sellers.count == most { break }
    }
    return sellers.map { seller in
      entry(
        "seller.\(seller.id.rawValue)", .paletteSeller, { _ in SafeText(seller.name) },
        obstacle: obstacle, in: frame
      ) { frame.navigator.showList { $0.sellers = [seller.id] } }
    }
  }
}

extension BrowserModel {
  /// What keeps a market from doing something; nil where nothing does.
  fileprivate func obstacle(
    _ obstacle: Phrase, unless can: (RepositoryCapabilities) -> Bool
  ) -> Phrase? {
    guard let capabilities else { return .hintNoAnswerYet }
    return can(capabilities) ? nil : obstacle
  }
}

extension Navigator {
  /// Shows the list with another query, in place of what lies over it.
  fileprivate func showList(_ change: (inout ProductQuery) -> Void) {
    closeToList()
    var query = browser.feed.query
    change(&query)
    browser.show(query)
  }

  /// Closes what lies over the list.
  fileprivate func closeToList() {
    if stack.layers.count > 1 { stack.close(stack.layers[1]) }
  }
}
