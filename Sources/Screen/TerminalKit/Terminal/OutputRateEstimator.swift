/// Estimator of the terminal's output rate: limits the bytes of a frame, so that echo of a key waits
/// for at most a tenth of a second of output.
///
/// The kernel and sshd buffer more than the connection carries, so the duration of writes is no
/// measure. A status query (DSR 5) before and after each large frame is: between the two replies the
/// terminal has processed the frame, independent of the round-trip time. For terminals that do not
/// reply, the duration of writes is used.
struct OutputRateEstimator {
  /// Maximum bytes of the next large frame.
  private(set) var budget: Int
  private var question = Question.none
  private var lastAsked = ContinuousClock.now
  /// Number of frames written with queries; identifies the query that a timeout belongs to.
  private(set) var asked = 0
  private var hasAnswered = false
  private var isSilent = false

  private enum Question {
    case none
    /// Queries before and after this many bytes were sent.
    case open(bytes: Int)
    /// The reply before the bytes has arrived.
    case begun(bytes: Int, since: ContinuousClock.Instant)
  }

  /// Minimum bytes of a frame that is measured; smaller ones pass quickly on any connection.
  static let large = 2_048
  /// Minimum bytes of a measured frame on a slow connection.
  private static let largeWhereSlow = 512
  /// Bytes per second below which a connection is slow and gets small pictures first.
  private static let slowRate = 1_000_000.0
  /// Maximum time that may be the terminal's drawing rather than the connection.
  private static let drawing = Duration.milliseconds(40)
  /// Maximum seconds of output per frame.
  private static let longest = 0.08
  /// Minimum and maximum bytes of `budget`.
  private static let range = 4_096...1 << 20
  /// Maximum factor from the last frame's bytes to the next budget.
  private static let growth = 8
  /// Maximum factor where the replies were late, because both may have been read at once.
  private static let carefulGrowth = 2
  /// Bytes of the budget before the first measurement.
  private static let unmeasured = 16 << 10

  init(isOverSSH: Bool) {
    budget = Self.unmeasured
    unresponsiveBudget = isOverSSH ? 32 << 10 : 256 << 10
  }

  /// Whether a reply, and perhaps the frame, is outstanding.
  var isWaiting: Bool { if case .none = question { false } else { true } }

  /// Whether the connection is known to be slow.
  private(set) var isSlow = false

  /// Whether the next frame would queue behind another; it is then drawn later, from the state at that
  /// time.
  var isBusy: Bool { isSlow && isWaiting }

  /// Maximum duration of a reply: 500 ms before the first, then 5 s, or 2 s on a slow connection, where
  /// drawing waits for it and it may be lost.
  var timeout: Duration { hasAnswered ? .seconds(isSlow ? 2 : 5) : .milliseconds(500) }

  /// Registers a frame that is about to be written.
  ///
  /// - Returns: true where a query must be sent before and after it.
  mutating func willWrite(_ bytes: Int, at now: ContinuousClock.Instant = .now) -> Bool {
    guard !isSilent, !isWaiting, bytes >= (isSlow ? Self.largeWhereSlow : Self.large) else {
      return false
    }
    question = .open(bytes: bytes)
    lastAsked = now
    asked += 1
    return true
  }

  /// Registers one of the two replies, however late.
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

  /// Ends the wait for the replies to query `number`; a terminal that has never replied is not queried
  /// again, of any other a reply was lost.
  ///
  /// - Returns: true where the replies were still outstanding.
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

  /// Forgets outstanding replies; call after other programs had the terminal.
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
  /// Duration of a write above which the budget is halved; a user would notice the delay of a key.
  private static let tooLong = Duration.milliseconds(40)
  /// Duration of a write below which the budget is doubled.
  private static let quick = Duration.milliseconds(8)

  /// Adjusts the budget of a terminal without replies by the duration of a write.
  mutating func didWrite(_ count: Int, in duration: Duration) {
    guard isSilent, count >= budget / 2 else { return }
    if duration > Self.tooLong { budget /= 2 }
    if duration < Self.quick { budget *= 2 }
    budget = min(max(budget, Self.unmeasured), Self.range.upperBound)
  }
}
