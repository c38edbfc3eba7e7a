import Dispatch
import Glibc
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import Posix
import SafeTextKit
import TerminalKit

/// Run loop and render loop: receives events and draws frames, all on the main queue.
///
/// Each frame is drawn inside `observing`; a change of what it read schedules the next one. Nothing
/// else draws, so an idle program does nothing.
final class MarketApp {
  private let screen: TerminalScreen
  private let markets: Markets
  private var context: RenderContext
  private var appearance: Appearance
  /// Background of the terminal, as far as known.
  private var ground: Theme.Ground
  private let pictures: PictureDisplay
  /// Open markets, with their picture actions.
  private let opened: MarketSessions
  private let links = DesktopOpener()
  private var input: TerminalInput?
  private var signals: TerminalSignals?
  /// Whether anything in the last frame has changed since.
  private var isDirty = false
  private var isHandlingEvents = false
  private var holder = Holder.program
  private var queue = InputQueue()
  /// Whether the run loop observes the end of what input and frames wait for.
  private var isWaiting = false
  /// Observation of the last frame; replaced by the next one.
  private var reading: ObservedReading?
  /// Exit status for after the editor; nil if the program is not ending.
  private var statusAfterEditor: Int32?
  /// Timer that ends the program without key presses; nil sets no limit.
  private var idling: IdleTimer?
  /// Called once, with the exit status.
  private var whenLeft: ((Int32) -> Void)?

  /// Process that uses the terminal.
  private enum Holder {
    case program
    case shell
    case editor(ExternalEditor)
  }

  /// Maximum time that the end of the program waits for an editor and for saving the draft.
  private static let exitTimeout = DispatchTimeInterval.seconds(2)
  /// Maximum time that the first frame waits for rows: one frame at 60 Hz.
  private static let initialTimeout = DispatchTimeInterval.milliseconds(16)

  init(
    screen: TerminalScreen, markets: Markets, appearance: Appearance, ground: Theme.Ground,
    pictures: PictureDisplay, opened: MarketSessions
  ) {
    self.screen = screen
    self.markets = markets
    self.appearance = appearance
    self.ground = ground
    context = appearance.context(on: ground, screen.capabilities, now: SystemTime.now())
    screen.useASCIISymbols(appearance.options.hasASCIISymbols)
    self.pictures = pictures
    self.opened = opened
  }

  /// Runs until the user leaves or the terminal closes; returns the exit status after restoring the
  /// terminal.
  func run() async -> Int32 {
    await withCheckedContinuation { continuation in
      whenLeft = { continuation.resume(returning: $0) }
      program.delegate = self
      listen()
      drawFirstFrame()
    }
  }

  private func listen() {
    input = TerminalInput(
      keys: screen.keys, didReceive: { [weak self] in self?.didReceive($0) },
      didEnd: { [weak self] in self?.leave(status: 1) })
    signals = TerminalSignals { [weak self] in self?.didReceive($0) }
    screen.didTakeFrame = { [weak self] in self?.drawIfDirty() }
    showPictures()
    screen.askQuestions()
  }

  /// Ends the program when no key was pressed for `limit`.
  func leave(afterIdle limit: Duration) {
    idling = IdleTimer(limit) { [weak self] in self?.leave(status: 0, by: SIGHUP) }
  }

  // MARK: Events

  private func didReceive(_ events: [InputEvent]) {
    isHandlingEvents = true
    for event in events where whenLeft != nil {
      didReceive(event)
      switch event {
      case .key(let key):
        if let command = ProgramCommand(key) { perform(command) } else { fallthrough }
      case .paste, .mouse:
        queue.append(event)
        handleInput()
      case .reply(let reply): didReceive(reply)
      case .focus: break
      }
    }
    handleInput()
    isHandlingEvents = false
    drawIfDirty()
  }

  /// Handles the input that does not have to wait.
  private func handleInput() {
    while case .program = holder, whenLeft != nil, let input = queue.next(for: navigator.stack) {
      handle(input)
      // The handler of signals waits for the main queue, which thousands of keys keep for seconds.
      signals?.handleWaiting()
    }
    if !queue.isEmpty, whenLeft != nil { waitForTurn() }
  }

  /// Continues with input and frames as soon as the navigation stack is ready.
  private func waitForTurn() {
    guard !isWaiting else { return }
    isWaiting = true
    observing {
      _ = (navigator.stack.isTurning, navigator.stack.isLoading)
    } onChange: { [weak self] in
      Task { @MainActor [weak self] in
        self?.isWaiting = false
        self?.didReceive([])
      }
    }
  }

