import MarketAPI
import MarketModel
import Synchronization

/// State of one stream of change events: bytes in, `ChangeEvent`s out.
///
/// Changes are reported with the cursor that follows them. Those without one yet are dropped with the
/// stream and repeated by the next, so no change is reported twice.
final class StreamSession: Sendable {
  private struct State {
    var parser = EventStreamParser()
    var cursor: ChangeCursor?
    var hasReportedStart: Bool
    /// Changes since the last cursor.
    var changes: [MarketChange] = []
    var isReset = false
    var lastHeard = ContinuousClock.now
    var hasReceived = false
    /// Whether `deliver` has refused an event.
    var isRefused = false
  }

  /// Maximum number of changes without a cursor; a stream with more is ended.
  ///
  /// Our server sends fewer.
  static let changeLimit = 10_000

  private let state: Mutex<State>
  private let deliver: @Sendable (ChangeEvent) -> Bool

  /// Creates the state of a stream that continues after `cursor`.
  ///
  /// `hasReportedStart` suppresses the `.watching` event; `deliver` returns false if its buffer is full or its
  /// reader gone.
  init(
    after cursor: ChangeCursor?, hasReportedStart: Bool,
    deliver: @escaping @Sendable (ChangeEvent) -> Bool
  ) {
    state = Mutex(State(cursor: cursor, hasReportedStart: hasReportedStart))
    self.deliver = deliver
  }

  /// Cursor up to which all changes were reported; nil before the first.
  var cursor: ChangeCursor? { state.withLock { $0.cursor } }

  var hasReportedStart: Bool { state.withLock { $0.hasReportedStart } }

  var isRefused: Bool { state.withLock { $0.isRefused } }

  /// Whether any event or comment has been received.
  var hasReceived: Bool { state.withLock { $0.hasReceived } }

  /// Time since the last event or comment.
  var silence: Duration { state.withLock { .now - $0.lastHeard } }

  /// Parses bytes of the stream; false if they are malformed, too many, or `deliver` refuses an event.
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
    guard news.allSatisfy(deliver) else {
      state.withLock { $0.isRefused = true }
      return false
    }
    return true
  }

  private func take(
    _ item: EventStreamParser.Item, _ state: inout State, _ news: inout [ChangeEvent]
  ) -> Bool {
    if !state.hasReportedStart, let cursor = state.cursor {
      state.hasReportedStart = true
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
    if !state.hasReportedStart {
      state.hasReportedStart = true
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
