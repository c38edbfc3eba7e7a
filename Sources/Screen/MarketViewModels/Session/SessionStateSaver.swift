internal import SafeTextKit

/// Keeper of the place in which the program is left: it notes where one stands a moment after keys,
/// at most once a second, and at the end.
package final class SessionStateSaver {
  private let store: any SessionStateStore
  private let clock: any Clock<Duration>
  private var waiting: Task<Void, Never>?
  private var saved: SessionState?

  private static let pause = Duration.seconds(1)

  package init(_ store: any SessionStateStore, clock: any Clock<Duration>) {
    self.store = store
    self.clock = clock
  }

  /// A key was read: one may stand elsewhere in a moment.
  func didPressKey(in markets: Markets) {
    guard waiting == nil else { return }
    waiting = Task.immediate {
      try? await clock.sleep(for: Self.pause)
      guard !Task.isCancelled else { return }
      await keep(markets.state)
    }
  }

  /// The program ends: the place is kept as it is now, whatever another program has kept meanwhile.
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
  /// The market that is shown, and where one stands in it.
  package var state: SessionState {
    let shown = shown
    var state = SessionState(
      market: shown.location, name: shown.name?.string, navigationState: current.navigationState)
    state.turned = turnedElsewhere
    return state
  }
}