  private func handle(_ input: InputQueue.Input) {
    let hadMouse = program.hasMouse
    markets.didReceiveInput()
    queue.prepend(window.handleInput(input))
    if program.hasMouse != hadMouse {
      screen.captureMouse(program.hasMouse)
      isDirty = true
    }
    if program.isQuitting { leave(status: 0) }
  }

  /// Updates `UserPresence` and the idle timer from a focus or key event.
  private func didReceive(_ event: InputEvent) {
    switch event {
    case .focus(let hasFocus):
      opened.didChangeFocus(to: hasFocus)
      // Another colour scheme may have been chosen elsewhere.
      if hasFocus, case .program = holder { screen.askBackground() }
    case .key, .paste, .mouse:
      opened.didPressKey()
      idling?.didPressKey()
    case .reply: break
    }
  }

  private func didReceive(_ reply: TerminalReply) {
    screen.didReceive(reply)
    pictures.didReceive(reply)
    if case .attributes = reply { raiseColors() }
    showPictures()
    if case .colorScheme = reply { screen.askBackground() }
    if pictures.facts.probe.hasWideSymbols { isDirty = true }
    let answered = Theme.Ground(isLight: pictures.facts.isGroundLight)
    guard answered != ground else { return }
    ground = answered
    let shown = context.theme
    appearance.show(in: &context, on: ground, screen.capabilities)
    if context.theme != shown { isDirty = true }
  }

  /// Adopts the colours that the terminal has answered, if they are more than known.
  private func raiseColors() {
    guard let colors = pictures.facts.answeredColors, screen.raiseColors(to: colors) else { return }
    pictures.didRaiseColors()
    appearance.show(in: &context, on: ground, screen.capabilities)
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
    case .resume: resume()
    case .terminate: leave(status: 0, by: SIGTERM)
    case .hangUp: leave(status: 1, by: SIGHUP)
    }
  }

  private func suspend() {
    // A guest's terminal has no shell behind it.
    guard program.guest == nil else { return }
    markets.forgetPasswords()
    if case .program = holder {
      screen.suspend()
      holder = .shell
    }
    TerminalSignals.stop()
  }

  private func resume() {
    switch holder {
    case .editor(let editor): editor.resume()
    case .program, .shell:
      // `bg` has continued it, or another process.
      guard screen.isInForeground else { return ForegroundJob().stop() }
      holder = .program
      screen.resume()
      pictures.didResize()
      showPictures()
      isDirty = true
      didReceive([])
    }
  }

  /// Continues after an editor, or ends the program if that was requested meanwhile.
  private func didEdit() {
    if let statusAfterEditor { return end(status: statusAfterEditor, isHurried: true) }
    input?.resume()
    pictures.didResize()
    showPictures()
    isDirty = true
    queue.forgetBeforeLeaving()
    didReceive([])
  }

  /// Ends the program; an editor in the foreground is ended first, by the same signal or SIGTERM.
  private func leave(status: Int32, by signal: Int32? = nil) {
    guard case .editor(let editor) = holder else {
      return end(status: status, isHurried: signal != nil)
    }
    statusAfterEditor = status
    editor.end(by: signal ?? SIGTERM)
    DispatchQueue.main.asyncAfter(deadline: .now() + Self.exitTimeout) {
      MainActor.assumeIsolated { self.end(status: status, isHurried: true) }
    }
  }

  private func end(status: Int32, isHurried: Bool) {
    guard let whenLeft else { return }
    self.whenLeft = nil
    markets.forgetPasswords()
    input?.cancel()
    screen.close(isHurried: isHurried)
    whenLeft(status)
  }

  // MARK: Frames

  private var navigator: Navigator { markets.current }
  private var program: ProgramState { markets.program }

  private var window: Window {
    Window(navigator: navigator, size: screen.size, context: context)
  }

  /// Draws the first frame when rows have been read, or after `initialTimeout` without them: an empty
  /// frame would delay rows that are available at once.
  private func drawFirstFrame() {
    isDirty = true
    // The position of the selection depends on the size of the screen, so the layout comes before the
    // rows.
    window.layOut()
    DispatchQueue.main.asyncAfter(deadline: .now() + Self.initialTimeout) { [weak self] in
      MainActor.assumeIsolated { self?.drawIfDirty() }
    }
    drawWithRows()
  }

  private func drawWithRows() {
    guard isDirty else { return }
    let list = navigator.browser.list
    let isReading = observing {
      list.feed.count == 0 && list.feed.phase == .loading
    } onChange: { [weak self] in
      Task { @MainActor in self?.drawWithRows() }
    }
    if !isReading { drawIfDirty() }
  }

  private func drawFrame() {
    guard case .program = holder, whenLeft != nil else { return }
    guard screen.isReady, !navigator.stack.isTurning else {
      // Drawn when the terminal has taken the last frame and the pending navigation is done.
      isDirty = true
      if navigator.stack.isTurning { waitForTurn() }
      return
    }
    if pictureMode != pictures.mode { showPictures() }
    context.movesPanels = screen.movesPanels
    window.layOut()
    isDirty = false
    context.now = SystemTime.now()
    reading?.end()
    let reading = ObservedReading { [weak self] in self?.invalidate() }
    self.reading = reading
    screen.show(reading.read { window.draw() })
  }

  /// Mode of pictures; a plain screen has none.
  private var pictureMode: PictureMode { context.isPlain ? .none : program.pictureMode }

  /// Applies another appearance from the next frame on; options changed by keys meanwhile stay unless
  /// it changes them, too.
  func show(_ appearance: Appearance) {
    let (old, new) = (self.appearance.options, appearance.options)
    self.appearance = appearance
    appearance.show(in: &context, on: ground, screen.capabilities)
    program.asksAlways = new.asksAlways
    if new.asksAlways { markets.forgetPasswords() }
    if new.pictures != old.pictures { program.pictureMode = new.pictures }
    if new.view != old.view, let arrangement = new.arrangement {
      for navigator in markets.open { navigator.browser.arrange(as: arrangement) }
    }
    screen.useASCIISymbols(appearance.options.hasASCIISymbols)
    opened.strings = context.strings
    showPictures()
    invalidate()
  }

  /// Shows a terminal notification if the options ask for one and the user is absent, or always if they
  /// say so.
  func notify(_ text: SafeText) {
    let options = appearance.options
    guard options.notify != .off, options.notifiesAlways || !opened.attention.isThere else {
      return
    }
    screen.notify(text, by: options.notify)
    invalidate()
  }

  /// Updates the pictures to the current mode and terminal.
  private func showPictures() {
    guard pictures.show(pictureMode) else { return }
    context.pictures = pictures.style
    context.pictureChoice = pictures.choice
    invalidate()
  }

  private func drawIfDirty() {
    // The other pictures follow when the terminal has taken the first.
    if isDirty || screen.isIncomplete { drawFrame() }
  }

  /// Schedules a frame after all pending events, since something in the last one is about to change.
  private func invalidate() {
    guard !isDirty else { return }
    isDirty = true
    guard !isHandlingEvents else { return }
    Task { drawIfDirty() }
  }
}

