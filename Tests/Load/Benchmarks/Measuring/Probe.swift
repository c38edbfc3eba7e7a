import TerminalTestSupport

/// A program under measurement: its raw output and the times at which it came.
final class Probe {
  /// How the end of a burst is known.
  enum End {
    /// The program marks its frames: synchronized output is switched off.
    case frame
    /// Nothing more came for so long.
    case silence(Duration)
  }

  /// Longest wait for an answer; shorter than the time after which htop draws by itself.
  static let timeout = Duration.milliseconds(500)
  private static let frameEnd = Array("\u{1b}[?2026l".utf8)

  let terminal: PseudoTerminal
  private let subject: Subject
  private let started: ContinuousClock.Instant

  init(_ subject: Subject) throws {
    self.subject = subject
    started = .now
    terminal = try PseudoTerminal(
      subject.command, environment: subject.environment, size: subject.size)
  }

  /// Brings the program to where its keys are measured.
  func prepare() throws {
    settle(.milliseconds(300))
    try subject.prepare(self)
    if case .ended = terminal.read(until: .now) {
      throw BenchError.noAnswer("\(subject.name) ended at once")
    }
  }

  /// From the start to the last byte of the first output that holds the marker, or of the opening
  /// burst where the program has no marker.
  func firstScreen() throws -> Double {
    guard let marker = subject.firstScreenMarker else {
      return read(since: started, until: .silence(.milliseconds(150)))?.milliseconds ?? .nan
    }
    var output: [UInt8] = []
    let deadline = started + .seconds(30)
    while case .bytes(let bytes) = terminal.read(until: deadline) {
      let time = started.duration(to: .now)
      output += bytes
      answer(bytes)
      if output.contains(marker), bytes.suffix(64).contains(Self.frameEnd) {
        return time.milliseconds
      }
    }
    throw BenchError.noAnswer("the first products of \(subject.name)")
  }

  /// Types keys and takes what answers them; nothing if the program stays silent.
  func burst(
    after keys: KeyScript, until end: End? = nil, timeout: Duration = Probe.timeout
  ) -> Burst? {
    let sent = ContinuousClock.now
    terminal.write(keys.bytes)
    return read(since: sent, until: end ?? subject.end, timeout: timeout)
  }

  /// Types keys and takes the time until the output holds one of some markers.
  func time(after keys: KeyScript, untilOutputOf markers: [String]) throws -> Double {
    let sent = ContinuousClock.now
    terminal.write(keys.bytes)
    var output: [UInt8] = []
    while case .bytes(let bytes) = terminal.read(until: sent + .seconds(10)) {
      output += bytes
      if markers.contains(where: { output.contains(Array($0.utf8)) }) {
        return sent.duration(to: .now).milliseconds
      }
    }
    throw BenchError.noAnswer(markers[0])
  }

  /// Waits until nothing came for the time given.
  func settle(_ quiet: Duration) {
    _ = read(since: .now, until: .silence(quiet), timeout: quiet)
  }

  /// Lets the time pass in full and takes what comes; htop is never silent for long.
  ///
  /// - Parameter duration: how long.
  /// - Returns: the number of bytes that came.
  func rest(for duration: Duration) -> Int {
    let deadline = ContinuousClock.now + duration
    var count = 0
    while case .bytes(let bytes) = terminal.read(until: deadline) { count += bytes.count }
    return count
  }

  /// Types keys and takes the time until the program has ended.
  func timeToEnd(after keys: KeyScript) throws -> Double {
    let sent = ContinuousClock.now
    terminal.write(keys.bytes)
    while true {
      switch terminal.read(until: sent + .seconds(10)) {
      case .bytes(let bytes): answer(bytes)
      case .silence: throw BenchError.noAnswer("the end of \(subject.name)")
      case .ended: return sent.duration(to: .now).milliseconds
      }
    }
  }

  private func read(
    since start: ContinuousClock.Instant, until end: End, timeout: Duration = Probe.timeout
  ) -> Burst? {
    var last: ContinuousClock.Instant?
    var count = 0
    while case .bytes(let bytes) = terminal.read(until: deadline(end, last, start + timeout)) {
      last = .now
      count += bytes.count
      answer(bytes)
      if case .frame = end, bytes.suffix(64).contains(Self.frameEnd) { break }
    }
    return last.map { Burst(milliseconds: start.duration(to: $0).milliseconds, byteCount: count) }
  }

  private func deadline(
    _ end: End, _ last: ContinuousClock.Instant?, _ latest: ContinuousClock.Instant
  ) -> ContinuousClock.Instant {
    guard case .silence(let quiet) = end, let last else { return latest }
    return last + quiet
  }

  /// Answers the questions that a program asks, as a dark terminal would.
  private func answer(_ bytes: [UInt8]) {
    guard bytes.contains(Array("\u{1b}[c".utf8)) else { return }
    terminal.write(Array("\u{1b}]11;rgb:1e1e/1e1e/1e1e\u{1b}\\\u{1b}[?62;22c".utf8))
  }
}
