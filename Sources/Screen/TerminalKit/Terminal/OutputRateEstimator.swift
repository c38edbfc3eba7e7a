/// Pace of a line to the terminal: how many bytes a frame may have, so that what is typed next never
/// waits behind more than a tenth of a second of output.
///
/// The kernel and sshd take much more than a line carries, so writing tells nothing. A status question
/// (DSR 5) before and behind each large frame does: between the answers the terminal took the frame,
/// whatever the way of the answers takes. Terminals that answer nothing are measured by writing.
struct OutputRateEstimator {
  /// Bytes that the next large frame may have.
  private(set) var budget: Int
  private var question = Question.none
  private var lastAsked = ContinuousClock.now
  /// Frames that were followed by a question, by which late looks at the clock know theirs.
  private(set) var asked = 0
  private var hasAnswered = false
  private var isSilent = false

  private enum Question {
    case none
    /// Asked before and behind so many bytes.
    case open(bytes: Int)
    /// The answer before them has come.
    case begun(bytes: Int, since: ContinuousClock.Instant)
  }

  /// Frames below this size are quickly taken by any line, and by a slow one below the other.
  static let large = 2_048
  private static let largeWhereSlow = 512
  /// Lines that take less in a second get small pictures first.
  private static let slowRate = 1_000_000.0
  /// What takes less time than this may have waited for the terminal to draw.
  private static let drawing = Duration.milliseconds(40)
  /// Seconds of output that a frame may be.
  private static let longest = 0.08
  private static let range = 4_096...1 << 20
  /// So much more than the last frame had, at most, may the next have.
  private static let growth = 8
  /// The same where the answers took their time: they may have been read late, and both at once.
  private static let carefulGrowth = 2
  private static let unmeasured = 16 << 10

  init(isOverSSH: Bool) {
    budget = Self.unmeasured
    unresponsiveBudget = isOverSSH ? 32 << 10 : 256 << 10
  }

  /// Whether an answer is outstanding, and with it perhaps the frame.
  var isWaiting: Bool { if case .none = question { false } else { true } }

  /// Whether the line is known to be slow.
  private(set) var isSlow = false

  /// Whether the next frame would only wait behind another one: it is drawn later, as things are then.
  var isBusy: Bool { isSlow && isWaiting }

  /// How long an answer may take.
  ///
  /// On a slow line nothing is drawn meanwhile, and an answer may be lost.
  var timeout: Duration { hasAnswered ? .seconds(isSlow ? 2 : 5) : .milliseconds(500) }

  /// Says that a frame is about to be written.
  ///
  /// - Returns: whether a question goes before and behind it.
  mutating func willWrite(_ bytes: Int, at now: ContinuousClock.Instant = .now) -> Bool {
    guard !isSilent, !isWaiting, bytes >= (isSlow ? Self.largeWhereSlow : Self.large) else {
      return false
    }
    question = .open(bytes: bytes)
    lastAsked = now
    asked += 1
    return true
  }

  /// One of the answers has come, however late.
  mutating func didAnswer(at now: ContinuousClock.Instant) {
    if isSilent { budget = Self.unmeasured }
    (hasAnswered, isSilent) = (true, false)
    switch question {
    case .none: break
    case .open(let bytes): question = .begun(bytes: bytes, since: now)
    case .begun(let bytes, let since):
      question = .none
      let isPrompt = lastAsked.duration(to: now) < Self.drawing
      measured(bytes, in: since.duration(to: now), isPrompt: isPrompt)
    }
  }

  /// No answer has come in time to the question of that number: what never answers is not asked again,
  /// and from what did an answer was lost.
  ///
  /// - Returns: whether it was still waited for.
  mutating func giveUp(on number: Int) -> Bool {
    guard isWaiting, number == asked else { return false }
    question = .none
    guard !hasAnswered else {
      budget = Self.range.lowerBound
      return true
    }
    isSilent = true
    budget = unresponsiveBudget
    return true
  }

  /// Forgets what is outstanding, after others had the terminal.
  mutating func reset() { question = .none }

  private mutating func measured(_ bytes: Int, in duration: Duration, isPrompt: Bool) {
    let seconds = max(duration / .seconds(1), 0.000_1)
    let rate = Double(bytes) / seconds
    if rate >= Self.slowRate { isSlow = false } else if duration >= Self.drawing { isSlow = true }
    let growth = isPrompt ? Self.growth : Self.carefulGrowth
    let most = min(Double(bytes * growth), rate * Self.longest)
    budget = Int(min(max(most, Double(Self.range.lowerBound)), Double(Self.range.upperBound)))
  }

  // MARK: Without answers

  private let unresponsiveBudget: Int
  /// Longer than this, a person would notice that a key waits.
  private static let tooLong = Duration.milliseconds(40)
  private static let quick = Duration.milliseconds(8)

  /// Learns how long a terminal that answers nothing took for a frame.
  mutating func didWrite(_ count: Int, in duration: Duration) {
    guard isSilent, count >= budget / 2 else { return }
    if duration > Self.tooLong { budget /= 2 }
    if duration < Self.quick { budget *= 2 }
    budget = min(max(budget, Self.unmeasured), Self.range.upperBound)
  }
}
