import Dispatch
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import Observation
import TerminalKit

/// The run loop: events in, one frame out, all on the main queue.
///
/// A frame is drawn inside `withObservationTracking`; what it read schedules the next one when it
/// changes. Nothing else draws, so an idle program does nothing.
final class MarketApp {
  private let screen: TerminalScreen
  private let navigator: Navigator
  private var context: RenderContext
  private let choosesTheme: Bool
  private let pictures: PictureDisplay
  private var input: TerminalInput?
  private var signals: TerminalSignals?
  /// Whether something that the last frame showed has changed since.
  private var isDirty = false
  private var isHandlingEvents = false
  private var isSuspended = false
  /// Called once, with the exit status.
  private var whenLeft: ((Int32) -> Void)?

  init(
    screen: TerminalScreen, navigator: Navigator, context: RenderContext, pictures: PictureDisplay,
    choosesTheme: Bool
  ) {
    self.screen = screen
    self.navigator = navigator
    self.context = context
    self.choosesTheme = choosesTheme
    self.pictures = pictures
  }

  /// Runs until the user leaves or the terminal goes.
  ///
  /// - Returns: the program's exit status; the terminal has been given back.
  func run() async -> Int32 {
    await withCheckedContinuation { continuation in
      whenLeft = { continuation.resume(returning: $0) }
      navigator.selling?.editExternally = { [weak self] in self?.editExternally($0) ?? .none }
      navigator.didWantCopy = { [weak self] in self?.copy($0) }
      listen()
      drawFrame()
    }
  }

  private func listen() {
    input = TerminalInput(
      didReceive: { [weak self] in self?.didReceive($0) },
      didEnd: { [weak self] in self?.leave(status: 1) })
    signals = TerminalSignals { [weak self] in self?.didReceive($0) }
    showPictures()
    screen.askQuestions()
  }

  // MARK: Events

  private func didReceive(_ events: [InputEvent]) {
    isHandlingEvents = true
    for event in events {
      if event == .key(.control("z")) {
        suspend()
        continue
      }
      if event == .key(.control("l")) {
        screen.redraw()
        isDirty = true
        continue
      }
      if case .reply(let reply) = event { didReceive(reply) }
      handle(event)
    }
    isHandlingEvents = false
    drawIfDirty()
  }

  private func handle(_ event: InputEvent) {
    let hadMouse = navigator.hasMouse
    InputRouter(screen: marketScreen).handle(event)
    if navigator.hasMouse != hadMouse { screen.captureMouse(navigator.hasMouse) }
    if navigator.pictureMode != pictures.mode { showPictures() }
    if navigator.isQuitting { leave(status: 0) }
  }

  private func didReceive(_ reply: TerminalReply) {
    screen.didReceive(reply)
    pictures.didReceive(reply)
    showPictures()
    guard choosesTheme, case .background(let color) = reply else { return }
    let ground: Theme.Ground = color.isLight ? .light : .dark
    guard ground != context.theme.ground else { return }
    context.theme = context.theme.on(ground)
    isDirty = true
  }

  private func didReceive(_ signal: TerminalSignals.Signal) {
    switch signal {
    case .resize:
      screen.resize()
      pictures.didResize()
      showPictures()
      drawFrame()
    case .suspend: suspend()
    case .resume:
      guard isSuspended else { return }
      isSuspended = false
      screen.resume()
      pictures.didResize()
      showPictures()
      drawFrame()
    case .terminate, .hangUp: leave(status: signal == .terminate ? 0 : 1)
    }
  }

  private func suspend() {
    screen.suspend()
    isSuspended = true
    TerminalSignals.stop()
  }

  /// Lends the terminal to the user's own editor and waits for its end.
  private func editExternally(_ text: String) -> SellingModel.EditorOutcome {
    screen.suspend()
    defer {
      screen.resume()
      isDirty = true
    }
    return ExternalEditor(environment: Locations.environment).edit(text)
  }

  private func copy(_ product: ListedProduct) {
    let isSent = screen.copy(ProductText.line(product, context.strings))
    navigator.announce(
      isSent ? .words(context.strings(.copied, product.name)) : .hint(.noClipboard))
  }

  private func leave(status: Int32) {
    guard let whenLeft else { return }
    self.whenLeft = nil
    input?.cancel()
    screen.close()
    whenLeft(status)
  }

  // MARK: Frames

  private var marketScreen: MarketScreen {
    MarketScreen(navigator: navigator, size: screen.size, context: context)
  }

  /// Says how many products fit, which may ask for more of them, and which pictures are wanted.
  private func layOut() {
    let marketScreen = marketScreen
    guard let layout = marketScreen.layout else { return }
    let viewport = layout.viewport
    let browser = navigator.browser
    browser.didLayOut(columns: viewport.columns, visibleRows: viewport.rows)
    browser.detail.setShown(
      marketScreen.detailRect(layout) != nil, selected: browser.selected)
    navigator.gallery.want(marketScreen.pictureWants)
  }

  private func drawFrame() {
    guard !isSuspended, whenLeft != nil else { return }
    layOut()
    isDirty = false
    context.now = SystemTime.now()
    let canvas = withObservationTracking {
      marketScreen.draw()
    } onChange: { [weak self] in
      // All that a frame reads lives on the main actor, and so do its changes.
      MainActor.assumeIsolated { self?.invalidate() }
    }
    screen.show(canvas)
    guard screen.isIncomplete else { return }
    // Keys that wait come before the rest of the pictures.
    DispatchQueue.main.async { MainActor.assumeIsolated { self.drawFrame() } }
  }

  /// Shows pictures as the user and the terminal want it by now.
  private func showPictures() {
    guard pictures.show(navigator.pictureMode) else { return }
    context.pictures = pictures.style
    context.pictureChoice = pictures.choice
    isDirty = true
  }

  private func drawIfDirty() {
    if isDirty { drawFrame() }
  }

  /// Something that the last frame showed is about to change: the next frame follows when all events
  /// that are waiting have been taken.
  private func invalidate() {
    guard !isDirty else { return }
    isDirty = true
    guard !isHandlingEvents else { return }
    Task { drawIfDirty() }
  }
}
