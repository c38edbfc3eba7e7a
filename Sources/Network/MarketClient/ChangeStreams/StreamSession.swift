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
    var cursor: ChangeCursor?
    var isGreeted: Bool
    /// Changes since the last place.
    var changes: [MarketChange] = []
    var isReset = false
    var lastHeard = ContinuousClock.now
    var hasReceived = false
    /// Whether whoever listens takes no more.
    var isRefused = false
  }

  /// Changes without a place that are kept; no server of ours tells more at a time.
  private static let changeLimit = 10_000

  private let state: Mutex<State>
  private let tell: @Sendable (ChangeEvent) -> Bool

  /// Begins after a place.
  ///
  /// Who was greeted before is not told that the market is there; `tell` says
  /// whether more is taken.
  init(
    after cursor: ChangeCursor?, isGreeted: Bool, tell: @escaping @Sendable (ChangeEvent) -> Bool
  ) {
    state = Mutex(State(cursor: cursor, isGreeted: isGreeted))
    self.tell = tell
  }

  /// The place up to which everything was told.
  var cursor: ChangeCursor? { state.withLock { $0.cursor } }

  var isGreeted: Bool { state.withLock { $0.isGreeted } }

  var isRefused: Bool { state.withLock { $0.isRefused } }

  /// Whether the server has said anything.
  var hasReceived: Bool { state.withLock { $0.hasReceived } }

  /// Time since the server said anything.
  var silence: Duration { state.withLock { .now - $0.lastHeard } }

  /// Takes a piece of the stream; false where it is none, or nobody listens.
  func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let news = state.withLock { state -> [ChangeEvent]? in
      guard let items = try? state.parser.feed(bytes) else { return nil }
      if !items.isEmpty { (state.lastHeard, state.hasReceived) = (.now, true) }
      var news: [ChangeEvent] = []
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
    _ item: EventStreamParser.Item, _ state: inout State, _ news: inout [ChangeEvent]
  ) -> Bool {
    if !state.isGreeted, let cursor = state.cursor {
      state.isGreeted = true
      news.append(.watching(cursor))
    }
    guard case .event(let event) = item else { return true }
    let name = ChangeCoding.EventName(rawValue: event.name)
    switch name {
    case .product?, .seller?, .question?:
      if let name, let change = ChangeCoding.change(in: event.data, of: name) {
        state.changes.append(change)
      }
    case .reset?: (state.isReset, state.changes) = (true, [])
    case .hello?, nil: break
    }
    guard state.changes.count <= Self.changeLimit else { return false }
    guard let id = event.id, !id.isEmpty else { return true }
    let cursor = ChangeCursor(rawValue: id)
    state.cursor = cursor
    if !state.isGreeted {
      state.isGreeted = true
      news.append(.watching(cursor))
    }
    if !state.changes.isEmpty || state.isReset {
      news.append(
        .changes(ChangeBatch(changes: state.changes, cursor: cursor, isReset: state.isReset)))
      (state.changes, state.isReset) = ([], false)
    }
    return true
  }
}
