internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import TerminalKit

/// Key table of the product list, group by group.
///
/// The keys of a separate feature are a group in their own file, with a line in `groups`.
enum BrowserKeys {
  static var rows: [Binding<BrowserView>] { groups.flatMap(\.self) }

  private static let groups: [[Binding<BrowserView>]] = [
    SharedBindings.sellingAgain(),
    drafts,
    BulkEditKeys.rows,
    opening,
    showing,
    SharedBindings.markets(footer: 5) { !$0.isReached },
    reading,
    leaving,
    choosing,
    SharedBindings.favorites(when: \.isAmongProducts),
    [SharedBindings.history()],
    SharedBindings.alerts(when: \.hasChosen),
    SharedBindings.selling(
      register: 32, edit: 70, delete: 75, changing: \.isAmongProducts, mine: 45),
    [SharedBindings.reporting(when: \.hasChosen)],
    SharedBindings.seeing(when: \.isAmongProducts),
    moving,
    sizing,
    SharedBindings.turningPictures(previous: 22, next: 24, when: \.isBesideDetail),
    scrolling,
    SharedBindings.paging { $0.move($1, times: $2) },
    SharedBindings.general(),
    [SharedBindings.settings(), SharedBindings.quit(["q", .control("c")], footer: 91)],
  ]

  /// Keys on the questions and drafts above the products.
  private static let drafts: [Binding<BrowserView>] = [
    Binding("open", [.enter], .keyOpen, footer: 10, when: \.isOnQuestion) {
      $0.navigator.openQuestion()
    },
    Binding("answer-question", ["a"], .keyAnswer, footer: 12, when: \.isOnQuestion) {
      $0.navigator.openQuestion(toAnswer: true)
    },
    Binding("open", [.enter, "e"], .keyOpen, footer: 10, when: \.isOnDraft) {
      $0.navigator.selling?.openDraft()
    },
    Binding(
      "remove-draft", [.delete, "D"], .keyRemoveDraft, footer: 15, isDestructive: true,
      when: \.isOnDraft
    ) { $0.navigator.selling?.removeDraft() }.needing(.paletteOnDraft),
    SharedBindings.keepingTemplates(when: \.isOnDraft) {
      $0.navigator.selling?.keepDraftAsTemplate()
    },
  ]

  private static let opening: [Binding<BrowserView>] = [
    Binding("open", [.enter], .keyShowWider, footer: 10, when: \.hasWiderQueries) {
      $0.model.showWider()
    }.grouped(.product),
    Binding("open", [.enter], .keyOpen, footer: 10, offered: \.hasSelection) {
      $0.navigator.openDetail()
    }.grouped(.product).needing(.paletteNoProduct),
    Binding("search", ["/"], .keySearch, footer: 30) {
      SearchModel.open(on: $0.navigator, in: $0.context.strings.language.ofSearch)
    }.hinted(when: \.offersQueries),
    Binding("order", ["o"], .keyOrder, footer: 40, offered: \.offersOrders) {
      $0.navigator.openOrders()
    }.needing(.paletteNoProduct),
    Binding("filter", ["f"], .keyFilter) {
      FilterModel.open(on: $0.navigator)
    }.hinted(when: \.offersQueries),
    Binding("remove-filter", [.backspace], .keyTakeFilterAway, when: \.model.showsLess) {
      $0.takeLastPartAway()
    }.needing(.paletteNoFilterSet),
  ]

  private static let showing: [Binding<BrowserView>] = [
    Binding("show-new", ["."], .keyShowNew, footer: 5, offered: \.hasPendingProducts) {
      $0.model.takeNewcomers()
    }.grouped(.view).needing(.paletteNothingNew),
    Binding(
      "toggle-view", ["v"], .keyShowList, footer: 50, when: \.isGrid
    ) {
      $0.model.toggleArrangement()
    }.grouped(.view).hinted(when: \.hasRows),
    Binding(
      "toggle-view", ["v"], .keyShowGrid, footer: 50, when: \.hasArrangements
    ) {
      $0.model.toggleArrangement()
    }.grouped(.view).hinted(when: \.hasRows),
    Binding(
      "refresh", ["r", .control("r"), .function(5)], .keyRefresh
    ) {
      $0.navigator.refresh()
    }.hinted(when: \.isReached),
  ]

  /// Keys while the market is scanned page by page, or is unreachable.
  private static let reading: [Binding<BrowserView>] = [
    Binding("stop-scan", [.escape], .keyStopScan, footer: 5, when: \.model.feed.isScanning) {
      $0.model.list.stopScan()
    },
    Binding("continue-scan", ["R"], .keyResumeScan, footer: 5, when: \.hasStopped) {
      $0.model.list.resume()
    },
    SharedBindings.retry(["R"], footer: 0) {
      !$0.isOnDraftList && ($0.model.feed.failure != nil || $0.model.reconnection.isNeeded)
    },
  ]

