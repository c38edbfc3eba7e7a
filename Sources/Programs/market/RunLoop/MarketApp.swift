import Dispatch
import Glibc
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import Posix
import SafeTextKit
import TerminalKit

/// The run loop: events in, one frame out, all on the main queue.
///
/// A frame is drawn inside `observing`; what it read schedules the next one when it
/// changes. Nothing else draws, so an idle program does nothing.
final class MarketApp {
  private let screen: TerminalScreen
  private let markets: Markets
  private var context: RenderContext
  private var appearance: Appearance
  /// The terminal's ground, as far as it is known.
  private var ground: Theme.Ground
  private let pictures: PictureDisplay
  /// What is done with pictures of the market that is shown.
  private let opened: MarketSessions
  private let links = DesktopOpener()
  private var input: TerminalInput?
  private var signals: TerminalSignals?
  /// Whether something that the last frame showed has changed since.
  private var isDirty = false
  private var isHandlingEvents = false
  private var holder = Holder.program
  private var queue = InputQueue()
  /// Whether the end of what input and frames wait for is watched.
  private var isWaiting = false
  /// What was read for the last frame; the next one takes its place.
  private var reading: ObservedReading?
  /// With which status the program ends as soon as its editor has.
  private var statusAfterEditor: Int32?
  /// Leaves when nobody has pressed a key for long; nil waits for ever.
  private var idling: IdleTimer?
  /// Called once, with the exit status.
  private var whenLeft: ((Int32) -> Void)?

  /// Holder of the terminal.
  private enum Holder {
    case program
    case shell
    case editor(ExternalEditor)
  }

  /// How long the program waits for the end of an editor and of the draft's writing before it ends all
  /// the same.
  private static let exitTimeout = DispatchTimeInterval.seconds(2)
  /// How long the first frame waits for rows: a frame of a usual screen.
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

  /// Runs until the user leaves or the terminal goes and has been given back; gives the exit
  /// status.
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

  /// Ends the program when no key comes for so long.
  func leave(afterIdle limit: Duration) {
    idling = IdleTimer(limit) { [weak self] in self?.leave(status: 0, by: SIGHUP) }
  }

  // MARK: Events

  private func didReceive(_ events: [InputEvent]) {
    isHandlingEvents = true
    for event in events {
      note(event)
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

  /// Handles the input that waits for nothing.
  private func handleInput() {
    while case .program = holder, let input = queue.next(for: navigator.stack) { handle(input) }
    if !queue.isEmpty { waitForTurn() }
  }

  /// Goes on with input and frames as soon as what they wait for is there.
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
    queue.prepend(window.take(input))
    if program.hasMouse != hadMouse {
      screen.captureMouse(program.hasMouse)
      isDirty = true
    }
    if program.isQuitting { leave(status: 0) }
  }

  /// Notes whether somebody looks.
  private func note(_ event: InputEvent) {
    switch event {
    case .focus(let hasFocus): opened.didChangeFocus(to: hasFocus)
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
    guard case .background(let color) = reply else { return }
    ground = color.isLight ? .light : .dark
    let shown = context.theme
    appearance.show(in: &context, on: ground, screen.capabilities)
    if context.theme != shown { isDirty = true }
  }

  /// All answers are there: shows the colours that the terminal says it has, if they are more.
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
    // Behind a guest's terminal is no shell.
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
    case .program: break
    case .editor(let editor): editor.resume()
    case .shell:
      holder = .program
      screen.resume()
      pictures.didResize()
      showPictures()
      isDirty = true
      didReceive([])
    }
  }

  /// Goes on after an editor, or ends with the draft kept where that was asked for meanwhile.
  private func didEdit() {
    if let statusAfterEditor { return end(status: statusAfterEditor, isHurried: true) }
    input?.resume()
    pictures.didResize()
    showPictures()
    isDirty = true
    queue.forgetBeforeLeaving()
    didReceive([])
  }

  /// Ends the program; first its editor, where that has the terminal, by the same signal or SIGTERM.
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

  /// The screens that are shown.
  private var navigator: Navigator { markets.current }
  private var program: ProgramState { markets.program }

  private var window: Window {
    Window(navigator: navigator, size: screen.size, context: context)
  }

  /// Draws the first frame as soon as rows have been read, or without them if that takes longer than
  /// anybody would notice: rows that are at hand would only have to wait behind an empty frame.
  private func drawFirstFrame() {
    isDirty = true
    // Rows find the place of the selection on the screen, so they have to come after its size.
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
      // Drawn as things are when the terminal has taken the frame before, and an answer has led on.
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
    // The rest of the pictures follows when the terminal has taken these.
    if screen.isIncomplete { isDirty = true }
  }

  /// How pictures are wanted; a plain screen has none.
  private var pictureMode: PictureMode { context.isPlain ? .none : program.pictureMode }

  /// Shows everything in another appearance from the next frame on; what was changed by keys
  /// meanwhile stays where this one does not change it.
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

  /// Has the terminal show a notification where one is wanted and nobody looks.
  func notify(_ text: SafeText) {
    let options = appearance.options
    guard options.notify != .off, options.notifiesAlways || !opened.attention.isThere else {
      return
    }
    screen.notify(text, by: options.notify)
    invalidate()
  }

  /// Shows pictures as the user and the terminal want it by now.
  private func showPictures() {
    guard pictures.show(pictureMode) else { return }
    context.pictures = pictures.style
    context.pictureChoice = pictures.choice
    invalidate()
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
      // Without a shell that waits nothing would ever bring the program back.
      guard program.guest != nil || ProcessGroup(leader: getpgrp()).hasShell else {
        return navigator.announce(.words(context.strings[.suspendNeedsShell]))
      }
      suspend()
    case .redraw:
      screen.redraw()
      isDirty = true
    }
  }

  /// Lends the terminal to the user's own editor until that ends; signals are heard meanwhile.
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
    // What came with the key of the editor is older.
    for event in typed { queue.append(event) }
    // Before what was typed meanwhile.
    take(outcome)
    didEdit()
  }
}
