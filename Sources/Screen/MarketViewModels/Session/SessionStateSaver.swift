internal import SafeTextKit

/// Keeper of the place in which the program is left: it notes where one stands a moment after keys,
/// at most once a second, and at the end.
package final class SessionStateSaver {
  private let store: any SessionStateStore
  private let clock: any Clock<Duration>
  private let state: () -> SessionState
  private var waiting: Task<Void, Never>?
  private var saved: SessionState?

  private static let pause = Duration.seconds(1)

  /// `place` says where one stands now.
  package init(
    _ store: any SessionStateStore, clock: any Clock<Duration>, state: @escaping () -> SessionState
  ) {
    self.store = store
    self.clock = clock
    self.state = state
  }

  /// The keeper of the markets' place.
  package convenience init(_ store: any SessionStateStore, of markets: Markets) {
    self.init(store, clock: markets.current.clock) { [unowned markets] in markets.state }
  }

  /// A key was read: one may stand elsewhere in a moment.
  package func didPressKey() {
    guard waiting == nil else { return }
    waiting = Task.immediate { [weak self, clock] in
      try? await clock.sleep(for: Self.pause)
      guard !Task.isCancelled else { return }
      await self?.keep()
    }
  }

  /// The program ends: the place is kept as it is now, whatever another program has kept meanwhile.
  package func finish() async {
    waiting?.cancel()
    saved = nil
    await keep()
  }

  private func keep() async {
    waiting = nil
    let state = state()
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
