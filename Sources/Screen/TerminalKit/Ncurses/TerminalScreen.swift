import Dispatch
import Glibc
package import SafeTextKit

/// Screen of the terminal: shows canvases, one after the other, and gives the terminal back.
///
/// There must be one at a time, since ncurses keeps its screen in global variables.
@MainActor package final class TerminalScreen {
  package private(set) var capabilities: TerminalCapabilities
  package private(set) var size: CellSize
  /// Keys that the terminal sends in its own way.
  package let keys: KeyTable

  /// Called when the terminal has taken all of a frame, so that it can get another one.
  package var didTakeFrame: () -> Void = {}

  private let device: TerminalDevice
  private let writer: TerminalWriter
  private var cells: CellPainter
  /// The canvas that the terminal shows; nil when that is not known.
  private var shown: Canvas?
  /// Whether that is only some of the last frame.
  private var isPartial = false
  private var phase = Phase.taken
  private var method = PictureMethod.none
  private var channel = PictureChannel.none
  private var links = LinkPainter()
  private var pace: OutputRateEstimator
  private let environment: TerminalEnvironment
  private var questions = PendingTerminalQueries()
  private var capturesMouse = true
  private var actions = PendingActions()

  /// Takes the terminal over, which `descriptor` opens both ways, else standard input and output;
  /// the first frame shows it.
  ///
  /// - Parameters:
  ///   - environment: what is known of the terminal.
  ///   - descriptor: the terminal; nil is standard input and output.
  ///   - takesOver: whether the terminal is taken at once, or stays as it is until `resume()`.
  /// - Throws: why there is no screen; the terminal is then as it was.
  package init(
    _ environment: TerminalEnvironment = .current(), descriptor: Int32? = nil,
    takesOver: Bool = true
  ) throws(TerminalError) {
    device = try TerminalDevice(
      input: descriptor ?? STDIN_FILENO, output: descriptor ?? STDOUT_FILENO)
    writer = TerminalWriter(descriptor: device.output, isOwn: device.ownsOutput)
    let choice = try TerminfoChoice(environment)
    let encoding = CharacterLocale.activate()
    let size = device.size ?? CellSize(columns: 80, rows: 24)
    let refuses = environment.refusesColor
    let known = NcursesWindow(choice, size: size, refusesColor: refuses)
    guard let window = known ?? NcursesWindow(.palette, size: size, refusesColor: refuses) else {
      throw .unavailable
    }
    let source: ColorCapability.Source =
      refuses ? .refusal : choice == .direct ? .environment : .entry
    self.size = size
    pace = OutputRateEstimator(isOverSSH: environment.isOverSSH)
    self.environment = environment
    capabilities = TerminalCapabilities(
      colors: ColorCapability(depth: window.colorDepth, source: source),
      canStrikeThrough: window.canStrikeThrough, encoding: encoding,
      entry: known == nil ? .substitute : choice.embedded == nil ? .system : .own)
    // The program's own entries are those of xterm, whose keys need no table.
    keys = capabilities.entry == .system ? KeyTable(window.keyCapabilities) : KeyTable()
    cells = CellPainter(in: window, of: size, capabilities)
    chooseMoves()
    if takesOver {
      device.takeOver(restoring: [])
    } else {
      phase = .suspended
    }
  }

  /// Shows more colours from the next frame on, which draws everything.
  ///
  /// - Returns: whether it does; not where there are as many already, or the user wants none.
  package func raiseColors(to colors: ColorCapability) -> Bool {
    let now = capabilities.colorDepth
    guard now > .none, colors.depth > now, let choice = TerminfoChoice(colors.depth),
      let better = NcursesWindow(choice, size: size, refusesColor: false)
    else { return false }
    capabilities = TerminalCapabilities(
      colors: colors, canStrikeThrough: better.canStrikeThrough, encoding: capabilities.encoding,
      entry: .own)
    let hasASCIISymbols = cells.hasASCIISymbols
    cells = CellPainter(in: better, of: size, capabilities)
    cells.hasASCIISymbols = hasASCIISymbols
    if phase == .entered { better.join() }
    // The numbers of pictures depend on the colours.
    usePictures(method)
    return true
  }

  /// Asks the terminal about itself right after the next frame; the answers come as replies.
  package func askQuestions() {
    guard environment.knowsStrings else { return }
    questions.scheduleRequest()
  }

  /// Whether the terminal has taken all of the last frame: the next one changes what that has left.
  package var isReady: Bool { !writer.isBusy && !pace.isBusy }

  /// Begins to bring the terminal to show a canvas; nothing waits for the terminal.
  ///
  /// A canvas of another size, drawn before a resize that has come meanwhile, is not shown, nor is
  /// one that comes before the screen is ready.
  package func show(_ canvas: Canvas) {
    guard isReady, phase != .suspended, canvas.size == size, !size.isEmpty else { return }
    isPartial = false
    var output: [UInt8] = []
    if let shown {
      guard shown != canvas || questions.areDue || isIncomplete || !actions.isEmpty else {
        return
      }
    } else {
      output += enter()
      cells.window.forgetContents()
      channel.reset(size: size)
      links.reset()
    }
    output += movePanel(to: canvas)
    output += frame(of: affordable(canvas))
    if !output.isEmpty {
      output = TerminalModes.frameBegins + output + TerminalModes.frameEnds
    }
    write(output)
  }

  /// Whether the terminal moves rows within some columns alone.
  package var movesPanels: Bool { questions.haveToldMargins && movesLines }

  /// Moves rows that the terminal shows to where they stand in the next frame.
  private func movePanel(to canvas: Canvas) -> [UInt8] {
    guard movesLines, let shown, let move = MarginScroll(from: shown, to: canvas),
      move.isWhole(of: size) ? capabilities.entry != .system : movesPanels
    else { return [] }
    let moved = shown.applying(move)
    self.shown = moved
    return cells.move(move, to: moved, over: channel)
  }

  /// The bytes that make the frame before into this one: its text, then links and pictures over that.
  private func frame(of canvas: Canvas) -> [UInt8] {
    channel.begin(canvas)
    for row in 0..<size.rows { put(row, of: canvas) }
    var output = cells.window.frame(cursor: canvas.cursor)
    // Painted pictures went with their lines: those that belong there are painted again.
    if isPainted, ScrollOptimizer.areIn(output) { channel.reset(size: size) }
    if environment.knowsStrings {
      let before = shown
      output += links.end(canvas) { canvas.changedColumns(ofRow: $0, since: before) != nil }
    }
    cells.didRefresh()
    shown = canvas
    return output
      + channel.end(canvas, budget: pace.isWaiting ? 0 : pace.budget, isSlow: pace.isSlow)
  }

  /// Writes a frame with what is asked of the terminal around it, and what is done beside it.
  private func write(_ frame: [UInt8]) {
    var output = frame
    if environment.knowsStrings, pace.willWrite(output.count) {
      output = TerminalModes.statusQuestion + output + TerminalModes.statusQuestion
      waitForStatus()
    }
    output += questions.take(questionBytes)
    output = actions.take() + output
    guard !output.isEmpty else { return }
    let count = output.count
    writer.write(output) { [weak self] duration in
      self?.pace.didWrite(count, in: duration)
      self?.didTakeFrame()
    }
  }

  /// The frame, or on a slow line what of it is soon there.
  private func affordable(_ canvas: Canvas) -> Canvas {
    guard pace.isSlow, let shown else { return canvas }
    let step = canvas.step(from: shown, budget: pace.budget)
    isPartial = step != canvas
    return step
  }

  /// Goes on where the terminal does not say that it has taken a frame.
  private func waitForStatus() {
    let number = pace.asked
    let timeout = DispatchTimeInterval.milliseconds(Int(pace.timeout / .milliseconds(1)))
    DispatchQueue.main.asyncAfter(deadline: .now() + timeout) { [weak self] in
      MainActor.assumeIsolated {
        guard let self, self.pace.giveUp(on: number) else { return }
        self.didTakeFrame()
      }
    }
  }

  /// Whether some of the last frame is still to come; showing it again brings more.
  package var isIncomplete: Bool { isPartial || shown.map(channel.isIncomplete) ?? false }

  /// The size of a cell in pixels, where the system knows it.
  package var cellPixels: CellPixels? { device.cellPixels }

  /// Asks the terminal about itself, for when nothing is shown, and waits for the answers while it
  /// is not silent for so many milliseconds.
  package func queryAndWait(_ milliseconds: Int32) -> [TerminalReply] {
    guard environment.knowsStrings else { return [] }
    device.write(questionBytes)
    return device.replies(within: milliseconds)
  }

  private var questionBytes: [UInt8] {
    TerminalModes.questions(
      environment, asksColors: environment.mayShowMoreColors && capabilities.colorDepth > .none)
  }

  /// How many columns the terminal moves for a text; nil where it does not say.
  ///
  /// The text is written into the next line and wiped again: an answer from the first row would look
  /// like a key (F3 of xterm).
  package func measure(_ text: SafeText, _ milliseconds: Int32) -> Int? {
    device.write(Array("\r\n\(text.string)\u{1B}[6n\u{1B}[c".utf8))
    let replies = device.replies(within: milliseconds)
    device.write(Array("\r\u{1B}[K\u{1B}[A".utf8))
    for case .cursor(let point) in replies { return point.column }
    return nil
  }

  /// Shows pictures by another method from the next frame on, which draws everything.
  package func usePictures(_ method: PictureMethod) {
    actions.pictures += channel.clear()
    self.method = method
    switch method {
    case .kitty:
      channel = .kitty(
        KittyChannel(
          wrapper: environment.isInsideTmux ? .tmux : .direct, depth: capabilities.colorDepth,
          process: getpid()))
    case .sixel, .inline: channel = .paint(PaintChannel())
    case .blocks, .none: channel = .none
    }
    chooseMoves()
    if method == .sixel { actions.pictures += TerminalModes.moreSixelColors }
    shown = nil
    guard phase == .entered else { return }
    device.takeOver(restoring: restoringBytes)
  }

  /// Shows symbols in ASCII, or again as they are, from the next frame on, which draws everything.
  package func useASCIISymbols(_ uses: Bool) {
    guard cells.hasASCIISymbols != uses else { return }
    cells.hasASCIISymbols = uses
    shown = nil
  }

  /// Learns of an answer that came, so that `close()` need not wait for it.
  package func didReceive(_ reply: TerminalReply) {
    questions.didReceive(reply)
    if reply == .ready { pace.didAnswer(at: .now) }
    if case .attributes = reply, environment.isInsideTmux { askKittyAgainLater() }
  }

  private func askKittyAgainLater() {
    guard let delay = questions.nextRepeat() else { return }
    let timeout = DispatchTimeInterval.milliseconds(Int(delay / .milliseconds(1)))
    DispatchQueue.main.asyncAfter(deadline: .now() + timeout) { [weak self] in
      MainActor.assumeIsolated {
        guard let self, self.phase == .entered else { return }
        guard self.isReady, let bytes = self.questions.takeRepeat() else {
          return self.askKittyAgainLater()
        }
        self.writer.write(bytes) { [weak self] _ in self?.didTakeFrame() }
      }
    }
  }

  /// Takes the size that the window has now, which is that of the next canvas.
  @discardableResult
  package func resize() -> CellSize {
    size = device.size ?? size
    cells.resize(to: size)
    chooseMoves()
    shown = nil
    return size
  }

  /// Makes the next frame draw everything, over whatever other programs have written.
  package func redraw() { shown = nil }

  /// Gives the terminal back until `resume()`; nothing is shown meanwhile.
  ///
  /// It is hurried where nobody is there to wait for a terminal that takes no output, as where a
  /// signal ends the program.
  ///
  /// - Returns: what was typed while the terminal's last answers were waited for.
  @discardableResult
  package func suspend(isHurried: Bool = false) -> [InputEvent] {
    guard phase != .suspended else { return [] }
    let isCutOff = writer.end(timeout: isHurried ? Self.shortTimeout : Self.timeout)
    if phase == .entered {
      let clearing = channel.clear()
      let margins = questions.haveToldMargins ? MarginScroll.ending : []
      let ending = isCutOff ? TerminalModes.stringEnds + margins : []
      let timeout = isCutOff || isHurried ? Self.shortTimeout : Self.timeout
      device.write(ending + actions.take() + clearing, timeout: timeout)
      // tmux may end with this program and drop what it has not handed on: it answers after that.
      if environment.isInsideTmux, !clearing.isEmpty {
        askLast()
      }
      cells.window.leave()
    }
    // Behind its answer there is none to the questions before it.
    if pace.isWaiting, questions.areNone { askLast() }
    pace.reset()
    var typed: [InputEvent] = []
    if questions.areAsked {
      // The shell would take the answers for keys.
      let timeout = questions.timeout()
      typed = device.events(within: isHurried ? min(timeout, Self.shortTimeout) : timeout)
        .filter { if case .reply = $0 { false } else { true } }
      questions.end()
    }
    device.giveBack()
    phase = .suspended
    return typed
  }

  /// Asks what the terminal answers after all else.
  private func askLast() {
    device.write(TerminalModes.lastQuestion, timeout: Self.shortTimeout)
    questions.didAskLast()
  }

  /// Takes the terminal again, at the size it has now; the next frame draws everything.
  ///
  /// It is left behind where who had it may have left modes of a full screen switched on.
  package func resume(isLeftBehind: Bool = false) {
    // A stop from outside left the terminal to the shell without `suspend()`.
    if phase == .entered { cells.window.leave() }
    device.takeOver(restoring: isLeftBehind ? restoringBytes : [])
    phase = .taken
    resize()
  }

  /// Gives the terminal back for good.
  package func close(isHurried: Bool = false) { suspend(isHurried: isHurried) }

  /// Puts a text on the terminal's clipboard with the next frame, if the terminal allows that;
  /// false where it would show the command instead.
  package func copy(_ text: SafeText) -> Bool {
    guard phase == .entered, environment.knowsStrings else { return false }
    // Where tmux hands pictures on, the command goes to the terminal around it; else tmux takes it.
    let isHandedOn = if case .kitty = channel { environment.isInsideTmux } else { false }
    actions.clipboard = Clipboard.taking(text, isHandedOn ? .tmux : .direct)
    return true
  }

  /// Has the terminal show a notification with the next frame.
  package func notify(_ text: SafeText, by choice: NotificationChoice) {
    guard phase == .entered, let method = choice.method(on: environment) else { return }
    actions.notification = TerminalNotification.bytes(
      text, method, environment.isInsideTmux ? .tmux : .direct)
  }

  /// Releases or captures the mouse with the next frame, so that the terminal's own selection works.
  package func captureMouse(_ captures: Bool) {
    capturesMouse = captures
    guard phase == .entered else { return }
    actions.mouse = captures ? TerminalModes.mouseOn : TerminalModes.mouseOff
  }

  /// Phase of the screen: whose the terminal is.
  private enum Phase {
    /// Others write to it.
    case suspended
    /// Its keys are ours; it still shows what others wrote.
    case taken
    /// It shows our frames.
    case entered
  }

  /// Milliseconds for which a terminal that is given back may take no output; a multiplexer that is
  /// busy with pictures may take some time.
  private static let timeout: Int32 = 1_000
  private static let shortTimeout: Int32 = 100

  /// Lets ncurses move lines on the terminal, or not.
  private func chooseMoves() { cells.window.setMovesContents(movesLines) }

  /// Whether the terminal may move lines: painted pictures would go with them, and in a window that
  /// is larger than the screen others would come in.
  private var movesLines: Bool { !isPainted && size.rows < TerminalDevice.maxSize.rows }

  private var isPainted: Bool { if case .paint = channel { true } else { false } }

  /// Makes ready for the first frame, and gives the bytes that switch the modes on; none where they
  /// are.
  private func enter() -> [UInt8] {
    guard phase != .entered else { return [] }
    phase = .entered
    // Only now: leaving a screen that was never entered would move the shell's cursor.
    device.takeOver(restoring: restoringBytes)
    return TerminalModes.on + (capturesMouse ? TerminalModes.mouseOn : [])
  }

  private var restoringBytes: [UInt8] {
    TerminalModes.frameEnds + channel.clearingBytes + TerminalModes.off
      + cells.window.restoringBytes
  }

  /// Puts what differs in one row into ncurses: from the first to the last cell that changed.
  private func put(_ row: Int, of canvas: Canvas) {
    guard let columns = canvas.changedColumns(ofRow: row, since: shown) else { return }
    channel.willWrite(row: row, columns: columns, of: canvas, since: shown)
    cells.put(row, columns, of: canvas, over: channel)
  }
}