extension MarketApp: NavigatorDelegate {
  func copy(_ product: ListedProduct, at address: ProductAddress?) {
    copy(
      ProductText.line(product, at: address, context.strings),
      context.strings(address == nil ? .copiedWithoutAddress : .copiedWithAddress, product.name))
  }

  func copy(_ address: ProductAddress) { copy(SafeText(address.text)) }

  func perform(_ action: PictureAction) {
    guard program.guest == nil else { return }
    opened.actions(of: navigator)?.run(action)
  }

  var opensLinks: Bool { SessionEnvironment().hasDesktop }

  func open(_ link: WebLink) {
    let strings = context.strings
    Task {
      let error = await links.open(link.address)
      let text = SafeText(link.address)
      navigator.announce(
        .words(
          error.map { "✗ " + strings(.linkNotOpened, text, $0.text(strings)) }
            ?? strings(.linkOpened, text)))
    }
  }

  func copy(_ text: SafeText) { copy(text, context.strings(.copied, text)) }

  private func copy(_ text: SafeText, _ sentence: SafeText) {
    let isSent = screen.copy(text)
    isDirty = true
    navigator.announce(isSent ? .words(sentence) : .hint(.noClipboard))
  }

  func perform(_ command: ProgramCommand) {
    switch command {
    case .suspend:
      // Without a waiting shell nothing could continue the program.
      guard program.guest != nil || ProcessGroup(leader: getpgrp()).hasShell else {
        return navigator.announce(.words(context.strings[.suspendNeedsShell]))
      }
      suspend()
    case .redraw:
      screen.redraw()
      isDirty = true
    }
  }

  /// Runs the user's editor in the foreground; signals are handled meanwhile.
  func editExternally(_ text: String, then take: (EditorOutcome) -> Void) async {
    guard program.guest == nil else { return take(.none) }
    guard case .program = holder, whenLeft != nil else { return take(.failed) }
    let editor = ExternalEditor(environment: Environment.value)
    holder = .editor(editor)
    let typed = screen.suspend()
    input?.pause()
    let outcome = await editor.edit(text)
    holder = .program
    screen.resume(isLeftBehind: editor.wasKilled)
    // Input that came with the key of the editor is older.
    for event in typed { queue.append(event) }
    // The outcome precedes input that was typed meanwhile.
    take(outcome)
    didEdit()
  }
}
