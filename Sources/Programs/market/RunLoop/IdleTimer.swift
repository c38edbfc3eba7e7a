/// Timer that fires when no key was pressed for a time limit.
final class IdleTimer {
  private let limit: Duration
  private let clock: any Clock<Duration>
  private let didPass: () -> Void
  /// Whether a key was pressed since the last check.
  private var wasPressed = false
  private var waiting: Task<Void, Never>?

  /// Starts the timer; `didPass` is called once, when a whole `limit` has passed without a key press.
  init(
    _ limit: Duration, clock: any Clock<Duration> = DispatchClock(), didPass: @escaping () -> Void
  ) {
    self.limit = limit
    self.clock = clock
    self.didPass = didPass
    waiting = Task { [weak self] in await self?.wait() }
  }

  isolated deinit { waiting?.cancel() }

  /// Sets a flag only, since keys come many a second; the time is checked once per limit.
  func didPressKey() { wasPressed = true }

  private func wait() async {
    repeat {
      wasPressed = false
      guard (try? await clock.sleep(for: limit)) != nil else { return }
    } while wasPressed
    didPass()
  }
}
