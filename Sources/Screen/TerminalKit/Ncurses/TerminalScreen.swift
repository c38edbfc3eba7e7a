internal import CNcurses
import Dispatch
import Glibc
package import SafeTextKit

/// Screen of the terminal: shows canvases and restores the terminal at the end.
///
/// At most one may exist at a time, because ncurses keeps its screen in global variables.
@MainActor package final class TerminalScreen {
  /// Name and version of ncurses.
  package nonisolated static var libraryVersion: String { String(cString: curses_version()) }

  package private(set) var capabilities: TerminalCapabilities
  package private(set) var size: CellSize
  /// Keys that the terminal sends with its own sequences.
  package let keys: KeyTable

  /// Called when the terminal has taken a whole frame and the next may be shown, which is due where
  /// `isIncomplete`.
  package var didTakeFrame: () -> Void = {}

  private let device: TerminalDevice
  private let writer: TerminalWriter
  private var cells: CellPainter
  /// Canvas that the terminal shows; nil where its contents are unknown.
  private var shown: Canvas?
  /// Whether the shown canvas has only some rows of the last frame.
  private var isPartial = false
  private var phase = Phase.taken
  private var method = PictureMethod.none
  private var channel = PictureChannel.none
  private var links = LinkPainter()
  private var pace: OutputRateEstimator
  private var environment: TerminalEnvironment
  private var probe = CursorProbe()
  /// Modes of `TerminalModes.wanted` that were reset and are set meanwhile.
  private var borrowedModes: [Int] = []
  private var questions = PendingTerminalQueries()
  private var capturesMouse = true
  private var actions = PendingActions()
  /// Whether unconfirmed pictures are looked at after a delay.
  private var isCheckingPictures = false

  /// Takes over the terminal; its contents change with the first frame.
  ///
  /// - Parameters:
  ///   - environment: facts about the terminal.
  ///   - descriptor: the terminal for input and output; nil is standard input and output.
  ///   - takesOver: false leaves the terminal unchanged until `resume()`.
  /// - Throws: `.notATerminal` where a descriptor is no terminal; `.unnamedTerminal` without `TERM`;
  ///   `.tooSimple` for `TERM=dumb`; `.unavailable` where ncurses opens no entry. The terminal is then
  ///   unchanged.
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
    // Embedded entries are xterm's, whose keys need no table.
    keys = capabilities.entry == .system ? KeyTable(window.keyCapabilities) : KeyTable()
    cells = CellPainter(in: window, of: size, capabilities)
    chooseMoves()
    if takesOver {
      device.takeOver(restoring: [])
    } else {
      phase = .suspended
    }
  }

  /// Shows more colours from the next frame on, which is drawn in full.
  ///
  /// - Returns: false where the screen already has as many colours, or the user refuses them, or
  ///   ncurses cannot open the entry.
  package func raiseColors(to colors: ColorCapability) -> Bool {
    let now = capabilities.colorDepth
    guard now > .none, colors.depth > now, let choice = TerminfoChoice(colors.depth),
      let better = NcursesWindow(choice, size: size, refusesColor: false)
    else { return false }
    capabilities = TerminalCapabilities(
      colors: colors, canStrikeThrough: better.canStrikeThrough, encoding: capabilities.encoding,
      entry: .own)
    let (hasASCIISymbols, replacesAmbiguous) = (cells.hasASCIISymbols, cells.replacesAmbiguous)
    cells = CellPainter(in: better, of: size, capabilities)
    cells.hasASCIISymbols = hasASCIISymbols
    cells.replacesAmbiguous = replacesAmbiguous
    if phase == .entered { better.join() }
    // The ids of pictures depend on the colour depth.
    usePictures(method)
    return true
  }

  /// Sends queries about the terminal after the next frame; the answers arrive as replies.
  package func askQuestions() {
    guard environment.knowsStrings else { return }
    questions.schedule(.first)
  }

  /// Queries the background again, which may have changed meanwhile.
  package func askBackground() {
    guard environment.knowsStrings else { return }
    questions.schedule(.background)
    sendQuestions()
  }

  /// Whether the terminal has taken the whole last frame; the next one is a difference to it.
  package var isReady: Bool { !writer.isBusy && !pace.isBusy }

  /// Starts updating the terminal to a canvas, without blocking.
  ///
  /// Ignores a canvas of another size, drawn before a resize, any canvas while `isReady` is false, and
  /// any while the process is in the background.
  package func show(_ canvas: Canvas) {
    guard isReady, phase != .suspended, canvas.size == size, !size.isEmpty, isInForeground else {
      return
    }
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

  /// Whether the terminal can scroll rows within some columns.
  package var movesPanels: Bool { questions.haveToldMargins && movesLines }

  /// Scrolls rows that the terminal shows to their position in the next frame.
  private func movePanel(to canvas: Canvas) -> [UInt8] {
    guard movesLines, let shown, let move = MarginScroll(from: shown, to: canvas),
      move.isWhole(of: size) ? capabilities.entry != .system : movesPanels
    else { return [] }
    let moved = shown.applying(move)
    self.shown = moved
    return cells.move(move, to: moved, over: channel)
  }

  /// Returns the bytes from the last frame to this one: text first, then links and pictures.
  private func frame(of canvas: Canvas) -> [UInt8] {
    channel.begin(canvas)
    for row in 0..<size.rows { put(row, of: canvas) }
    var output = cells.window.frame(cursor: canvas.cursor)
    if questions.isProbeDue { output += probing(canvas.cursor) }
    // Scrolled lines take painted pictures with them, so all pictures are painted again.
    if isPainted, ScrollOptimizer.movesLines(output) { channel.reset(size: size) }
    if environment.knowsStrings {
      let before = shown
      output += links.end(canvas) { canvas.changedColumns(ofRow: $0, since: before) != nil }
    }
    cells.didRefresh()
    shown = canvas
    return output
      + channel.end(canvas, budget: pace.isWaiting ? 0 : pace.budget, isSlow: pace.isSlow)
  }

  /// Returns the bytes of the probe, which draws into the second row, and of that row again.
  private func probing(_ cursor: Cursor?) -> [UInt8] {
    probe = CursorProbe()
    let bytes = CursorProbe.bytes(
      around: TerminalModes.backgroundQuestion, at: .screen, draws: capabilities.isUTF8)
    let row = min(1, size.rows - 1)
    let home = cells.window.frame(cursor: nil)
    cells.window.forget(CellRect(column: 0, row: row, columns: size.columns, rows: 1))
    return home + bytes + cells.window.frame(cursor: cursor)
  }

  /// Writes a frame with pending queries and commands.
  private func write(_ frame: [UInt8]) {
    var output = frame
    if environment.knowsStrings, pace.willWrite(output.count) {
      output = TerminalModes.statusQuestion + output + TerminalModes.statusQuestion
      waitForStatus()
    }
    output += questions.nextQuery(bytes)
    prepareForEnd()
    output = actions.drain() + output
    guard !output.isEmpty else { return }
    let count = output.count
    writer.write(output) { [weak self] duration in
      self?.pace.didWrite(count, in: duration)
      self?.didTakeFrame()
    }
    checkPicturesLater()
  }

  /// Has pictures sent again that the terminal does not confirm, which tmux has dropped.
  private func checkPicturesLater() {
    guard !isCheckingPictures, channel.isWaiting else { return }
    isCheckingPictures = true
    DispatchQueue.main.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in
      MainActor.assumeIsolated {
        guard let self else { return }
        self.isCheckingPictures = false
        self.channel.loseUnconfirmed(after: self.pace.isSlow ? .seconds(8) : .seconds(2), at: .now)
        if self.isReady, self.isIncomplete { self.didTakeFrame() }
        self.checkPicturesLater()
      }
    }
  }

  /// Returns the canvas; on a slow connection, only the rows that fit the budget.
  private func affordable(_ canvas: Canvas) -> Canvas {
    guard pace.isSlow, let shown else { return canvas }
    let step = canvas.step(from: shown, budget: pace.budget)
    isPartial = step != canvas
    return step
  }

  /// Continues after a timeout where the terminal does not report that it has taken a frame.
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

  /// Whether a part of the last frame is outstanding; showing the canvas again draws more of it.
  package var isIncomplete: Bool { isPartial || shown.map(channel.isIncomplete) ?? false }

  /// Size of a cell in pixels; nil where the system does not report it.
  package var cellPixels: CellPixels? { device.cellPixels }

  /// Queries the terminal while no canvas is shown, and waits for replies until it is silent for
  /// `milliseconds`.
  package func queryAndWait(_ milliseconds: Int32) -> [TerminalReply] {
    guard environment.knowsStrings else { return [] }
    let probing = CursorProbe.bytes(
      around: TerminalModes.backgroundQuestion, at: .line, draws: capabilities.isUTF8)
    device.write(probing + bytes(of: .first) + TerminalModes.lastQuestion)
    let first = device.replies(within: milliseconds)
    first.forEach(learn)
    let second = bytes(of: .second)
    guard first.contains(where: \.isLast), !second.isEmpty else { return first }
    device.write(second + TerminalModes.lastQuestion)
    return first + device.replies(within: milliseconds)
  }

  /// Returns the queries of a round; the first one is sent beside the probe.
  private func bytes(of round: PendingTerminalQueries.Round) -> [UInt8] {
    switch round {
    case .first: return TerminalModes.firstQuestions
    case .background: return TerminalModes.backgroundQuestion
    case .second:
      guard environment.knowsStrings, ignoresStrings else { return [] }
      return TerminalModes.secondQuestions(
        environment,
        asksColors: environment.mayShowMoreColors && capabilities.colorDepth > .none,
        asksModes: hasToldVersion)
    }
  }

  /// Whether the terminal is known to ignore control strings that it does not know.
  private var ignoresStrings: Bool {
    probe.printsStrings.map { !$0 } ?? (hasToldVersion || hasToldBackground)
  }

  private var hasToldVersion = false
  private var hasToldBackground = false

  /// Whether ambiguous characters take two columns.
  package var hasWideSymbols: Bool { probe.hasWideSymbols }

  /// Whether this process may draw, as by the terminal's job control.
  package var isInForeground: Bool { device.isInForeground }

  /// Learns what a reply says about the terminal.
  private func learn(_ reply: TerminalReply) {
    switch reply {
    case .version(let version):
      hasToldVersion = true
      environment.didReceive(version: version)
    case .background: hasToldBackground = true
    case .cursor(let point): probe.didReceive(point)
    case .attributes: environment.printsStrings = probe.printsStrings ?? environment.printsStrings
    default: break
    }
  }

  /// Returns the columns by which the terminal advances for a text; nil where it does not reply.
  ///
  /// The text is written into the next line and erased: a reply from row 1 has the form of a key (F3 of
  /// xterm).
  package func measure(_ text: SafeText, _ milliseconds: Int32) -> Int? {
    device.write(Array("\r\n\(text.string)\u{1B}[6n\u{1B}[c".utf8))
    let replies = device.replies(within: milliseconds)
    device.write(Array("\r\u{1B}[K\u{1B}[A".utf8))
    for case .cursor(let point) in replies { return point.column }
    return nil
  }

  /// Uses another picture method from the next frame on, which is drawn in full.
  package func usePictures(_ method: PictureMethod) {
    actions.pictures += channel.clear()
    self.method = method
    switch method {
    case .kitty:
      channel = .kitty(
        KittyChannel(
          wrapper: environment.isInsideTmux ? .tmux : .direct, depth: capabilities.colorDepth,
          process: getpid()))
    case .sixel, .inline: channel = .paint(PaintChannel(erasing: erasure))
    case .blocks, .none: channel = .none
    }
    chooseMoves()
    if method == .sixel, environment.knowsStrings {
      actions.pictures += TerminalModes.moreSixelColors
    }
    shown = nil
    guard phase == .entered else { return }
    device.takeOver(restoring: restoringBytes)
  }

  /// Shows symbols in ASCII, or unchanged, from the next frame on, which is drawn in full.
  package func useASCIISymbols(_ uses: Bool) {
    guard cells.hasASCIISymbols != uses else { return }
    cells.hasASCIISymbols = uses
    shown = nil
  }

  /// How painted pictures are erased on this terminal.
  private var erasure: PictureErasure {
    environment.reportedBrand?.textErasesPictures == false ? .command : .text
  }

  /// Registers a reply, so that `close()` does not wait for it; a reply may bring further queries.
  package func didReceive(_ reply: TerminalReply) {
    let before = (environment, hasWideSymbols)
    questions.didReceive(reply)
    learn(reply)
    switch reply {
    case .ready: pace.didAnswer(at: .now)
    case .graphics(let answer): channel.didReceive(answer, at: .now)
    case .mode(let number, 2) where TerminalModes.wanted.contains(number): borrow(number)
    case .attributes:
      if environment.printsStrings { shown = nil }
      sendQuestions()
      if environment.isInsideTmux, questions.areComplete { askKittyAgainLater() }
    case .version, .background: sendQuestions()
    default: break
    }
    prepareForEnd()
    if hasWideSymbols != before.1 { useNarrowSymbols() }
    // The wrapper of kitty's commands and the erasure depend on the terminal's name.
    if environment.isInsideTmux != before.0.isInsideTmux || isPainted && erasure == .command {
      if method == .kitty || channel.erasure != erasure && isPainted { usePictures(method) }
    }
  }

  /// Shows narrow substitutes of ambiguous characters from the next frame on.
  private func useNarrowSymbols() {
    cells.replacesAmbiguous = hasWideSymbols
    shown = nil
  }

  /// Sets a mode until the terminal is given back.
  private func borrow(_ mode: Int) {
    guard !borrowedModes.contains(mode) else { return }
    borrowedModes.append(mode)
    guard phase == .entered else { return }
    actions.modes += TerminalModes.setting(mode, to: true)
    device.takeOver(restoring: restoringBytes)
    didTakeFrame()
  }

  /// Sends queries that are due without waiting for a frame, where nothing else is being written.
  private func sendQuestions() {
    guard phase == .entered, isReady, isInForeground, questions.areDue, !questions.isProbeDue else {
      return
    }
    let bytes = questions.nextQuery(bytes)
    prepareForEnd()
    guard !bytes.isEmpty else { return }
    writer.write(bytes) { [weak self] _ in self?.didTakeFrame() }
  }

  /// Has the end of the process wait for replies that are outstanding.
  private func prepareForEnd() {
    if questions.areAsked {
      device.awaitReply(asking: false, within: questions.timeout())
    } else if pace.isWaiting {
      device.awaitReply(asking: true, within: Self.timeout)
    } else {
      device.awaitNoReply()
    }
  }

  private func askKittyAgainLater() {
    guard let delay = questions.nextRepeat() else { return }
    let timeout = DispatchTimeInterval.milliseconds(Int(delay / .milliseconds(1)))
    DispatchQueue.main.asyncAfter(deadline: .now() + timeout) { [weak self] in
      MainActor.assumeIsolated {
        guard let self, self.phase == .entered, self.environment.knowsStrings else { return }
        guard self.isReady, self.isInForeground, let bytes = self.questions.takeRepeat() else {
          return self.askKittyAgainLater()
        }
        self.writer.write(bytes) { [weak self] _ in self?.didTakeFrame() }
      }
    }
  }

  /// Reads the current window size, which the next canvas must have, and returns it.
  @discardableResult
  package func resize() -> CellSize {
    size = device.size ?? size
    cells.resize(to: size)
    chooseMoves()
    shown = nil
    return size
  }

  /// Makes the next frame draw everything, over the output of other programs.
  package func redraw() { shown = nil }

  /// Restores the terminal until `resume()`; no canvas is shown meanwhile.
  ///
  /// - Parameter isHurried: true shortens the waits for a terminal that takes no output, as when a
  ///   signal ends the program.
  /// - Returns: events typed while waiting for the last replies.
  @discardableResult
  package func suspend(isHurried: Bool = false) -> [InputEvent] {
    guard phase != .suspended else { return [] }
    let isCutOff = writer.end(timeout: isHurried ? Self.shortTimeout : Self.timeout)
    // Each time that it was sent, the query that is answered last.
    var owed = questions.areAsked ? 1 : 0
    var isWaiting = pace.isWaiting
    if phase == .entered {
      let clearing = channel.clear()
      let margins = questions.haveToldMargins ? MarginScroll.ending : []
      let ending = isCutOff ? TerminalModes.stringEnds + margins : []
      let timeout = isCutOff || isHurried ? Self.shortTimeout : Self.timeout
      device.write(ending + actions.drain() + clearing, timeout: timeout)
      // tmux may end with this program and drop pending passthrough commands; it replies after them.
      isWaiting = isWaiting || environment.isInsideTmux && !clearing.isEmpty
      cells.window.leave()
    }
    // No earlier reply is outstanding after that to the last query.
    if isWaiting {
      askLast()
      owed += 1
    }
    pace.reset()
    var typed: [InputEvent] = []
    if questions.areAsked, isHurried {
      prepareForEnd()
    } else {
      // The shell would read the replies as keys.
      if questions.areAsked {
        typed = device.events(within: questions.timeout(), untilLast: owed)
          .filter { if case .reply = $0 { false } else { true } }
      }
      device.awaitNoReply()
    }
    questions.end()
    device.giveBack()
    phase = .suspended
    return typed
  }

  /// Sends the query that the terminal answers last.
  private func askLast() {
    device.write(TerminalModes.lastQuestion, timeout: Self.shortTimeout)
    questions.didAskLast()
  }

  /// Takes over the terminal again, at its current size; the next frame is drawn in full.
  ///
  /// - Parameter isLeftBehind: true where the other program may have left full-screen modes set.
  package func resume(isLeftBehind: Bool = false) {
    // A stop by another process left the terminal to the shell without `suspend()`; the shell has read
    // the replies.
    if phase == .entered {
      cells.window.leave()
      questions.end()
      pace.reset()
    }
    device.takeOver(restoring: isLeftBehind ? restoringBytes : [])
    phase = .taken
    resize()
  }

  /// Restores the terminal; the screen is not used afterwards.
  package func close(isHurried: Bool = false) { suspend(isHurried: isHurried) }

  /// Puts a text on the terminal's clipboard with the next frame, if the terminal allows that; returns
  /// false where it would print the command.
  package func copy(_ text: SafeText) -> Bool {
    guard phase == .entered, environment.knowsStrings else { return false }
    // Where tmux passes pictures through, the command goes to the outer terminal; else tmux handles it.
    let isHandedOn = if case .kitty = channel { environment.isInsideTmux } else { false }
    actions.clipboard = Clipboard.taking(text, isHandedOn ? .tmux : .direct)
    return true
  }

  /// Shows a notification through the terminal with the next frame.
  package func notify(_ text: SafeText, by choice: NotificationChoice) {
    guard phase == .entered, let method = choice.method(on: environment) else { return }
    actions.notification = TerminalNotification.bytes(
      text, method, environment.isInsideTmux ? .tmux : .direct)
  }

  /// Captures or releases the mouse with the next frame; released, the terminal's own selection works.
  package func captureMouse(_ captures: Bool) {
    capturesMouse = captures
    guard phase == .entered else { return }
    actions.mouse = captures ? TerminalModes.mouseOn : TerminalModes.mouseOff
  }

  /// Phase of the screen: which program owns the terminal.
  private enum Phase {
    /// Other programs write to the terminal.
    case suspended
    /// The program reads the keys; the terminal still shows the output of others.
    case taken
    /// The terminal shows this program's frames.
    case entered
  }

  /// Maximum milliseconds without progress while the terminal is restored; a multiplexer may need some
  /// time for pictures.
  private static let timeout: Int32 = 1_000
  private static let shortTimeout: Int32 = 100

  /// Sets whether ncurses may move lines on the terminal.
  private func chooseMoves() { cells.window.setMovesContents(movesLines) }

  /// Whether the terminal may move lines: not with painted pictures, which would move along, nor in a
  /// window larger than `TerminalDevice.maxSize`, whose outer rows would move in.
  private var movesLines: Bool { !isPainted && size.rows < TerminalDevice.maxSize.rows }

  private var isPainted: Bool { if case .paint = channel { true } else { false } }

  /// Enters full-screen mode before the first frame and returns the bytes that set the modes; empty
  /// where they are set.
  private func enter() -> [UInt8] {
    guard phase != .entered else { return [] }
    phase = .entered
    // Not earlier: leaving a screen that was never entered would move the shell's cursor.
    device.takeOver(restoring: restoringBytes)
    let borrowed = borrowedModes.flatMap { TerminalModes.setting($0, to: true) }
    return TerminalModes.on + borrowed + (capturesMouse ? TerminalModes.mouseOn : [])
  }

  private var restoringBytes: [UInt8] {
    let borrowed = borrowedModes.flatMap { TerminalModes.setting($0, to: false) }
    return TerminalModes.frameEnds + channel.clearingBytes + TerminalModes.off + borrowed
      + cells.window.restoringBytes
  }

  /// Puts the cells of a row into ncurses from the first to the last that changed.
  private func put(_ row: Int, of canvas: Canvas) {
    guard let columns = canvas.changedColumns(ofRow: row, since: shown) else { return }
    channel.willWrite(row: row, columns: columns, of: canvas, since: shown)
    cells.put(row, columns, of: canvas, over: channel)
  }
}
