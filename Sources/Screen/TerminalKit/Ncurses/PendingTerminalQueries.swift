/// Questions that the terminal is asked about itself: what is still to be asked, and what it has not
/// answered.
struct PendingTerminalQueries {
  private enum Phase {
    case none
    /// They follow the next frame.
    case due
    /// The last answer has not come.
    case asked
  }

  /// State of the question whether the terminal has left and right margins.
  private enum Margins {
    case unknown
    case due
    case asked
    case known
  }

  private var phase = Phase.none
  /// When the last question was asked.
  private var asked: ContinuousClock.Instant?
  private var margins = Margins.unknown
  private var isKittyKnown = false
  /// Times that kitty's question was repeated.
  private var repeats = 0

  var areNone: Bool { phase == .none }
  var areDue: Bool { phase == .due }
  var areAsked: Bool { phase == .asked }
  /// Whether the terminal has said that it has margins.
  var haveToldMargins: Bool { margins == .known }

  /// They follow the next frame.
  mutating func scheduleRequest() { phase = .due }

  /// The milliseconds for which an answer may still come; 0 where none is open.
  ///
  /// A terminal that has not answered a second after it was asked does not answer.
  func timeout(at now: ContinuousClock.Instant = .now) -> Int32 {
    guard areAsked, let asked else { return 0 }
    let left = Self.maxResponseSize - asked.duration(to: now)
    return Int32(max(left, Self.minWait) / .milliseconds(1))
  }

  private static let maxResponseSize = Duration.seconds(1)
  private static let minWait = Duration.milliseconds(30)
  private static let mostRepeats = 5

  /// The bytes that ask what is due now; `all` are those of the usual questions.
  mutating func take(_ all: @autoclosure () -> [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    if phase == .due {
      didAskLast()
      output += all()
    }
    // A second last question beside an open one would be answered when nobody waits any more.
    if margins == .due, phase == .none {
      margins = .asked
      didAskLast()
      output += MarginScroll.question + TerminalModes.lastQuestion
    }
    return output
  }

  /// The question was asked that the terminal answers after all else.
  mutating func didAskLast() {
    phase = .asked
    asked = .now
  }

  mutating func didReceive(_ reply: TerminalReply) {
    if case .attributes = reply, phase == .asked { phase = .none }
    // Terminals that do not tell their version may show the question instead of answering it.
    if case .version = reply, margins == .unknown { margins = .due }
    if case .mode(MarginScroll.mode, 1...2) = reply { margins = .known }
    if case .graphics = reply { isKittyKnown = true }
  }

  /// The time after which kitty's question goes through tmux again, four times as long each time; nil
  /// where it was answered, or repeated often enough.
  ///
  /// tmux drops what it hands on while it draws a window anew, and says nothing of it.
  mutating func nextRepeat() -> Duration? {
    guard !isKittyKnown, repeats < Self.mostRepeats else { return nil }
    defer { repeats += 1 }
    return .milliseconds(100 << (2 * repeats))
  }

  /// The bytes that repeat kitty's question through tmux; nil where it was answered or others are open.
  mutating func takeRepeat() -> [UInt8]? {
    guard !isKittyKnown, phase == .none else { return nil }
    didAskLast()
    return KittyCommand.question(.tmux) + TerminalModes.lastQuestion
  }

  /// Nobody waits for answers any more.
  mutating func end() { phase = .none }
}