  /// Keys that leave a view; after a count they only clear it.
  private static let leaving: [Binding<BrowserView>] = [
    SharedBindings.back(
      [.escape], footer: 20, when: \.navigator.canLeaveSeller, offered: \.model.showsLess
    ) { view, count in
      if count == nil { view.navigator.leaveSeller() }
    },
    SharedBindings.back([.escape], .keyShowAll, footer: 20, offered: \.model.showsLess) {
      view, count in
      if count == nil { view.model.showAll() }
    }.needing(.paletteNoFilterSet),
  ]

  /// Keys for the selected product.
  private static let choosing: [Binding<BrowserView>] =
    SharedBindings.copying(when: \.isAmongProducts, offered: \.hasSelection)
    + SharedBindings.sideBySide(when: \.hasChosen) + [
      SharedBindings.actions(when: \.hasChosen),
      SharedBindings.seller(when: \.hasChosen), SharedBindings.asking(when: \.hasChosen),
    ]

  private static let moving: [Binding<BrowserView>] = [
    .counted("left", [.left, "h"], .keyLeft, when: \.isAmongCards) { $0.move(.left, times: $1) }
      .needing(.paletteInGrid),
    .counted("right", [.right, "l"], .keyRight, when: \.isAmongCards) {
      $0.move(.right, times: $1)
    }.needing(.paletteInGrid),
    .counted("up", [.up, "k", .control("p")], .keyUp) { $0.move(.up, times: $1) },
    .counted("down", [.down, "j", .control("n")], .keyDown) { $0.move(.down, times: $1) },
  ].grouped(.move)

  /// Keys that scroll the detail beside the list.
  private static let scrolling: [Binding<BrowserView>] = [
    .counted("scroll-down", [.control("e")], .keyScrollDown, when: \.isBesideDetail) {
      $0.sideDetail?.scrollPage(by: $1 ?? 1)
    },
    .counted("scroll-up", [.control("y")], .keyScrollUp, when: \.isBesideDetail) {
      $0.sideDetail?.scrollPage(by: -($1 ?? 1))
    },
  ].grouped(.move)

  /// Keys for the size of the cards, and for the divider between list and detail.
  private static let sizing: [Binding<BrowserView>] = [
    Binding("larger-cards", ["+", "="], .keyLargerCards, when: \.isGrid, offered: \.hasRows) {
      $0.sizes.resizeCards(isLarger: true)
    }.needing(.paletteInGrid),
    Binding("smaller-cards", ["-"], .keySmallerCards, when: \.isGrid, offered: \.hasRows) {
      $0.sizes.resizeCards(isLarger: false)
    }.needing(.paletteInGrid),
    .counted("narrower-list", ["<"], .keyNarrowerList, when: \.hasDivider) {
      $0.sizes.moveDivider(by: -($1 ?? 1) * columnsPerStep)
    }.needing(.paletteInWideList),
    .counted("wider-list", [">"], .keyWiderList, when: \.hasDivider) {
      $0.sizes.moveDivider(by: ($1 ?? 1) * columnsPerStep)
    }.needing(.paletteInWideList),
  ].grouped(.view)
  private static let columnsPerStep = 2
}

// MARK: What keys depend on

extension BrowserView {
  /// Whether no reconnection is needed.
  fileprivate var isReached: Bool { !model.reconnection.isNeeded }
  /// Whether the scan of the market was stopped.
  fileprivate var hasStopped: Bool { !isOnDraftList && model.feed.phase == .stopped }
  fileprivate var hasWiderQueries: Bool { isAmongProducts && !model.wider.choices.isEmpty }
  fileprivate var offersOrders: Bool { isAmongProducts && hasRows }
  /// Whether there are products, or would be with other filters.
  fileprivate var offersQueries: Bool {
    isAmongProducts
      && (hasRows
        || (model.showsLess && model.feed.failure == nil && !model.reconnection.isNeeded))
  }
  /// Whether products can be shown as cards too; a plain screen has only rows.
  fileprivate var hasArrangements: Bool { !context.isPlain }
  fileprivate var isGrid: Bool { hasArrangements && model.arrangement == .grid }
  fileprivate var isAmongCards: Bool { isGrid && !isOnDraftList }

  /// Shows the products without the last part of the query.
  fileprivate func takeLastPartAway() {
    var query = model.feed.query
    guard let part = QueryPart.allCases.last(where: query.parts.contains) else { return }
    query.remove(part)
    model.show(query)
  }
}

extension BrowserView {
  package static var opens: [any LayerView.Type] {
    [
      ProductCodeView.self, SideBySideView.self,
      DetailView.self, MenuView.self, FilterView.self, SearchView.self, HelpView.self,
      FormLayerView.self, DraftsView.self, PromptView.self,
      OutboxPromptView.self,
      PasswordView.self, SettingsView.self, PaletteView.self,
      MarketsView.self, PersonalListView.self,
    ]
  }
}
