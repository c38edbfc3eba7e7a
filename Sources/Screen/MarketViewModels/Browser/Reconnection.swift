package import MarketModel

/// Retries of a market that does not answer, after 1, 2, 4 … 60 seconds, with a countdown.
///
/// It wakes once a second while it counts down, and never otherwise. Only reads are repeated.
package final class Reconnection {
  package enum Phase: Hashable, Sendable {
    /// The market answers, or was not asked yet.
    case idle
    /// The next try is in this many seconds.
    case waiting(seconds: Int)
    case asking
  }

  @Observed package private(set) var phase = Phase.idle
  /// Number of failed tries.
  @Observed package private(set) var tries = 0
  /// Time from the first failure to the last.
  @Observed package private(set) var elapsed = Duration.zero
  /// Error of the last try; nil while idle.
  @Observed package private(set) var failure: RepositoryError?

  private let clock: any Clock<Duration>
  private let jitter: Jitter
  /// Observers of the list, which get `.countdownEnded`.
  private let observers: ListObservers
  private var stopwatch: (() -> Duration)?
  private var task: Task<Void, Never>?
  /// Whether retries are paused because the market is not on the screen.
  private var isPaused = false

  /// `jitter` spreads the clients of a server that comes back, so that they do not all ask at once.
  init(clock: any Clock<Duration>, jitter: Jitter, observers: ListObservers) {
    self.clock = clock
    self.jitter = jitter
    self.observers = observers
  }

  package var isNeeded: Bool { phase != .idle }

  /// Schedules the next try after a transient error; a running countdown continues.
  func didFail(_ error: RepositoryError) {
    guard error.isTransient else { return }
    failure = error
    if case .waiting = phase { return }
    tries += 1
    let stopwatch = stopwatch ?? Self.stopwatch(on: clock)
    self.stopwatch = stopwatch
    elapsed = stopwatch()
    wait(ReconnectionBackoff.after(tries: tries, error, jitter: jitter))
  }

  /// Ends the retries; true if there were any.
  func didAnswer() -> Bool {
    guard isNeeded else { return false }
    stop()
    return true
  }

  /// Ends the countdown because a request is being sent now.
  func didAsk() {
    guard isNeeded else { return }
    task?.cancel()
    phase = .asking
  }

  /// Pauses the retries; called when the market is not on the screen.
  func pause() {
    isPaused = true
    task?.cancel()
  }

  /// Resumes the retries, the first one at once.
  func wake() {
    guard isPaused else { return }
    isPaused = false
    guard case .waiting = phase else { return }
    askNow()
  }

  private func askNow() {
    phase = .asking
    observers.report(.countdownEnded)
  }

  private func stop() {
    task?.cancel()
    (task, stopwatch, failure) = (nil, nil, nil)
    (phase, tries, elapsed) = (.idle, 0, .zero)
  }

  private func wait(_ pause: Duration) {
    task?.cancel()
    guard !isPaused else {
      phase = .waiting(seconds: pause.wholeSeconds)
      return
    }
    task = Task.immediate {
      var left = pause
      while left > .zero {
        let seconds = left.wholeSeconds
        phase = .waiting(seconds: seconds)
        let step = left - .seconds(seconds - 1)
        try? await clock.sleep(for: step)
        guard !Task.isCancelled else { return }
        left -= step
      }
      askNow()
    }
  }

  static func stopwatch(on clock: some Clock<Duration>) -> () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}

/// Random part of a pause, by which clients are spread over time.
package enum Jitter {
  case random
  /// Always the same value, 0 to 1.
  case fixed(Double)

  /// Next value, 0 to 1.
  func next() -> Double {
    switch self {
    case .random: .random(in: 0...1)
    case .fixed(let part): part
    }
  }
}

/// Exponential pauses between tries, from 1 second to at most a minute.
package enum ReconnectionBackoff {
  /// Maximum pause, in seconds.
  private static let longest = 60
  /// Maximum part that jitter takes off a pause.
  private static let spread = 0.25

  /// Pause after `tries` failures.
  ///
  /// After `.tooManyRequests` at least its seconds; after `.busy` at least its seconds up to a minute,
  /// for the server may be back earlier than it announced.
  package static func after(tries: Int, _ error: RepositoryError, jitter: Jitter) -> Duration {
    let full = min(longest, 1 << min(max(0, tries - 1), 6))
    let pause = Duration.milliseconds(Int(Double(full * 1_000) * (1 - spread * jitter.next())))
    if case .tooManyRequests(let seconds) = error { return max(pause, .seconds(seconds)) }
    guard case .badAnswer(.busy(_, let seconds)) = error else { return pause }
    return max(pause, .seconds(min(seconds, longest)))
  }
}

extension RepositoryError {
  /// Whether the same request may succeed after some time without a change by the user.
  fileprivate nonisolated var isTransient: Bool {
    switch self {
    case .unreachable(let failure), .badAnswer(let failure): failure.isTransient
    case .tooManyRequests: true
    case .store(.locked), .store(.unavailable), .store(.picturesUnavailable): true
    case .notFound, .wrongPassword, .notOwner, .blocked, .keyReused, .tooManyAttempts, .marketFull,
      .conflict, .invalid, .questionRefused, .unknownCursor, .unsupported, .store, .cancelled:
      false
    }
  }
}

extension ServerFailure {
  fileprivate nonisolated var isTransient: Bool {
    switch self {
    case .nameNotFound, .refused, .timedOut, .disconnected, .exhausted: true
    case .status(let status), .busy(let status, _): status >= 500
    case .libraryMissing, .otherScheme, .insecure, .tooManyRedirects, .redirectRefused,
      .redirectUnencrypted, .notAMarket, .tooLarge, .unreadable:
      false
    }
  }
}

extension Duration {
  /// Seconds, rounded up.
  fileprivate var wholeSeconds: Int {
    Int(components.seconds) + (components.attoseconds > 0 ? 1 : 0)
  }
}
