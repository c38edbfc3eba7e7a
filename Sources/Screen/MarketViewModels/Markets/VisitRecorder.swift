internal import MarketModel

/// Recorder of visits to markets, from which products since the last visit are counted; at most one
/// note a minute for each market.
final class VisitRecorder {
  /// Note that is due to be stored.
  struct DueNote {
    let market: MarketKey
    let newest: Product.ID?
    /// Whether the note begins a visit.
    let isFirst: Bool
  }

  private let personal: PersonalData
  private let elapsed: () -> Duration
  private var notes: [MarketKey: Note] = [:]

  private struct Note {
    var time: Duration
    /// The newest product in the last note; nil if none was known.
    var newest: Product.ID?
  }

  /// Minimum time between two notes of a market.
  private static let pause = Duration.seconds(60)

  init(in personal: PersonalData, clock: any Clock<Duration>) {
    self.personal = personal
    elapsed = Self.stopwatch(on: clock)
  }

  /// Records activity in a market.
  ///
  /// - Returns: the note to store; nil if the last one is less than a minute old, except for the
  ///   first note with a product.
  func dueNote(of market: MarketKey, newest: Product.ID?) -> DueNote? {
    guard personal.store != nil else { return nil }
    let now = elapsed()
    let last = notes[market]
    if let last, now - last.time < Self.pause, last.newest != nil || newest == nil { return nil }
    notes[market] = Note(time: now, newest: newest ?? last?.newest)
    return DueNote(market: market, newest: newest, isFirst: last == nil)
  }

  /// Stores a note.
  func store(_ note: DueNote) async {
    await personal.store?.isVisiting(note.market, newest: note.newest)
  }

  func didLeave(_ market: MarketKey) {
    guard let store = personal.store, notes.removeValue(forKey: market) != nil else { return }
    Task { await store.didLeave(market) }
  }

  /// Stores the newest product of each visited market and ends the visits.
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
