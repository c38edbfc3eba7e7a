/// Limit of the time for which nobody presses a key.
final class IdleTimer {
  private let limit: Duration
  private let clock: any Clock<Duration>
  private let didPass: () -> Void
  /// Whether a key came since the time was last looked at.
  private var wasPressed = false
  private var waiting: Task<Void, Never>?

  /// Begins to wait; `didPass` is called once, when a whole limit has gone by without a key.
  init(
    _ limit: Duration, clock: any Clock<Duration> = DispatchClock(), didPass: @escaping () -> Void
  ) {
    self.limit = limit
    self.clock = clock
    self.didPass = didPass
    waiting = Task { [weak self] in await self?.wait() }
  }

  isolated deinit { waiting?.cancel() }

  /// Costs nothing, as keys come many a second: the time is looked at once in a limit.
  func didPressKey() { wasPressed = true }

  private func wait() async {
    repeat {
      wasPressed = false
      guard (try? await clock.sleep(for: limit)) != nil else { return }
    } while wasPressed
    didPass()
  }
}
