internal import MarketModel

/// Notes of which markets somebody looks at, at most one a minute each, for whoever counts what is new
/// since the last visit.
final class VisitRecorder {
  private let program: ProgramState
  private let elapsed: () -> Duration
  private var notes: [MarketKey: Note] = [:]

  private struct Note {
    var time: Duration
    /// The newest product that was told.
    var newest: Product.ID?
  }

  private static let pause = Duration.seconds(60)

  init(program: ProgramState, clock: any Clock<Duration>) {
    self.program = program
    elapsed = Self.stopwatch(on: clock)
  }

  /// Takes note that somebody looks at a market; the first note that knows a product is never too early.
  ///
  /// `didNote` is called after a note that was not the first.
  func note(_ market: MarketKey, newest: Product.ID?, then didNote: @escaping () -> Void) {
    guard let store = program.personal else { return }
    let now = elapsed()
    if let last = notes[market] {
      let isDue = now - last.time >= Self.pause || (last.newest == nil && newest != nil)
      guard isDue else { return }
    }
    let isFirst = notes[market] == nil
    notes[market] = Note(time: now, newest: newest ?? notes[market]?.newest)
    Task {
      await store.isVisiting(market, newest: newest)
      if !isFirst { didNote() }
    }
  }

  func didLeave(_ market: MarketKey) {
    guard let store = program.personal, notes.removeValue(forKey: market) != nil else { return }
    Task { await store.didLeave(market) }
  }

  /// Tells what was seen last of each market, and that nobody looks any more.
  func end(newest: (MarketKey) -> Product.ID?) async {
    guard let store = program.personal else { return }
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
