import Glibc
import TerminalTestSupport
import TestSupport

/// One run: a terminal on a served market, and random events for both.
final class SoakRun {
  /// No answer may take longer.
  private static let timeout = Duration.seconds(5)
  /// How long nothing is drawn before a screen counts as settled.
  private static let calm = Duration.milliseconds(700)
  /// Pauses after which the market is opened on another kind of terminal.
  private static let pausesInRound = 25

  private(set) var record = SoakRecord()
  private var random: SeededRandom
  private let end: ContinuousClock.Instant
  private let workplace: SoakDirectory
  private let server: SoakServer
  private var session: TerminalSession
  private var kind = SoakTerminal.blocks

  init(seed: UInt64, duration: Duration) throws {
    random = SeededRandom(seed: seed)
    workplace = try SoakDirectory(products: 300)
    server = try SoakServer(store: workplace.store, seed: seed)
    session = try workplace.open(server.address, on: kind)
    try session.wait(forText: "₩")
    end = ContinuousClock.now + duration
  }

  /// Does things at random until the time is over.
  ///
  /// - Throws: the first promise that was broken, with the screen.
  func run() throws {
    var pauses = 0
    while ContinuousClock.now < end {
      for _ in 0..<Int.random(in: 5...40, using: &random) { try act() }
      try pause()
      pauses += 1
      if pauses.isMultiple(of: Self.pausesInRound) { try startRound() }
    }
    try leave()
  }

  private func act() throws {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<80:
      let keys = SoakKeys.next(using: &random)
      record.note("keys \(String(decoding: keys.bytes, as: UTF8.self).debugDescription)")
      session.type(keys)
    case 80..<90: resize(to: .random(using: &random))
    case 90..<94: record.note(server.disturb(using: &random))
    case 94..<97:
      let wait = Int64.random(in: 1...300, using: &random)
      record.note("wait \(wait) ms")
      _ = session.listen(for: .milliseconds(wait))
    default:
      record.note("stop and continue")
      try suspendAndResume()
    }
    _ = session.listen(for: .milliseconds(Int64.random(in: 0...20, using: &random)))
    try answers()
  }

  private func resize(to size: TerminalSize) {
    record.note("size \(size.columns) x \(size.rows)")
    session.resize(to: size)
  }

  /// The program answers a new size with a frame in time, in any state.
  private func answers() throws {
    let before = session.output.count
    let size = session.screen.size
    session.resize(to: TerminalSize(columns: size.columns % 500 + 1, rows: size.rows))
    let start = ContinuousClock.now
    do throws(TerminalSessionError) {
      let session = session
      try session.wait(for: "an answer", timeout: Self.timeout) { _ in
        session.output.count > before
      }
    } catch {
      guard case .ended(_, let exit, _) = error, exit == .exited(status: 0) else { throw error }
      // Chance has pressed what quits.
      record.reopened += 1
      try open()
    }
    record.maxResponseSize = max(record.maxResponseSize, ContinuousClock.now - start)
  }

  /// Lets everything settle, and compares the screen with one that is drawn anew.
  private func pause() throws {
    server.calmDown()
    resize(to: .standard)
    guard settle() else {
      record.restless += 1
      return
    }
    var (before, after) = (SoakPicture(of: session), try redrawn())
    // An answer that took its time may have come in between, but not twice.
    if before != after { (before, after) = (after, try redrawn()) }
    record.compare(before, after)
    record.addMemory(of: session.terminal.process)
  }

  private func redrawn() throws -> SoakPicture {
    try suspendAndResume()
    _ = settle()
    return SoakPicture(of: session)
  }

  /// Whether the screen came to rest.
  private func settle() -> Bool {
    for _ in 0..<10 where session.listen(for: Self.calm).isEmpty { return true }
    return false
  }

  private func suspendAndResume() throws {
    session.terminal.signal(SIGTSTP)
    try session.wait(for: "the shell's screen", timeout: Self.timeout) {
      !$0.modes.isInAlternateScreen
    }
    // The screen is left a moment before the program stops, and SIGCONT in between would be lost.
    var state = siginfo_t()
    waitid(P_PID, id_t(session.terminal.process), &state, WSTOPPED | WEXITED | WNOWAIT)
    session.terminal.signal(SIGCONT)
    try session.wait(for: "the market's screen", timeout: Self.timeout) {
      $0.modes.isInAlternateScreen
    }
  }

  /// Opens the market anew, on a terminal by chance.
  private func startRound() throws {
    try leave()
    kind = SoakTerminal.allCases.randomElement(using: &random) ?? .blocks
    record.note("terminal \(kind)")
    try open()
  }

  private func leave() throws {
    server.calmDown()
    session.terminal.signal(SIGTERM)
    guard try session.waitForExit() == .exited(status: 0) else {
      throw UnexpectedError(description: "did not end in order")
    }
    try expectRestored()
  }

  private func open() throws {
    try expectRestored()
    server.calmDown()
    session = try workplace.open(server.address, on: kind)
    record.startMemory()
    try session.wait(forText: "₩")
  }

  private func expectRestored() throws {
    guard session.unrestored.isEmpty else {
      throw UnexpectedError(description: "left behind: \(session.unrestored)")
    }
  }
}

extension TerminalSize {
  /// Usual ones mostly, now and then hardly any room or a great deal of it.
  fileprivate static func random(using random: inout SeededRandom) -> TerminalSize {
    let (columns, rows) =
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1: (1...20, 1...6)
      case 2: (200...500, 60...200)
      default: (20...200, 5...60)
      }
    return TerminalSize(
      columns: .random(in: columns, using: &random), rows: .random(in: rows, using: &random))
  }
}
