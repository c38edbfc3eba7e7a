import Glibc
import TerminalTestSupport
import TestSupport

/// One run: a terminal on a served market, and whatever chance does to both.
final class SoakRun {
  /// No answer may take longer.
  private static let patience = Duration.seconds(5)
  /// How long nothing is drawn before a screen counts as settled.
  private static let calm = Duration.milliseconds(700)

  private(set) var record = SoakRecord()
  private var random: SeededRandom
  private let end: ContinuousClock.Instant
  private let workplace: SoakWorkplace
  private let server: SoakServer
  private var session: TerminalSession

  init(seed: UInt64, duration: Duration) throws {
    random = SeededRandom(seed: seed)
    workplace = try SoakWorkplace(products: 300)
    server = try SoakServer(store: workplace.store)
    session = try workplace.open(server.address)
    try session.wait(forText: "₩")
    end = ContinuousClock.now + duration
  }

  /// Does things at random until the time is over.
  ///
  /// - Throws: the first promise that was broken, with the screen.
  func run() throws {
    while ContinuousClock.now < end {
      for _ in 0..<Int.random(in: 5...40, using: &random) { try act() }
      try pause()
    }
    server.calmDown()
    session.type("<Esc><Esc><Esc><Esc>")
    session.terminal.signal(SIGTERM)
    guard try session.waitForExit() == .exited(status: 0), session.unrestored.isEmpty else {
      throw BrokenPromise(description: "did not end in order")
    }
  }

  private func act() throws {
    record.actions += 1
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<80: session.type(SoakKeys.next(using: &random))
    case 80..<90: session.resize(to: size())
    case 90..<94: server.disturb(using: &random)
    case 94..<97: _ = session.listen(for: .milliseconds(Int64.random(in: 1...300, using: &random)))
    default: try suspendAndResume()
    }
    _ = session.listen(for: .milliseconds(Int64.random(in: 0...20, using: &random)))
    try answers()
  }

  /// The program answers a new size with a frame in time, whatever it is doing.
  private func answers() throws {
    let before = session.output.count
    let size = session.screen.size
    session.resize(to: TerminalSize(columns: max(20, size.columns % 200 + 1), rows: size.rows))
    let start = ContinuousClock.now
    do throws(TerminalSessionError) {
      let session = session
      try session.wait(for: "an answer", patience: Self.patience) { _ in
        session.output.count > before
      }
    } catch {
      guard case .ended(_, let exit, _) = error, exit == .exited(status: 0) else { throw error }
      try reopen()
    }
    record.longestAnswer = max(record.longestAnswer, ContinuousClock.now - start)
  }

  /// Lets everything settle, and compares the screen with one that is drawn anew.
  private func pause() throws {
    server.calmDown()
    session.resize(to: .standard)
    guard settle() else {
      record.restless += 1
      return
    }
    let before = session.screen.lines
    try suspendAndResume()
    _ = settle()
    record.comparisons += 1
    if session.screen.lines != before {
      record.differences.append((before, session.screen.lines))
    }
    record.addMemory(of: session.terminal.process)
  }

  /// Whether the screen came to rest.
  private func settle() -> Bool {
    for _ in 0..<10 where session.listen(for: Self.calm).isEmpty { return true }
    return false
  }

  private func suspendAndResume() throws {
    session.terminal.signal(SIGTSTP)
    try session.wait(for: "the shell's screen", patience: Self.patience) {
      !$0.modes.isInAlternateScreen
    }
    // The screen is left a moment before the program stops, and SIGCONT in between would be lost.
    var state = siginfo_t()
    waitid(P_PID, id_t(session.terminal.process), &state, WSTOPPED | WEXITED | WNOWAIT)
    session.terminal.signal(SIGCONT)
    try session.wait(for: "the market's screen", patience: Self.patience) {
      $0.modes.isInAlternateScreen
    }
  }

  /// Chance has pressed what quits.
  private func reopen() throws {
    record.reopened += 1
    guard session.unrestored.isEmpty else {
      throw BrokenPromise(description: "left behind: \(session.unrestored)")
    }
    server.calmDown()
    session = try workplace.open(server.address)
    try session.wait(forText: "₩")
  }

  /// Smaller ones are for the tests of resizing: old versions of libvterm crash on them.
  private func size() -> TerminalSize {
    TerminalSize(
      columns: .random(in: 20...200, using: &random), rows: .random(in: 5...60, using: &random))
  }
}
