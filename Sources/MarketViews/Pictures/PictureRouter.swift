internal import MarketViewModels
internal import TerminalKit

/// Runs the commands of pictures.
struct PictureRouter {
  let screen: MarketScreen

  private var navigator: Navigator { screen.navigator }

  func runInMenu(_ command: Command, _ menu: PictureMenuModel) {
    var menu = menu
    switch command {
    case .up: menu.move(by: -1)
    case .down: menu.move(by: 1)
    case .first: menu.select(0)
    case .last: menu.select(menu.modes.count - 1)
    case .choose: navigator.pictureMode = menu.mode
    case .quit: return navigator.quit()
    default: return navigator.closeTop()
    }
    navigator.replaceTop(with: .pictureMenu(menu))
  }

  /// Runs what is the same in the detail and over the whole window.
  ///
  /// - Returns: whether the command was one of these.
  func run(_ command: Command) -> Bool {
    switch command {
    case .nextPicture: navigator.browser.detail.showNextPicture()
    case .previousPicture: navigator.browser.detail.showPreviousPicture()
    case .enlarge: navigator.enlargePicture()
    case .savePicture: navigator.keepPicture(.save)
    case .openPicture: navigator.keepPicture(.open)
    default: return false
    }
    return true
  }

  func press(at point: CellPoint, _ menu: PictureMenuModel, in bounds: CellRect) {
    var menu = menu
    let view = PictureMenuView(
      menu: menu, chosen: navigator.pictureMode, bounds: bounds, context: screen.context)
    guard let index = view.index(at: point) else { return navigator.closeTop() }
    menu.select(index)
    runInMenu(.choose, menu)
  }
}
