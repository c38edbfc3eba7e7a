/// State of the queries to the terminal: those to send, and those without a reply.
struct PendingTerminalQueries {
  /// Group of queries; the last one of each is that which every terminal answers (DA1).
  enum Round {
    /// Name, cell size, background, and the probe of characters and control strings.
    case first
    /// What is sent only to a terminal that has not printed the control string of the first round.
    case second
    /// The background again.
    case background
  }

  private var due: [Round] = []
  /// Round whose last reply is outstanding; nil for a single last query.
  private var round: Round?
  private var isOpen = false
  /// Time of the last query; nil before the first.
  private var asked: ContinuousClock.Instant?
  private var isKittyKnown = false
  /// Number of times that kitty's query was repeated.
  private var repeats = 0
  /// Whether the terminal has reported margins.
  private(set) var haveToldMargins = false
  /// Whether the second round was asked.
  private(set) var areComplete = false
  private var isFirstAnswered = false

  var areDue: Bool { !isOpen && !due.isEmpty }
  var areAsked: Bool { isOpen }
  /// Whether the probe follows the next frame.
  var isProbeDue: Bool { !isOpen && due.first == .first }

  /// Schedules queries after the next frame.
  mutating func schedule(_ round: Round) {
    if !due.contains(round) { due.append(round) }
  }

  /// Returns the milliseconds for which to wait for a reply, at most one second after the query and at
  /// least 30; 0 where none is outstanding.
  func timeout(at now: ContinuousClock.Instant = .now) -> Int32 {
    guard areAsked, let asked else { return 0 }
    let left = Self.maxResponseTime - asked.duration(to: now)
    return Int32(max(left, Self.minWait) / .milliseconds(1))
  }

  private static let maxResponseTime = Duration.seconds(1)
  private static let minWait = Duration.milliseconds(30)
  private static let mostRepeats = 8

  /// Returns the bytes of the next round that is due, with the last query; `bytes` returns those of a
  /// round, empty where it is left out.
  ///
  /// None follows while another is open: a second last query would be answered after the wait has ended.
  mutating func nextQuery(_ bytes: (Round) -> [UInt8]) -> [UInt8] {
    guard !isOpen, !due.isEmpty else { return [] }
    let next = due.removeFirst()
    let output = bytes(next)
    if next == .second { areComplete = !output.isEmpty }
    guard !output.isEmpty else { return [] }
    didAskLast(of: next)
    return output + TerminalModes.lastQuestion
  }

  /// Records that the query was sent that the terminal answers last.
  mutating func didAskLast(of round: Round? = nil) {
    self.round = round
    isOpen = true
    asked = .now
  }

  mutating func didReceive(_ reply: TerminalReply) {
    if case .attributes = reply, isOpen {
      isOpen = false
      if round == .first {
        isFirstAnswered = true
        schedule(.second)
      }
    }
    switch reply {
    // Late, but now it is known that strings are ignored.
    case .version, .background: if isFirstAnswered, !areComplete { schedule(.second) }
    default: break
    }
    if case .mode(MarginScroll.mode, 1...2) = reply { haveToldMargins = true }
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
    guard !isKittyKnown, !isOpen else { return nil }
    didAskLast()
    return KittyCommand.question(.tmux) + TerminalModes.lastQuestion
  }

  /// Ends the wait for replies; those that another program has got are asked for again.
  mutating func end() {
    if isOpen, let round { due.insert(round, at: 0) }
    isOpen = false
  }
}
