internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeText
package import TerminalKit

extension BrowserModel: ViewedLayer {
  package func view(in frame: Frame) -> BrowserView { BrowserView(model: self, frame: frame) }
}

extension ViewGraph {
  /// All views of the program.
  package static let market = ViewGraph(from: BrowserView.self)
}

/// The products as cards or rows, the detail beside the rows where the window is wide, and the drafts
/// above the seller's own.
package struct BrowserView: LayerView {
  package let model: BrowserModel
  package let frame: Frame

  package static let bindings = BindingTable<BrowserView>(
    drafts + opening + showing
      + SharedBindings.markets(footer: 5) { !$0.isReached }
      + [
        Binding(
          "stop-sifting", [.escape], .keyStopSifting, footer: 5, when: \.model.feed.isSifting
        ) { $0.model.stopSifting() },
        Binding("go-on", ["R"], .keyGoOn, footer: 5, when: \.hasStopped) {
          $0.model.goOnSifting()
        },
        SharedBindings.retry(["R"], footer: 0) {
          !$0.isOnShelf && ($0.model.feed.failure != nil || $0.model.reconnection.isNeeded)
        },
        leaving,
        SharedBindings.copy(when: \.isAmongProducts, offered: \.hasSelection),
        SharedBindings.actions(when: \.hasChosen),
        SharedBindings.seller(when: \.hasChosen),
      ]
      + SharedBindings.selling(
        register: 60, edit: 70, delete: 75, changing: \.isAmongProducts,
        offeringChanges: \.isBesideDetail, mine: 45)
      + moving + sizing
      + SharedBindings.turningPictures(previous: 22, next: 24, when: \.isBesideDetail)
      + [
        .counted("scroll-down", [.control("e")], .keyScrollDown, when: \.isBesideDetail) {
          $0.sideDetail?.scrollPage(by: $1 ?? 1)
        }.grouped(.move),
        .counted("scroll-up", [.control("y")], .keyScrollUp, when: \.isBesideDetail) {
          $0.sideDetail?.scrollPage(by: -($1 ?? 1))
        }.grouped(.move),
      ]
      + SharedBindings.paging { $0.move($1, times: $2) } + SharedBindings.general()
      + [SharedBindings.settings(), SharedBindings.quit(["q", .control("c")], footer: 91)],
    group: .browse)

  package static var opens: [any LayerView.Type] {
    [
      DetailView.self, ActionsView.self, MenuView.self, FilterView.self, PictureMenuView.self,
      SearchView.self, HelpView.self, FormLayerView.self, DraftsView.self, WaitingView.self,
      PasswordView.self, SellerLineView.self, SettingsView.self, PaletteView.self,
      MarketsView.self,
    ]
  }

  /// On the drafts' shelf.
  private static let drafts: [Binding<BrowserView>] = [
    Binding("open", [.enter, "e"], .keyOpen, footer: 10, when: \.isOnShelf) {
      $0.navigator.selling?.opening.openFromShelf()
    },
    Binding(
      "remove-draft", [.delete, "D"], .keyRemoveDraft, footer: 15, isDestructive: true,
      when: \.isOnShelf
    ) { $0.navigator.selling?.opening.askToRemoveFromShelf() },
  ]

  private static let opening: [Binding<BrowserView>] = [
    Binding("open", [.enter], .keyOpen, footer: 10, offered: \.hasSelection) {
      $0.navigator.openDetail()
    }.grouped(.product).needing(.paletteNoProduct),
    Binding("search", ["/"], .keySearch, footer: 30, offered: \.offersQueries) {
      SearchModel.open(on: $0.navigator, in: $0.context.strings.language.ofSearch)
    }.needing(.paletteNoProduct),
    Binding("order", ["o"], .keyOrder, footer: 40, offered: \.offersOrders) {
      MenuModel.open(on: $0.navigator)
    }.needing(.paletteNoProduct),
    Binding("filter", ["f"], .keyFilter, offered: \.offersQueries) {
      FilterModel.open(on: $0.navigator)
    }.needing(.paletteNoProduct),
    Binding("take-filter-away", [.backspace], .keyTakeFilterAway, when: \.model.showsLess) {
      $0.takeLastPartAway()
    },
  ]

  private static let showing: [Binding<BrowserView>] = [
    Binding("take-new", ["."], .keyTakeNew, footer: 5, offered: \.hasNewcomers) {
      $0.model.takeNewcomers()
    }.grouped(.view),
    Binding(
      "toggle-arrangement", ["v"], .keyShowList, footer: 50, when: \.isGrid, offered: \.hasRows
    ) {
      $0.model.toggleArrangement()
    }.grouped(.view),
    Binding(
      "toggle-arrangement", ["v"], .keyShowGrid, footer: 50, when: \.hasArrangements,
      offered: \.hasRows
    ) {
      $0.model.toggleArrangement()
    }.grouped(.view),
    Binding(
      "refresh", ["r", .control("r"), .function(5)], .keyRefresh,
      offered: \.isReached
    ) {
      $0.navigator.refresh()
    },
  ]

  /// With a count before it, it takes only that back.
  private static let leaving: Binding<BrowserView> = SharedBindings.back(
    [.escape], .keyShowAll, footer: 20, offered: \.model.showsLess
  ) { view, count in
    if count == nil, !view.navigator.leaveSeller() { view.model.showMore() }
  }

  private static let moving: [Binding<BrowserView>] = [
    .counted("left", [.left, "h"], .keyLeft, when: \.isAmongCards) { $0.move(.left, times: $1) },
    .counted("right", [.right, "l"], .keyRight, when: \.isAmongCards) {
      $0.move(.right, times: $1)
    },
    .counted("up", [.up, "k", .control("p")], .keyUp) { $0.move(.up, times: $1) },
    .counted("down", [.down, "j", .control("n")], .keyDown) { $0.move(.down, times: $1) },
  ].grouped(.move)

  /// Sizes of the cards, and of list and detail beside each other.
  private static let sizing: [Binding<BrowserView>] = [
    Binding("larger-cards", ["+", "="], .keyLargerCards, when: \.isGrid, offered: \.hasRows) {
      $0.resizeCards(isLarger: true)
    },
    Binding("smaller-cards", ["-"], .keySmallerCards, when: \.isGrid, offered: \.hasRows) {
      $0.resizeCards(isLarger: false)
    },
    .counted("narrower-list", ["<"], .keyNarrowerList, when: \.hasDivider) {
      $0.moveDivider(by: -($1 ?? 1) * Self.columnsPerStep)
    },
    .counted("wider-list", [">"], .keyWiderList, when: \.hasDivider) {
      $0.moveDivider(by: ($1 ?? 1) * Self.columnsPerStep)
    },
  ].grouped(.view)
  private static let columnsPerStep = 2

  package var coversBody: Bool { true }
  package var takesCounts: Bool { true }

  /// Whether the market answers, as far as is known.
  private var isReached: Bool { !model.reconnection.isNeeded }
  /// Whether the sifting of the market was stopped.
  private var hasStopped: Bool { !isOnShelf && model.feed.phase == .stopped }
  private var isOnShelf: Bool { navigator.shelf?.selected != nil }
  private var isAmongProducts: Bool { !isOnShelf }
  private var hasChosen: Bool { isAmongProducts && hasSelection }
  private var hasSelection: Bool { model.selected != nil }
  private var hasNewcomers: Bool { !model.live.newcomers.isEmpty }
  private var hasRows: Bool { !EmptyList.isShown(of: model) }
  private var offersOrders: Bool { isAmongProducts && hasRows }
  /// Whether there are products, or would be with other filters.
  private var offersQueries: Bool {
    isAmongProducts
      && (hasRows
        || (model.showsLess && model.feed.failure == nil && !model.reconnection.isNeeded))
  }
  /// Whether products can be shown as cards as well: a plain screen has rows alone.
  private var hasArrangements: Bool { !context.isPlain }
  private var isGrid: Bool { hasArrangements && model.arrangement == .grid }
  private var isAmongCards: Bool { isGrid && !isOnShelf }
  private var hasDivider: Bool {
    frame.layout.divider != nil && hasRows
  }
  /// Whether keys and wheel turn and scroll the detail beside the list.
  private var isBesideDetail: Bool { hasDivider && isAmongProducts }

  /// Shows the products without what the last chip says.
  private func takeLastPartAway() {
    var query = model.feed.query
    guard let part = QueryPart.allCases.last(where: query.parts.contains) else { return }
    query.remove(part)
    model.show(query)
  }

  // MARK: Drawing

  package func layOut() {
    let viewport = frame.layout.viewport
    model.didLayOut(
      columns: viewport.columns, visibleRows: viewport.rows, leap: viewport.leap)
    model.detail.setShown(
      sideDetail != nil || navigator.stack.contains(model.detail), selected: model.selected)
  }

  package func draw(on canvas: inout Canvas) {
    let showsSelection = !isOnShelf
    switch frame.layout.products {
    case .grid(let grid):
      GridView(browser: model, grid: grid, showsSelection: showsSelection, context: context)
        .draw(on: &canvas, gallery: frame.gallery)
    case .list(let list):
      ListView(browser: model, list: list, showsSelection: showsSelection, context: context)
        .draw(on: &canvas, gallery: frame.gallery)
    }
    shelfView?.draw(on: &canvas)
    sellerCard?.draw(on: &canvas)
    if let emptyList { return emptyList.draw(on: &canvas) }
    guard let divider = frame.layout.divider else { return }
    let theme = context.theme
    canvas.verticalRule(
      at: divider.origin, rows: divider.rows,
      style: model.looks.holdsDivider ? theme.accent : theme.rule)
    sideDetail?.draw(on: &canvas)
  }

  package var wants: [PictureWant] {
    switch frame.layout.products {
    case .grid(let grid): return GridView(browser: model, grid: grid, context: context).wants
    case .list(let list):
      let view = ListView(browser: model, list: list, context: context)
      return view.wants + (sideDetail?.wants ?? []) + view.wantsAhead
    }
  }

  /// What is said where there are no rows, over the whole width: no detail stands beside it.
  private var emptyList: EmptyList? {
    guard EmptyList.isShown(of: model) else { return nil }
    let (list, body) = (frame.layout.products.bounds, frame.body)
    let rect = CellRect(
      column: list.minColumn, row: list.minRow, columns: body.maxColumn - list.minColumn,
      rows: list.rows)
    return EmptyList(
      browser: model, market: frame.marketName, address: navigator.marketAddress,
      isUsualFile: navigator.marketName == nil, request: navigator.searching.request,
      unknownSeller: unknownSeller, isOwn: navigator.showsMine, keys: rows, rect: rect,
      context: context)
  }

  /// That nobody is called as was asked; nil where somebody is.
  private var unknownSeller: SafeText? {
    guard model.feed.query.sellers == [.nobody] else { return nil }
    return navigator.searching.notes.compactMap { note in
      if case .unknownSeller = note { RequestText.note(note, context.strings) } else { nil }
    }.first
  }

  /// The detail beside the rows.
  private var sideDetail: DetailView? {
    frame.layout.sideDetail.map { DetailView(model: model.detail, frame: frame, rect: $0) }
  }

  private var shelfView: ShelfView? {
    navigator.shelf.map { ShelfView(shelf: $0, rect: frame.layout.shelf, context: context) }
  }

  private var sellerCard: SellerCard? {
    guard navigator.shelf == nil else { return nil }
    return navigator.sellerVisit.map {
      SellerCard(visit: $0, isOwn: navigator.showsMine, rect: frame.layout.shelf, context: context)
    }
  }

  // MARK: Moving

  private func move(_ move: Viewport.Move, times count: Int?) {
    if moveOnShelf(move, times: count ?? 1) { return }
    if let count, move == .last || move == .first { return model.jump(to: count - 1) }
    // At the very top there is nothing above but what is new.
    if move == .first, hasNewcomers, model.viewport.selected == 0 { return model.takeNewcomers() }
    model.move(move, times: count ?? 1)
  }

  /// Moves among the drafts, and between them and the first products; true where that was all of
  /// the move.
  private func moveOnShelf(_ move: Viewport.Move, times: Int) -> Bool {
    guard let selling = navigator.selling, let shelf = navigator.shelf else { return false }
    let isInFirstRow = model.viewport.selected < model.viewport.columns
    switch (move, shelf.selected != nil) {
    case (.up, true): selling.drafts.move { $0.move(by: -times) }
    case (.down, true): selling.drafts.move { $0.move(by: times) }
    case (.first, true): selling.drafts.move { $0.enter(at: 0) }
    case (.pageUp, true), (.halfPageUp, true), (.left, true), (.right, true): break
    case (.pageDown, true), (.halfPageDown, true), (.last, true):
      selling.drafts.move { $0.leave() }
      return false
    case (.up, false) where isInFirstRow: selling.drafts.move { $0.enter() }
    case (.first, false) where isInFirstRow: selling.drafts.move { $0.enter(at: 0) }
    case (_, false): return false
    }
    return true
  }

  // MARK: Sizes

  private func resizeCards(isLarger: Bool) {
    guard case .grid(let grid) = frame.layout.products,
      let size = grid.nextSize(isLarger: isLarger)
    else { return }
    model.looks.choose(size, for: \.cardColumns)
  }

  private func moveDivider(by columns: Int) {
    guard let divider = frame.layout.divider,
      let share = frame.layout.listShare(forDividerAt: divider.minColumn + columns)
    else { return }
    model.looks.choose(share, for: \.listShare)
  }

  // MARK: Mouse

  private static let rowsPerNotch = 3

  /// The wheel scrolls what it is over.
  package func scroll(by notches: Int, at point: CellPoint) -> Bool {
    if isBesideDetail, let side = sideDetail, side.rect.contains(point) {
      return side.scroll(by: notches)
    }
    model.scroll(by: rowsPerNotch * notches)
    return true
  }

  private var rowsPerNotch: Int {
    switch frame.layout.products {
    case .list(let list) where !list.hasThumbnails: Self.rowsPerNotch
    case .grid, .list: 1
    }
  }

  /// Moves the divider with the mouse while that holds it.
  package func drag(to point: CellPoint) -> Bool {
    guard let share = frame.layout.listShare(forDividerAt: point.column) else { return false }
    return model.looks.dragDivider(to: share)
  }

  package func release() { model.looks.releaseDivider() }

  package func press(at point: CellPoint) -> Bool {
    if frame.layout.isOnDivider(point) {
      model.looks.grabDivider()
      return true
    }
    if frame.layout.shelf.contains(point), navigator.shelf != nil {
      pressShelf(at: point)
      return true
    }
    if let emptyList {
      emptyList.row(at: point)?.run()
      return true
    }
    if navigator.shelf != nil { navigator.selling?.drafts.move { $0.leave() } }
    guard let index = product(at: point) else { return false }
    // A second click on what is selected opens it.
    if index == model.viewport.selected {
      navigator.openDetail()
    } else {
      model.select(index)
    }
    return true
  }

  package func select(at point: CellPoint) -> Bool {
    guard let index = product(at: point) else { return false }
    navigator.selling?.drafts.move { $0.leave() }
    model.select(index)
    return true
  }

  package var selectedPlace: CellRect? {
    let viewport = model.viewport
    let place = viewport.selected - viewport.visibleWithCutRow.lowerBound
    guard hasChosen, place >= 0 else { return nil }
    switch frame.layout.products {
    case .grid(let grid):
      return grid.cardRect(row: place / grid.columns, column: place % grid.columns)
    case .list(let list): return list.rect(of: place).inset(left: RowColumns.name)
    }
  }

  /// The index of the product at a point.
  private func product(at point: CellPoint) -> Int? {
    guard let offset = frame.layout.productOffset(at: point) else { return nil }
    let index = model.viewport.visible.lowerBound + offset
    return index < model.feed.count ? index : nil
  }

  /// Selects a draft; a second click opens it.
  private func pressShelf(at point: CellPoint) {
    guard let selling = navigator.selling, let shelf = shelfView,
      let draft = shelf.draft(at: point)
    else { return }
    if draft == shelf.shelf.selected {
      selling.opening.openFromShelf()
    } else {
      selling.drafts.move { $0.enter(at: draft) }
    }
  }
}

