internal import SafeTextKit

/// Saver of the position: one second after an input, at most once a second, and at the end of the run.
package final class SessionStateSaver {
  private let store: any SessionStateStore
  private let clock: any Clock<Duration>
  private var waiting: Task<Void, Never>?
  private var saved: SessionState?

  /// Delay from an input to the save; further inputs do not extend it.
  private static let pause = Duration.seconds(1)

  package init(_ store: any SessionStateStore, clock: any Clock<Duration>) {
    self.store = store
    self.clock = clock
  }

  /// Schedules a save; called for each input.
  func schedule(in markets: Markets) {
    guard waiting == nil else { return }
    waiting = Task.immediate {
      try? await clock.sleep(for: Self.pause)
      guard !Task.isCancelled else { return }
      await keep(markets.state)
    }
  }

  /// Saves the final position, also if another program has saved one since.
  func finish(at state: SessionState) async {
    waiting?.cancel()
    saved = nil
    await keep(state)
  }

  private func keep(_ state: SessionState) async {
    waiting = nil
    guard state != saved else { return }
    saved = state
    await store.keep(state)
  }
}

extension Markets {
  /// The shown market and the position in it.
  package var state: SessionState {
    let shown = shown
    var state = SessionState(
      market: shown.location, name: shown.name?.string, navigationState: current.navigationState)
    state.turned = turnedPictures
    return state
  }
}
