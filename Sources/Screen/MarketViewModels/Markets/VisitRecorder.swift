internal import MarketModel

/// Notes of which markets somebody looks at, at most one a minute each, for whoever counts what is new
/// since the last visit.
final class VisitRecorder {
  /// Note that is to be told.
  struct DueNote {
    let market: MarketKey
    let newest: Product.ID?
    /// Whether it begins a visit.
    let isFirst: Bool
  }

  private let personal: PersonalData
  private let elapsed: () -> Duration
  private var notes: [MarketKey: Note] = [:]

  private struct Note {
    var time: Duration
    /// The newest product that was told.
    var newest: Product.ID?
  }

  private static let pause = Duration.seconds(60)

  init(in personal: PersonalData, clock: any Clock<Duration>) {
    self.personal = personal
    elapsed = Self.stopwatch(on: clock)
  }

  /// Takes note that somebody looks at a market, and gives what is to be told of it.
  ///
  /// - Returns: nil where that is too early; the first note that knows a product never is.
  func note(of market: MarketKey, newest: Product.ID?) -> DueNote? {
    guard personal.store != nil else { return nil }
    let now = elapsed()
    let last = notes[market]
    if let last, now - last.time < Self.pause, last.newest != nil || newest == nil { return nil }
    notes[market] = Note(time: now, newest: newest ?? last?.newest)
    return DueNote(market: market, newest: newest, isFirst: last == nil)
  }

  /// Tells what is due.
  func tell(_ note: DueNote) async {
    await personal.store?.isVisiting(note.market, newest: note.newest)
  }

  func didLeave(_ market: MarketKey) {
    guard let store = personal.store, notes.removeValue(forKey: market) != nil else { return }
    Task { await store.didLeave(market) }
  }

  /// Tells what was seen last of each market, and that nobody looks any more.
  func end(newest: (MarketKey) -> Product.ID?) async {
    guard let store = personal.store else { return }
    for market in notes.keys {
      await store.isVisiting(market, newest: newest(market) ?? notes[market]?.newest)
      await store.didLeave(market)
    }
    notes = [:]
  }

  private static func stopwatch(on clock: some Clock<Duration>) -> () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
