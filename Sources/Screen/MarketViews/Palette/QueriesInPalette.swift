internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit

/// Palette entries of the orders.
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

/// Palette entries that set or remove the filters.
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

/// Palette entries that open the markets.
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

/// Palette entries that repeat the saved searches.
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

/// Palette entries that open the settings' rows.
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

/// Palette entries of tasks that only the command line can do.
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

/// Palette entries of the loaded products' sellers, which show all their products.
enum SellersInPalette: PaletteSource {
  static let guestPermission: GuestPermission? = .looking
  /// Maximum number of sellers.
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
  /// Reason why a market cannot do something; nil where it can.
  fileprivate func obstacle(
    _ obstacle: Phrase, unless can: (RepositoryCapabilities) -> Bool
  ) -> Phrase? {
    guard let capabilities else { return .hintNoAnswerYet }
    return can(capabilities) ? nil : obstacle
  }
}

extension Navigator {
  /// Closes the layers above the list and shows another query.
  fileprivate func showList(_ change: (inout ProductQuery) -> Void) {
    closeToList()
    var query = browser.feed.query
    change(&query)
    browser.show(query)
  }

  /// Closes the layers above the list.
  fileprivate func closeToList() {
    if stack.layers.count > 1 { stack.close(stack.layers[1]) }
  }
}