/// The drafts above the seller's own products.
struct ShelfView {
  let shelf: DraftShelf
  let rect: CellRect
  let context: RenderContext

  func draw(on canvas: inout Canvas) {
    let rule = rect.splitBottom(1).bottom
    list.draw(on: &canvas, in: rows)
    canvas.horizontalRule(at: rule.origin, columns: rule.columns, style: context.theme.rule)
  }

  /// The index of the draft at a point, for a click.
  func draft(at point: CellPoint) -> Int? {
    list.line(at: point, in: rows)
  }

  private var rows: CellRect { rect.inset(bottom: 1) }

  private var list: ChoiceBox {
    ChoiceBox(
      title: .empty, lines: shelf.drafts.map { DraftLine.texts($0, context) },
      selected: shelf.selected, margin: 1, bounds: rect, context: context)
  }
}

extension Phrase {
  static var keyStopSifting: Phrase { .named() }
  static var keyGoOn: Phrase { .named() }
  static var keyOpen: Phrase { .named() }
  static var keySearch: Phrase { .named() }
  static var keyOrder: Phrase { .named() }
  static var keyFilter: Phrase { .named() }
  static var keyTakeFilterAway: Phrase { .named() }
  static var keyRefresh: Phrase { .named() }
  static var keyTakeNew: Phrase { .named() }
  static var keyLeft: Phrase { .named() }
  static var keyRight: Phrase { .named() }
  static var keyScrollDown: Phrase { .named() }
  static var keyScrollUp: Phrase { .named() }
  static var keyLargerCards: Phrase { .named() }
  static var keySmallerCards: Phrase { .named() }
  static var keyNarrowerList: Phrase { .named() }
  static var keyWiderList: Phrase { .named() }
}
