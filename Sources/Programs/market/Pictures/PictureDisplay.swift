import MarketModel
import MarketViewModels
import MarketViews
import TerminalKit

/// Display of pictures on this terminal: chosen again whenever more is known of it, or the user
/// wants it otherwise.
final class PictureDisplay {
  private(set) var mode = PictureMode.auto
  private(set) var choice: PictureChoice?
  private(set) var style = PictureStyle.none
  private(set) var facts: TerminalFacts
  private let screen: TerminalScreen
  /// Has pictures made in another form from now on.
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

  /// Shows pictures in a mode; true where they are shown otherwise from now on.
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

  /// What a bug report needs to know of the terminal, as the log says it.
  private func summary(_ choice: PictureChoice) -> String {
    let cell = facts.cell.map { ", \($0.width) x \($0.height) pixels each" } ?? ""
    return "terminal \(facts.name), \(screen.size.columns) x \(screen.size.rows) cells\(cell), "
      + "pictures \(choice.method)"
  }
}

extension PictureChoice {
  /// What comes of a user's wish on a terminal.
  init(_ mode: PictureMode, _ facts: TerminalFacts) {
    self =
      switch mode {
      case .auto: .automatic(facts)
      case .kitty: .wanted(.kitty, facts)
      case .sixel: .wanted(.sixel, facts)
      case .iterm2: .wanted(.inline, facts)
      case .blocks: .wanted(.blocks(PictureChoice.symbols(facts)), facts)
      case .half: .wanted(.blocks(.half), facts)
      case .quadrant: .wanted(.blocks(.quadrant), facts)
      case .sextant: .wanted(.blocks(.sextant), facts)
      case .braille: .wanted(.blocks(.braille), facts)
      case .none: .wanted(.none, facts)
      }
  }
}
