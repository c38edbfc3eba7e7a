internal import SafeText

/// Keeper of the place in which the program is left: it notes where one stands a moment after keys,
/// at most once a second, and at the end.
package final class PlaceKeeper {
  private let store: any PlaceStore
  private let clock: any Clock<Duration>
  private let place: () -> LastPlace
  private var waiting: Task<Void, Never>?
  private var kept: LastPlace?

  private static let pause = Duration.seconds(1)

  /// `place` says where one stands now.
  package init(
    _ store: any PlaceStore, clock: any Clock<Duration>, place: @escaping () -> LastPlace
  ) {
    self.store = store
    self.clock = clock
    self.place = place
  }

  /// The keeper of the markets' place.
  package convenience init(_ store: any PlaceStore, of markets: Markets) {
    self.init(store, clock: markets.current.clock) { [unowned markets] in markets.place }
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
    kept = nil
    await keep()
  }

  private func keep() async {
    waiting = nil
    let place = place()
    guard place != kept else { return }
    kept = place
    await store.keep(place)
  }
}

extension Markets {
  /// The market that is shown, and where one stands in it.
  package var place: LastPlace {
    let shown = shown
    var place = LastPlace(
      market: shown.place, name: shown.name?.string, whereabouts: current.whereabouts)
    place.turned = turnedElsewhere
    return place
  }
}
