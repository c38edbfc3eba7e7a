import TestSupport

/// A program in an emulated terminal: keys go in, what a person would see comes out.
///
/// Every wait wakes for each piece of output, and ends where the program says nothing for long.
package final class TerminalSession {
  package let terminal: PseudoTerminal
  package let screen: EmulatorScreen
  /// The pictures that lie over the text.
  package private(set) var pictures: PictureLayer
  /// Everything that the program has written.
  package private(set) var output: [UInt8] = []
  private let persona: TerminalPersona
  private let resource: AnyObject?
  private var parser = OutputParser()
  /// The line between program and terminal; nil where nothing is slower than they are.
  package var line: SlowLine?

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - command: path or name of the program, and its arguments.
  ///   - environment: all of the program's environment.
  ///   - size: size of the terminal.
  ///   - persona: how the terminal answers questions.
  ///   - resource: what has to live as long as the session, such as the owner of a folder.
  /// - Throws: `TerminalSessionError.cannotStart`.
  package init(
    _ command: [String], environment: [String: String], size: TerminalSize = .standard,
    persona: TerminalPersona = .dark, holding resource: AnyObject? = nil
  ) throws(TerminalSessionError) {
    terminal = try PseudoTerminal(command, environment: environment, size: size)
    screen = EmulatorScreen(size: size)
    pictures = PictureLayer(size: size, cell: persona.cell ?? (10, 20))
    self.persona = persona
    self.resource = resource
  }

  package func type(_ keys: KeyScript) {
    terminal.write(keys.bytes)
  }

  package func resize(to size: TerminalSize) {
    screen.resize(to: size)
    pictures.resize(to: size)
    terminal.resize(to: size)
  }

  /// Waits until the screen is as wanted; half a frame is not looked at.
  ///
  /// - Parameters:
  ///   - what: what is waited for, for the message of a failure.
  ///   - timeout: how long the program may be silent, and half of how long it may take.
  ///   - isReached: tells whether the screen is as wanted.
  /// - Throws: `TerminalSessionError` when that did not come in time or the program ended.
  package func wait(
    for what: String, timeout: Duration = RunningProgram.timeout / 2,
    until isReached: (EmulatorScreen) -> Bool
  ) throws(TerminalSessionError) {
    let deadline = ContinuousClock.now + timeout * 2
    while screen.modes.isInsideFrame || !isReached(screen) {
      switch read(until: min(deadline, .now + timeout)) {
      case .bytes(let bytes):
        show(bytes)
        // Who writes without end is never silent.
        guard ContinuousClock.now < deadline else {
          throw .timedOut(waitingFor: what, screen: screen.lines)
        }
      case .silence: throw .timedOut(waitingFor: what, screen: screen.lines)
      case .ended:
        if isReached(screen) { return }
        throw .ended(waitingFor: what, try terminal.waitForEnd().exit, screen: screen.lines)
      }
    }
  }

  /// Waits until the text stands in one of the rows.
  package func wait(forText text: String) throws(TerminalSessionError) {
    try wait(for: "“\(text)”") { $0.contains(text) }
  }

  /// Waits for the program's end and takes the rest of its output.
  package func waitForExit(
    timeout: Duration = RunningProgram.timeout
  ) throws(TerminalSessionError) -> ProcessExit {
    let deadline = ContinuousClock.now + timeout
    while true {
      switch read(until: deadline) {
      case .bytes(let bytes):
        show(bytes)
        guard ContinuousClock.now < deadline else {
          throw .timedOut(waitingFor: "the end", screen: screen.lines)
        }
      case .silence: throw .timedOut(waitingFor: "the end", screen: screen.lines)
      case .ended: return try terminal.waitForEnd().exit
      }
    }
  }

  /// Takes what the program writes in the time given, which passes in full unless it ends.
  ///
  /// - Parameter duration: how long to listen.
  /// - Returns: the bytes, none if the program is idle.
  package func listen(for duration: Duration) -> [UInt8] {
    let deadline = ContinuousClock.now + duration
    let before = output.count
    while ContinuousClock.now < deadline, case .bytes(let bytes) = read(until: deadline) {
      show(bytes)
    }
    return Array(output[before...])
  }

  /// What is not as a shell expects to find it after a program, in words.
  package var unrestored: [String] {
    let settings = terminal.settings
    var words = screen.modes.leftOn
    if !settings.isCanonical { words.append("raw input") }
    if !settings.echoes { words.append("no echo") }
    if !settings.sendsSignals { words.append("no signals from keys") }
    if !settings.translatesNewlines { words.append("raw output") }
    return words
  }

  /// Waits for what arrives next.
  private func read(until deadline: ContinuousClock.Instant) -> PseudoTerminal.Reading {
    guard line != nil else { return terminal.read(until: deadline) }
    while true {
      if let bytes = line?.arrived(at: .now), !bytes.isEmpty { return .bytes(bytes) }
      let isIdle = line?.isEmpty != false
      switch terminal.read(until: isIdle ? deadline : min(deadline, .now + SlowLine.beat)) {
      case .bytes(let bytes): line?.take(bytes, at: .now)
      case .silence: if isIdle || ContinuousClock.now >= deadline { return .silence }
      case .ended:
        let rest = line?.rest() ?? []
        return rest.isEmpty ? .ended : .bytes(rest)
      }
    }
  }

  private func show(_ bytes: [UInt8]) {
    output += bytes
    for token in parser.parse(bytes) {
      let position = screen.cursor
      screen.show(token)
      pictures.take(token, from: position, to: screen.cursor)
      if let answer = persona.answer(to: token, cursor: screen.cursor) ?? pictures.confirmation {
        terminal.write(Array(answer.utf8))
      }
    }
  }
}
