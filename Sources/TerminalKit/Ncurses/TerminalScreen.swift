internal import CNcurses

/// The terminal's screen: shows canvases, one after the other, and gives the terminal back.
///
/// There must be one at a time, since ncurses keeps its screen in global variables.
@MainActor package final class TerminalScreen {
  package let capabilities: TerminalCapabilities
  package private(set) var size: CellSize

  private let device: TerminalDevice
  private let window: NcursesWindow
  private let encoder: CellEncoder
  private var painter: PairPainter
  /// What the terminal shows; nil when that is not known.
  private var shown: Canvas?
  private var isActive = true
  private var asksBackground = false
  private var awaitsAnswer = false
  private var hasEntered = false
  private var capturesMouse = true

  /// Takes the terminal over; the first frame shows it.
  ///
  /// - Parameter environment: what is known of the terminal.
  /// - Throws: why there is no screen; the terminal is then as it was.
  package init(_ environment: TerminalEnvironment = .current()) throws(TerminalError) {
    device = try TerminalDevice()
    let choice = try TerminfoChoice(environment)
    let isUTF8 = CharacterLocale.activate()
    let size = device.size ?? CellSize(columns: 80, rows: 24)
    let refuses = environment.refusesColor
    let known = NcursesWindow(choice, size: size, refusesColor: refuses)
    guard let window = known ?? NcursesWindow(.palette, size: size, refusesColor: refuses) else {
      throw .unavailable
    }
    self.size = size
    self.window = window
    capabilities = TerminalCapabilities(
      colorDepth: window.colorDepth, canStrikeThrough: window.canStrikeThrough, isUTF8: isUTF8,
      isKnown: known != nil)
    encoder = CellEncoder(isUTF8: isUTF8, canStrikeThrough: window.canStrikeThrough)
    painter = PairPainter(depth: window.colorDepth, lastPair: window.lastPair)
    painter.resize(to: size)
    device.takeOver(restoring: [])
  }

  /// Asks for the background colour right after the next frame; the answer comes as a reply.
  package func askBackground() {
    asksBackground = capabilities.colorDepth >= .palette256
  }

  /// Brings the terminal to show a canvas, in one write.
  ///
  /// - Parameter canvas: a frame of the screen's size; one of another size, drawn before a resize that
  ///   has come meanwhile, is not shown.
  package func show(_ canvas: Canvas) {
    guard isActive, canvas.size == size, !size.isEmpty else { return }
    var output: [UInt8] = []
    if let shown {
      guard shown != canvas || asksBackground else { return }
    } else {
      output += enter()
      window.forgetContents()
    }
    for row in 0..<size.rows { put(row, of: canvas) }
    output += window.frame(cursor: canvas.cursor)
    painter.didRefresh()
    shown = canvas
    if !output.isEmpty {
      output = TerminalModes.frameBegins + output + TerminalModes.frameEnds
    }
    if asksBackground {
      asksBackground = false
      awaitsAnswer = true
      output += TerminalModes.backgroundQuestion
    }
    device.write(output)
  }

  /// Learns of an answer that came, so that `close()` need not wait for it.
  package func didReceive(_ reply: TerminalReply) {
    if case .attributes = reply { awaitsAnswer = false }
  }

  /// Takes the size that the window has now.
  ///
  /// - Returns: the size for the next canvas.
  @discardableResult
  package func resize() -> CellSize {
    size = device.size ?? size
    window.resize(to: size)
    painter.resize(to: size)
    shown = nil
    return size
  }

  /// Gives the terminal back until `resume()`; nothing is shown meanwhile.
  package func suspend() {
    guard isActive else { return }
    isActive = false
    if hasEntered { window.leave() }
    if awaitsAnswer { device.discardInput(for: 30) }
    awaitsAnswer = false
    hasEntered = false
    device.giveBack()
  }

  /// Takes the terminal again, at the size it has now; the next frame draws everything.
  package func resume() {
    // A stop from outside left the terminal to the shell without `suspend()`.
    if hasEntered { window.leave() }
    hasEntered = false
    device.takeOver(restoring: [])
    isActive = true
    resize()
  }

  /// Gives the terminal back for good.
  package func close() { suspend() }

  /// Releases or captures the mouse, so that the terminal's own selection works.
  package func captureMouse(_ captures: Bool) {
    capturesMouse = captures
    guard isActive, hasEntered else { return }
    device.write(captures ? TerminalModes.mouseOn : TerminalModes.mouseOff)
  }
}

extension TerminalScreen {
  /// Makes ready for the first frame.
  ///
  /// - Returns: what switches the modes on; nothing where they are.
  private func enter() -> [UInt8] {
    guard !hasEntered else { return [] }
    hasEntered = true
    // Only now: leaving a screen that was never entered would move the shell's cursor.
    device.takeOver(restoring: TerminalModes.frameEnds + TerminalModes.off + window.restoringBytes)
    return TerminalModes.on + (capturesMouse ? TerminalModes.mouseOn : [])
  }

  /// Puts what differs in one row into ncurses: from the first to the last cell that changed.
  private func put(_ row: Int, of canvas: Canvas) {
    guard let columns = canvas.changedColumns(ofRow: row, since: shown) else { return }
    withUnsafeTemporaryAllocation(of: cchar_t.self, capacity: size.columns) { cells in
      var count = 0
      var before = Style.plain
      for column in columns {
        let cell = canvas[CellPoint(column: column, row: row)].lookingAlike(before)
        before = cell.style
        let place = row * size.columns + column
        guard !cell.isRightHalf else {
          painter.repeatLast(at: place)
          continue
        }
        let pair = painter.pair(for: cell.style, at: place, in: window)
        encoder.encode(cell, pair: pair) {
          cells.initializeElement(at: count, to: $0)
          count += 1
        }
      }
      let start = CellPoint(column: columns.lowerBound, row: row)
      window.put(UnsafeBufferPointer(rebasing: cells[..<count]), at: start)
    }
  }
}
