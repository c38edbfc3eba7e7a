internal import EditorKit
internal import MarketViewModels
internal import SafeText
package import TerminalKit

/// Turns what the terminal reports into verbs of the view models, by what has the focus.
package struct InputRouter {
  package let screen: MarketScreen

  package init(screen: MarketScreen) {
    self.screen = screen
  }

  var navigator: Navigator { screen.navigator }
  var browser: BrowserModel { screen.navigator.browser }

  package func handle(_ event: InputEvent) {
    switch event {
    case .key(let key): handle(key)
    case .paste(let text): paste(text)
    case .mouse(let event): handle(event)
    case .focus, .reply: break
    }
  }

  // MARK: Keys

  private func handle(_ key: KeyPress) {
    navigator.didPressKey()
    let focus = Focus(of: navigator)
    if edit(key, in: focus) { return }
    if case .character(let character) = key.key, key.modifiers.isEmpty, takesCounts(focus),
      let digit = character.wholeNumberValue, (0...9).contains(digit)
    {
      return navigator.typeDigit(digit)
    }
    for shortcut in focus.isText ? [key] : key.shortcuts {
      guard
        let command = KeyMap.command(
          for: shortcut, in: Focus(of: navigator), screen.context.keys),
        shortcut == key || !isDestructive(command)
      else {
        _ = navigator.takeCount()
        continue
      }
      run(command)
    }
  }

  /// Whether a key of the Hangul layout must not stand for a command.
  private func isDestructive(_ command: Command) -> Bool {
    if case .selling(.question(isDestructive: true)) = Focus(of: navigator) { return true }
    return command.isDestructive
  }

  private func takesCounts(_ focus: Focus) -> Bool {
    focus == .grid || focus == .list || focus == .shelf || focus == .detail
  }

  /// Offers a key to the text field that has the focus.
  ///
  /// - Returns: whether the field took it.
  private func edit(_ key: KeyPress, in focus: Focus) -> Bool {
    if case .selling(let focus) = focus { return selling.edit(key, in: focus) }
    guard focus.isText, let change = LineKeys.change(for: key) else { return false }
    editField { change.apply(to: &$0) }
    return true
  }

  private func paste(_ text: String) {
    navigator.didPressKey()
    if navigator.top == .selling { return selling.paste(text) }
    editField { $0.paste(text) }
  }

  /// Changes the text field that has the focus; where there is none, nothing happens.
  private func editField(_ change: (inout LineEditor) -> Void) {
    switch navigator.top {
    case .search: navigator.search.edit(change)
    case .help(var help):
      help.edit(change)
      navigator.replaceTop(with: .help(help))
    case nil, .detail, .menu, .pictureMenu, .picture, .selling: break
    }
  }

  var selling: SellingRouter { SellingRouter(screen: screen) }
  var pictures: PictureRouter { PictureRouter(screen: screen) }

  // MARK: Commands

  /// Runs a command for what has the focus now.
  package func run(_ command: Command) {
    if command == .back, let selling = navigator.selling, selling.isOpening {
      return selling.cancelOpening()
    }
    switch navigator.top {
    case nil: runInBrowser(command)
    case .detail: runInDetail(command)
    case .search: runInSearch(command)
    case .menu(let menu): runInMenu(command, menu)
    case .help(let help): runInHelp(command, help)
    case .pictureMenu(let menu): pictures.runInMenu(command, menu)
    case .picture: runInPicture(command)
    case .selling: command == .help ? navigator.openHelp() : selling.run(command)
    }
  }

  private func runInBrowser(_ command: Command) {
    let count = navigator.takeCount()
    if command == .back, count != nil { return }
    if ShelfRouter(screen: screen).run(command, times: count ?? 1) { return }
    if let move = command.move {
      if let count, command == .last || command == .first {
        browser.jump(to: count - 1)
      } else {
        browser.move(move, times: count ?? 1)
      }
      return
    }
    switch command {
    case .open: navigator.openDetail()
    case .search: navigator.openSearch()
    case .order: navigator.openMenu(.order)
    case .filter: navigator.openMenu(.filter)
    case .toggleArrangement: browser.toggleArrangement()
    case .back: navigator.showMore()
    default: runAnywhere(command)
    }
  }

  private func runInPicture(_ command: Command) {
    if command == .back { return navigator.closeTop() }
    if !pictures.run(command) { runAnywhere(command) }
  }

  private func runInDetail(_ command: Command) {
    let count = navigator.takeCount() ?? 1
    if pictures.run(command) { return }
    switch command {
    case .back: navigator.closeTop()
    case .nextProduct: showNeighbour(count)
    case .previousProduct: showNeighbour(-count)
    case .up: scrollText(by: -count)
    case .down: scrollText(by: count)
    case .halfPageDown, .pageDown: scrollText(by: max(1, textRows / 2))
    case .halfPageUp, .pageUp: scrollText(by: -max(1, textRows / 2))
    case .first: scrollText(by: -.max / 2)
    case .last: scrollText(by: .max / 2)
    default: runAnywhere(command)
    }
  }

  private func runInSearch(_ command: Command) {
    if command == .quit { return navigator.quit() }
    if command == .confirm { navigator.search.confirm() }
    if command == .cancel { navigator.search.cancel() }
    navigator.closeTop()
  }

  private func runInMenu(_ command: Command, _ menu: MenuModel) {
    var menu = menu
    switch command {
    case .up: menu.move(by: -1)
    case .down: menu.move(by: 1)
    case .first: menu.select(0)
    case .last: menu.select(menu.items.count - 1)
    case .quit: return navigator.quit()
    case .choose:
      menu.choose()
      browser.show(menu.query)
      if case .order = menu.items[menu.selected] { return navigator.closeTop() }
    default: return navigator.closeTop()
    }
    navigator.replaceTop(with: .menu(menu))
  }

  private func runInHelp(_ command: Command, _ help: HelpModel) {
    var help = help
    let view = helpView(help)
    let rows = view.rows
    switch command {
    case .up: help.move(by: -1, count: rows.count)
    case .down: help.move(by: 1, count: rows.count)
    case .pageUp: help.move(by: -view.visibleRows, count: rows.count)
    case .pageDown: help.move(by: view.visibleRows, count: rows.count)
    case .quit: return navigator.quit()
    case .choose where rows.indices.contains(help.selected):
      navigator.closeTop()
      return run(rows[help.selected].command)
    default: return navigator.closeTop()
    }
    navigator.replaceTop(with: .help(help))
  }

  private func runAnywhere(_ command: Command) {
    switch command {
    case .refresh: navigator.refresh()
    case .retry: navigator.retry()
    case .pictures: navigator.openPictureMenu()
    case .copy: navigator.copyProduct()
    case .toggleMouse: navigator.toggleMouse()
    case .help: navigator.openHelp()
    case .quit: navigator.quit()
    case .register: navigator.beginRegistration()
    case .edit: navigator.beginEdit()
    case .delete: navigator.beginDeletion()
    case .mine: navigator.toggleMine()
    case .undoEdit: navigator.selling?.beginUndo()
    case .rename: navigator.beginRenaming()
    default: break
    }
  }

  private func helpView(_ help: HelpModel) -> HelpView {
    HelpView(
      help: help, focus: screen.focusBelow, bounds: screen.layout?.body ?? .zero,
      context: screen.context)
  }

  // MARK: Detail

  private func showNeighbour(_ distance: Int) {
    browser.select(browser.viewport.selected + distance)
    if let selected = browser.selected { browser.detail.show(selected) }
  }

  private var detailView: DetailView? {
    guard let layout = screen.layout, let rect = screen.detailRect(layout) else { return nil }
    return DetailView(detail: browser.detail, rect: rect, context: screen.context)
  }

  private var textRows: Int { detailView.map(\.layout.text.rows) ?? 1 }

  func scrollText(by lines: Int) {
    guard let detailView else { return }
    browser.detail.scroll(by: lines, limit: detailView.hiddenLines())
  }
}

extension Command {
  /// The movement in a list that a command stands for.
  fileprivate var move: Viewport.Move? {
    switch self {
    case .up: .up
    case .down: .down
    case .left: .left
    case .right: .right
    case .pageUp: .pageUp
    case .pageDown: .pageDown
    case .halfPageUp: .halfPageUp
    case .halfPageDown: .halfPageDown
    case .first: .first
    case .last: .last
    default: nil
    }
  }
}
