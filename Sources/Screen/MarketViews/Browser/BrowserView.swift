internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension BrowserModel: ViewedLayer {
  package func view(in frame: Frame) -> BrowserView { BrowserView(model: self, frame: frame) }
}

extension ViewGraph {
  /// Graph of all views of the program.
  package static let market = ViewGraph(from: BrowserView.self)
}

/// View of the products as cards or rows, with the detail beside the rows in a wide window, and the
/// drafts above the seller's own products.
package struct BrowserView: LayerView {
  package let model: BrowserModel
  package let frame: Frame

  package static var screenName: Phrase? { .screenProducts }
  package static let bindings = BindingTable<BrowserView>(BrowserKeys.rows, group: .browse)

  package var coversBody: Bool { true }
  package var followsLinks: Bool { true }
  package var takesCounts: Bool { true }

  var isOnDraftList: Bool { navigator.draftList?.selected != nil }
  var isOnQuestion: Bool { navigator.draftList?.selectedQuestion != nil }
  var isOnDraft: Bool { navigator.draftList?.selectedDraft != nil }
  var isAmongProducts: Bool { !isOnDraftList }
  var hasChosen: Bool { isAmongProducts && hasSelection }
  var hasSelection: Bool { frame.chosen.isSelected }
  var hasPendingProducts: Bool { !model.live.pendingProducts.isEmpty }
  var hasRows: Bool { !EmptyList.isShown(of: model) }
  var hasDivider: Bool {
    frame.layout.divider != nil && hasRows
  }
  /// Whether keys and wheel scroll the detail beside the list.
  var isBesideDetail: Bool { hasDivider && isAmongProducts }

  package var statusMessage: StatusMessage? {
    model.indexedShare.map { share in
      let percent = SafeText(String(Int(share * 100)))
      return StatusMessage(text: context.strings(.indexing, percent), isWarning: false)
    }
  }

  // MARK: Drawing

  package func layOut() {
    let viewport = frame.layout.viewport
    model.list.didLayOut(
      columns: viewport.columns, visibleRows: viewport.rows, scrollStep: viewport.scrollStep)
    model.detail.setShown(
      sideDetail != nil || navigator.stack.contains(model.detail), selected: model.selected)
  }

  package func draw(on canvas: inout Canvas) {
    products.draw(on: &canvas, gallery: frame.gallery)
    draftListView?.draw(on: &canvas)
    sellerCard?.draw(on: &canvas)
    if let emptyList { return emptyList.draw(on: &canvas) }
    guard let divider = frame.layout.divider else { return }
    let theme = context.theme
    canvas.verticalRule(
      at: divider.origin, rows: divider.rows,
      style: model.viewStates.holdsDivider ? theme.accent : theme.rule)
    sideDetail?.draw(on: &canvas)
  }

  package var wants: [PictureWant] {
    products.wants + (sideDetail?.wants ?? []) + products.wantsAhead
  }

  /// Text in place of the rows, over the whole width without a detail; nil where there are rows.
  private var emptyList: EmptyList? {
    guard EmptyList.isShown(of: model) else { return nil }
    let (list, body) = (frame.layout.products.bounds, frame.body)
    let rect = CellRect(
      column: list.minColumn, row: list.minRow, columns: body.maxColumn - list.minColumn,
      rows: list.rows)
    return EmptyList(
      browser: model, market: frame.marketName, address: navigator.marketAddress,
      isUsualFile: navigator.marketName == nil, wider: model.wider,
      request: navigator.searching.request,
      unknownSeller: unknownSeller, isOwn: navigator.showsMine, keys: rows, rect: rect,
      context: context)
  }

  /// Note that the requested seller is unknown; nil for a known seller.
  private var unknownSeller: SafeText? {
    guard model.feed.query.sellers == [.nobody] else { return nil }
    return navigator.searching.notes.compactMap { note in
      if case .unknownSeller = note { RequestText.note(note, context.strings) } else { nil }
    }.first
  }

  // MARK: Moving

  func move(_ move: Viewport.Move, times count: Int?) {
    let isInFirstRow = model.viewport.selected < model.viewport.columns
    if let draftListView, draftListView.move(move, times: count ?? 1, isInFirstRow: isInFirstRow) {
      return
    }
    if !model.wider.choices.isEmpty, let steps = move.steps {
      return model.wider.move(by: steps * (count ?? 1))
    }
    if let count, move == .last || move == .first { return model.list.jump(to: count - 1) }
    // At the top, the same key shows new products.
    if move == .first, hasPendingProducts, model.viewport.selected == 0 {
      return model.takeNewcomers()
    }
    model.list.move(move, times: count ?? 1)
  }

  // MARK: Mouse

  /// Scrolls the part under the pointer.
  package func scroll(by notches: Int, at point: CellPoint) -> Bool {
    if isBesideDetail, let side = sideDetail, side.rect.contains(point) {
      return side.scroll(by: notches)
    }
    model.list.scroll(by: products.rowsPerNotch * notches)
    return true
  }

  /// Moves the divider while it is dragged.
  package func drag(to point: CellPoint) -> Bool {
    sizes.dragDivider(to: point.column)
  }

  package func release() { model.viewStates.releaseDivider() }

  package func press(at point: CellPoint) -> Bool {
    if sizes.grabDivider(at: point) { return true }
    if let draftListView, draftListView.rect.contains(point) {
      draftListView.press(at: point)
      return true
    }
    if let contact = sellerCard?.contact(at: point) {
      navigator.program.delegate?.copy(contact)
      return true
    }
    if let emptyList {
      if let query = emptyList.widerQuery(at: point) {
        model.show(query)
      } else {
        emptyList.row(at: point)?.run()
      }
      return true
    }
    draftListView?.leave()
    guard let index = products.product(at: point) else { return false }
    // A second click on the selected product opens it.
    if index == model.viewport.selected {
      navigator.openDetail()
    } else {
      model.list.select(index)
    }
    return true
  }

  package func select(at point: CellPoint) -> Bool {
    guard let index = products.product(at: point) else { return false }
    navigator.selling?.drafts.move { $0.leave() }
    model.list.select(index)
    return true
  }

  package var selectedPlace: CellRect? { hasChosen ? products.selectedPlace : nil }

  // MARK: Parts

  private var products: ProductsArea {
    ProductsArea(
      browser: model, layout: frame.layout, showsSelection: !isOnDraftList, context: context)
  }

  var sizes: BrowserSizes { BrowserSizes(layout: frame.layout, viewStates: model.viewStates) }

  /// Detail beside the rows; nil where there is no room.
  var sideDetail: DetailView? {
    frame.layout.sideDetail.map { DetailView(model: model.detail, frame: frame, rect: $0) }
  }

  private var draftListView: DraftListView? {
    navigator.draftList.map {
      DraftListView(
        list: $0, navigator: navigator, rect: frame.layout.draftList, context: context)
    }
  }

  private var sellerCard: SellerCard? {
    guard navigator.draftList == nil else { return nil }
    return navigator.sellerVisit.map {
      SellerCard(
        visit: $0, isOwn: navigator.showsMine, key: keyName(of: SharedBindings.actionsName) ?? "x",
        rect: frame.layout.draftList, context: context)
    }
  }
}

extension Viewport.Move {
  /// Lines by which a move changes a short list; nil for other moves.
  fileprivate var steps: Int? {
    switch self {
    case .up: -1
    case .down: 1
    case .left, .right, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .first, .last: nil
    }
  }
}
