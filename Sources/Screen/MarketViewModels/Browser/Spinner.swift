/// Whether something has been on its way long enough to say so.
package final class Spinner {
  @Observed package private(set) var isShown = false
  /// Whether it takes so long that more has to be said.
  @Observed package private(set) var isSlow = false

  /// Called when it does.
  var didSlow: () -> Void = {}

  private let clock: any Clock<Duration>
  private var task: Task<Void, Never>?

  private static let delay = Duration.milliseconds(150)
  private static let slowDelay = Duration.seconds(4)

  package init(clock: any Clock<Duration>) {
    self.clock = clock
  }

  /// Something is on its way; what began earlier counts from its own beginning.
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

  /// Nothing is on its way any more.
  package func stop() {
    task?.cancel()
    task = nil
    if isShown { isShown = false }
    if isSlow { isSlow = false }
  }
}
