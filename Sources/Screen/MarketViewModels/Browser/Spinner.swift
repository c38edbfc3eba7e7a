/// Delay after which a running request is shown: 150 ms for the spinner, 4 s more for `isSlow`.
package final class Spinner {
  @Observed package private(set) var isShown = false
  /// Whether a request has run for more than 4 seconds.
  @Observed package private(set) var isSlow = false

  /// Called once when `isSlow` becomes true.
  var didSlow: () -> Void = {}

  private let clock: any Clock<Duration>
  private var task: Task<Void, Never>?

  /// Delay after which the spinner is shown; a faster request shows none.
  private static let delay = Duration.milliseconds(150)
  /// Further delay after which a request counts as slow.
  private static let slowDelay = Duration.seconds(4)

  package init(clock: any Clock<Duration>) {
    self.clock = clock
  }

  /// Starts the delay; does nothing if it runs.
  package func start() {
    guard task == nil else { return }
    task = Task.immediate {
      try? await clock.sleep(for: Self.delay)
      guard !Task.isCancelled else { return }
      isShown = true
      try? await clock.sleep(for: Self.slowDelay)
      guard !Task.isCancelled else { return }
      isSlow = true
      didSlow()
    }
  }

  /// Hides the spinner.
  package func stop() {
    task?.cancel()
    task = nil
    if isShown { isShown = false }
    if isSlow { isSlow = false }
  }
}
