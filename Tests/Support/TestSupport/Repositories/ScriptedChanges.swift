import MarketModel
import Synchronization

/// Source of the changes that a test sends, to the latest subscriber.
package final class ScriptedChanges: ChangeSource {
  private struct State {
    var cursors: [ChangeCursor?] = []
    var watchers = 0
    var watcher: AsyncStream<ChangeEvent>.Continuation?
    /// What was told before anybody watched.
    var early: [ChangeEvent] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// The places after which news were asked for, in their order.
  package var cursors: [ChangeCursor?] { state.withLock { $0.cursors } }

  /// Whether anybody watches.
  package var isWatched: Bool { state.withLock { $0.watchers > 0 } }

  package func news(after cursor: ChangeCursor?) -> AsyncStream<ChangeEvent> {
    AsyncStream { watcher in
      watcher.onTermination = { [weak self] _ in self?.state.withLock { $0.watchers -= 1 } }
      state.withLock { state in
        state.cursors.append(cursor)
        state.watchers += 1
        state.watcher = watcher
        for news in state.early { watcher.yield(news) }
        state.early = []
      }
    }
  }

  package func tell(_ news: ChangeEvent) {
    let watcher = state.withLock { state in
      if state.watcher == nil { state.early.append(news) }
      return state.watcher
    }
    watcher?.yield(news)
    if case .lost = news { watcher?.finish() }
  }

  package func watch(_ cursor: String = "0") { tell(.watching(ChangeCursor(rawValue: cursor))) }

  package func tell(_ changes: MarketChange..., cursor: String = "1", isReset: Bool = false) {
    let cursor = ChangeCursor(rawValue: cursor)
    tell(.changes(ChangeBatch(changes: changes, cursor: cursor, isReset: isReset)))
  }
}

extension MarketChange {
  /// A change of a product to test with.
  package static func sample(
    _ kind: ProductChange.Kind, _ id: Int64, version: String? = "2"
  ) -> MarketChange {
    .product(
      ProductChange(
        id: Product.ID(rawValue: id), kind: kind,
        version: version.map(ProductVersion.init(rawValue:)), seller: Seller.guest.id))
  }
}
