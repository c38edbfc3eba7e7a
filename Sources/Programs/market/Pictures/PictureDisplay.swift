import MarketModel
import MarketViewModels
import MarketViews
import TerminalKit

/// Display of pictures on this terminal; selects the method again when more is known about the terminal
/// or the mode changes.
final class PictureDisplay {
  private(set) var mode = PictureMode.auto
  private(set) var choice: PictureChoice?
  private(set) var style = PictureStyle.none
  private(set) var facts: TerminalFacts
  private let screen: TerminalScreen
  /// Changes the form of all pictures.
  private let use: (PictureForm) -> Void
  private let log: EventLog
  private var form: PictureForm?

  init(
    screen: TerminalScreen, environment: TerminalEnvironment, log: EventLog,
    use: @escaping (PictureForm) -> Void
  ) {
    self.screen = screen
    self.use = use
    self.log = log
    facts = TerminalFacts(
      environment: environment, colorDepth: screen.capabilities.colorDepth,
      isUTF8: screen.capabilities.isUTF8, windowCell: screen.cellPixels)
  }

  func didReceive(_ reply: TerminalReply) {
    let before = facts
    facts.didReceive(reply)
    if case .attributes = reply, facts != before, let choice { log.record(summary(choice)) }
  }

  func didRaiseColors() { facts.colorDepth = screen.capabilities.colorDepth }

  func didResize() { facts.windowCell = screen.cellPixels }

  /// Selects the method for a mode; true if pictures look different from now on.
  func show(_ mode: PictureMode) -> Bool {
    self.mode = mode
    let choice = PictureChoice(mode, facts)
    let form = PictureForm(choice.method, facts)
    defer { self.choice = choice }
    guard form != self.form else { return choice != self.choice }
    if choice.method != self.choice?.method { screen.usePictures(choice.method) }
    self.form = form
    style = form.style
    use(form)
    log.record(summary(choice))
    return true
  }

  /// Summary of the terminal for the log, as bug reports need it.
  private func summary(_ choice: PictureChoice) -> String {
    let cell = facts.cell.map { ", \($0.width) x \($0.height) pixels each" } ?? ""
    return "terminal \(facts.name), \(screen.size.columns) x \(screen.size.rows) cells\(cell), "
      + "pictures \(choice.method)"
  }
}

extension PictureChoice {
  /// Choice for the user's mode on a terminal.
  init(_ mode: PictureMode, _ facts: TerminalFacts) {
    self =
      switch mode {
      case .auto: .automatic(facts)
      case .kitty: .wanted(.kitty, facts)
      case .sixel: .wanted(.sixel, facts)
      case .iterm2: .wanted(.inline, facts)
      case .blocks: .wantedBlocks(facts)
      case .none: .wanted(.none, facts)
      }
  }
}
