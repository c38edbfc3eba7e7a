/// State of the queries to the terminal: those to send, and those without a reply.
struct PendingTerminalQueries {
  private enum Phase {
    case none
    /// The queries follow the next frame.
    case due
    /// The last reply is outstanding.
    case asked
  }

  /// State of the query for left and right margins.
  private enum Margins {
    case unknown
    case due
    case asked
    case known
  }

  private var phase = Phase.none
  /// Time of the last query; nil before the first.
  private var asked: ContinuousClock.Instant?
  private var margins = Margins.unknown
  private var isKittyKnown = false
  /// Number of times that kitty's query was repeated.
  private var repeats = 0

  var areNone: Bool { phase == .none }
  var areDue: Bool { phase == .due }
  var areAsked: Bool { phase == .asked }
  /// Whether the terminal has reported margins.
  var haveToldMargins: Bool { margins == .known }

  /// Schedules the queries after the next frame.
  mutating func scheduleRequest() { phase = .due }

  /// Returns the milliseconds for which to wait for a reply, at most one second after the query and at
  /// least 30; 0 where none is outstanding.
  func timeout(at now: ContinuousClock.Instant = .now) -> Int32 {
    guard areAsked, let asked else { return 0 }
    let left = Self.maxResponseSize - asked.duration(to: now)
    return Int32(max(left, Self.minWait) / .milliseconds(1))
  }

  private static let maxResponseSize = Duration.seconds(1)
  private static let minWait = Duration.milliseconds(30)
  private static let mostRepeats = 8

  /// Returns the bytes of the queries that are due; `all` are those of the usual ones.
  mutating func take(_ all: @autoclosure () -> [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    if phase == .due {
      didAskLast()
      output += all()
    }
    // A second last query beside an outstanding one would be answered after the wait has ended.
    if margins == .due, phase == .none {
      margins = .asked
      didAskLast()
      output += MarginScroll.question + TerminalModes.lastQuestion
    }
    return output
  }

  /// Records that the query was sent that the terminal answers last.
  mutating func didAskLast() {
    phase = .asked
    asked = .now
  }

  mutating func didReceive(_ reply: TerminalReply) {
    if case .attributes = reply, phase == .asked { phase = .none }
    // Terminals that do not report their version may print the query instead of answering it.
    if case .version = reply, margins == .unknown { margins = .due }
    if case .mode(MarginScroll.mode, 1...2) = reply { margins = .known }
    if case .graphics = reply { isKittyKnown = true }
  }

  /// Returns the delay before kitty's query is repeated through tmux, twice as long each time; nil
  /// where it was answered or was repeated eight times.
  ///
  /// tmux silently drops passthrough commands while it redraws a window.
  mutating func nextRepeat() -> Duration? {
    guard !isKittyKnown, repeats < Self.mostRepeats else { return nil }
    defer { repeats += 1 }
    return .milliseconds(100 << repeats)
  }

  /// Returns the bytes that repeat kitty's query through tmux; nil where it was answered or another
  /// query is outstanding.
  mutating func takeRepeat() -> [UInt8]? {
    guard !isKittyKnown, phase == .none else { return nil }
    didAskLast()
    return KittyCommand.question(.tmux) + TerminalModes.lastQuestion
  }

  /// Ends the wait for replies.
  mutating func end() { phase = .none }
}
