internal import MarketViewModels
internal import TerminalKit

/// What the mouse does: a press selects or opens, the wheel moves what is under it.
extension InputRouter {
  private static let rowsPerNotch = 3

  func handle(_ event: MouseEvent) {
    guard let layout = screen.layout else { return }
    switch event.action {
    case .wheelUp: turnWheel(-1, layout: layout)
    case .wheelDown: turnWheel(1, layout: layout)
    case .press: press(at: event.point, layout: layout)
    case .release: break
    }
  }

  private func turnWheel(_ direction: Int, layout: ScreenLayout) {
    switch navigator.top {
    case nil:
      if case .grid = layout.products {
        browser.scroll(by: direction)
      } else {
        browser.scroll(by: direction * Self.rowsPerNotch)
      }
    case .detail: scrollText(by: direction * Self.rowsPerNotch)
    case .menu, .pictureMenu, .help: run(direction > 0 ? .down : .up)
    case .picture: run(direction > 0 ? .nextPicture : .previousPicture)
    case .search: break
    case .selling: selling.turnWheel(direction)
    }
  }

  private func press(at point: CellPoint, layout: ScreenLayout) {
    let coversHints = navigator.notice != nil
    navigator.didPressKey()
    if coversHints, layout.bottomBar.contains(point) { return }
    if layout.bottomBar.contains(point) { return pressHint(at: point.column, layout: layout) }
    switch navigator.top {
    case nil:
      if ShelfRouter(screen: screen).press(at: point, in: layout.shelf) { return }
      guard let offset = layout.productOffset(at: point) else { return }
      let index = browser.viewport.visible.lowerBound + offset
      guard index < browser.feed.rows.count else { return }
      // A second click on what is selected opens it.
      if index == browser.viewport.selected { return navigator.openDetail() }
      browser.select(index)
    case .menu(var menu):
      let view = MenuView(menu: menu, bounds: layout.body, context: screen.context)
      guard let item = view.item(at: point) else { return navigator.closeTop() }
      menu.select(item)
      navigator.replaceTop(with: .menu(menu))
      run(.choose)
    case .selling: selling.press(at: point)
    case .pictureMenu(let menu): pictures.press(at: point, menu, in: layout.body)
    case .detail, .picture, .search, .help: break
    }
  }

  private func pressHint(at column: Int, layout: ScreenLayout) {
    let bar = BottomBar(
      navigator: navigator, rect: layout.bottomBar, context: screen.context)
    guard !navigator.layers.contains(.search),
      let hint = bar.hints.first(where: { $0.columns.contains(column) })
    else { return }
    run(hint.command)
  }
}
