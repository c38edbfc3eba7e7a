package import MarketModel

/// Asking of a market that does not answer, again and again by itself: after 1, 2, 4 … 60 seconds,
/// counted down for whoever looks.
///
/// It wakes once a second while it waits, and never otherwise. Only reading is repeated by it.
package final class Reconnection {
  package enum Phase: Hashable, Sendable {
    /// The market answers, or was not asked yet.
    case idle
    /// The next try is in so many seconds.
    case waiting(seconds: Int)
    case asking
  }

  @Observed package private(set) var phase = Phase.idle
  /// How often it was asked in vain.
  @Observed package private(set) var tries = 0
  /// From the first question in vain to the last.
  @Observed package private(set) var elapsed = Duration.zero
  /// Why the last one was in vain.
  @Observed package private(set) var failure: RepositoryError?

  private let clock: any Clock<Duration>
  private let jitter: Jitter
  /// They are told when the countdown has ended.
  private let observers: ListObservers
  private var stopwatch: (() -> Duration)?
  private var task: Task<Void, Never>?
  /// Whether nobody looks, so that nothing is counted down.
  private var isResting = false

  /// `jitter` spreads the clients of a server that comes back.
  init(clock: any Clock<Duration>, jitter: Jitter, observers: ListObservers) {
    self.clock = clock
    self.jitter = jitter
    self.observers = observers
  }

  package var isNeeded: Bool { phase != .idle }

  /// Waits and asks again, where that may help; while it waits already, nothing changes.
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

  /// The market answered; true where it had not before.
  func didAnswer() -> Bool {
    guard isNeeded else { return false }
    stop()
    return true
  }

  /// Ends the wait, for the market is asked now.
  func didAsk() {
    guard isNeeded else { return }
    task?.cancel()
    phase = .asking
  }

  /// Nobody looks at the market any more: it is not asked by itself, and nothing wakes.
  func rest() {
    isResting = true
    task?.cancel()
  }

  /// Somebody looks again: a market that did not answer is asked at once.
  func wake() {
    guard isResting else { return }
    isResting = false
    guard case .waiting = phase else { return }
    askNow()
  }

  private func askNow() {
    phase = .asking
    observers.tell(.countdownEnded)
  }

  private func stop() {
    task?.cancel()
    (task, stopwatch, failure) = (nil, nil, nil)
    (phase, tries, elapsed) = (.idle, 0, .zero)
  }

  private func wait(_ pause: Duration) {
    task?.cancel()
    guard !isResting else {
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

/// Chance that spreads programs over a time in which all of them would ask at once.
package enum Jitter {
  case random
  /// Always the same part, 0 to 1.
  case fixed(Double)

  /// A part of the time, 0 to 1.
  func next() -> Double {
    switch self {
    case .random: .random(in: 0...1)
    case .fixed(let part): part
    }
  }
}

/// The pauses between tries: each twice as long as the one before, up to a minute.
package enum ReconnectionBackoff {
  private static let longest = 60
  /// What chance may take off.
  private static let spread = 0.25

  /// The pause after so many tries; no shorter than the server asked for, and where that is one in
  /// trouble, no longer for it than a minute: it may be there again earlier than it thinks.
  package static func after(tries: Int, _ error: RepositoryError, jitter: Jitter) -> Duration {
    let full = min(longest, 1 << min(max(0, tries - 1), 6))
    let pause = Duration.milliseconds(Int(Double(full * 1_000) * (1 - spread * jitter.next())))
    if case .tooManyRequests(let seconds) = error { return max(pause, .seconds(seconds)) }
    guard case .badAnswer(.busy(_, let seconds)) = error else { return pause }
    return max(pause, .seconds(min(seconds, longest)))
  }
}

extension RepositoryError {
  /// Whether the same question may be answered after some time without anybody doing anything.
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
  /// The seconds, the last one begun counted whole.
  fileprivate var wholeSeconds: Int {
    Int(components.seconds) + (components.attoseconds > 0 ? 1 : 0)
  }
}
