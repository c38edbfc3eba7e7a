import MarketAPI
import MarketModel
import Synchronization

/// One stream of a server's changes: events in, news out.
///
/// Changes are told with the place after them: what came without one is told again by the next
/// stream, and so never twice.
final class StreamSession: Sendable {
  private struct State {
    var parser = EventStreamParser()
    var place: ChangePlace?
    var isGreeted: Bool
    /// Changes since the last place.
    var changes: [MarketChange] = []
    var isReset = false
    var lastHeard = ContinuousClock.now
    var hasHeard = false
    /// Whether whoever listens takes no more.
    var isRefused = false
  }

  /// Changes without a place that are kept; no server of ours tells more at a time.
  private static let changeLimit = 10_000

  private let state: Mutex<State>
  private let tell: @Sendable (ChangeNews) -> Bool

  /// Begins after a place.
  ///
  /// Who was greeted before is not told that the market is there; `tell` says
  /// whether more is taken.
  init(
    after place: ChangePlace?, isGreeted: Bool, tell: @escaping @Sendable (ChangeNews) -> Bool
  ) {
    state = Mutex(State(place: place, isGreeted: isGreeted))
    self.tell = tell
  }

  /// The place up to which everything was told.
  var place: ChangePlace? { state.withLock { $0.place } }

  var isGreeted: Bool { state.withLock { $0.isGreeted } }

  var isRefused: Bool { state.withLock { $0.isRefused } }

  /// Whether the server has said anything.
  var hasHeard: Bool { state.withLock { $0.hasHeard } }

  /// Time since the server said anything.
  var silence: Duration { state.withLock { .now - $0.lastHeard } }

  /// Takes a piece of the stream; false where it is none, or nobody listens.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let news = state.withLock { state -> [ChangeNews]? in
      guard let items = try? state.parser.feed(bytes) else { return nil }
      if !items.isEmpty { (state.lastHeard, state.hasHeard) = (.now, true) }
      var news: [ChangeNews] = []
      for item in items {
        guard take(item, &state, &news) else { return nil }
      }
      return news
    }
    guard let news else { return false }
    guard news.allSatisfy(tell) else {
      state.withLock { $0.isRefused = true }
      return false
    }
    return true
  }

  private func take(
    _ item: EventStreamParser.Item, _ state: inout State, _ news: inout [ChangeNews]
  ) -> Bool {
    if !state.isGreeted, let place = state.place {
      state.isGreeted = true
      news.append(.watching(place))
    }
    guard case .event(let event) = item else { return true }
    let name = ChangeCoding.EventName(rawValue: event.name)
    switch name {
    case .product?, .seller?:
      if let name, let change = ChangeCoding.change(in: event.data, of: name) {
        state.changes.append(change)
      }
    case .reset?: (state.isReset, state.changes) = (true, [])
    case .hello?, nil: break
    }
    guard state.changes.count <= Self.changeLimit else { return false }
    guard let id = event.id, !id.isEmpty else { return true }
    let place = ChangePlace(rawValue: id)
    state.place = place
    if !state.isGreeted {
      state.isGreeted = true
      news.append(.watching(place))
    }
    if !state.changes.isEmpty || state.isReset {
      news.append(
        .changes(ChangeBatch(changes: state.changes, place: place, isReset: state.isReset)))
      (state.changes, state.isReset) = ([], false)
    }
    return true
  }
}
