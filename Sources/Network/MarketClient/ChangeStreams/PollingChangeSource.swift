import MarketModel
import Synchronization

/// Change source for servers without change streams: compares the first page with the last one read.
///
/// It polls every 30 seconds while the user is present, and not at all otherwise; the cache makes the
/// request conditional.
package final class PollingChangeSource: ChangeSource {
  private struct State {
    /// First page as last read, newest product first; nil before the first poll.
    var page: [Product]?
    var number = 0

    var cursor: ChangeCursor { ChangeCursor(rawValue: "seen-\(number)") }
  }

  private static let pause = Duration.seconds(30)
  private static let request = PageRequest(query: ProductQuery(), position: .first, size: 20)

  private let repository: any ProductRepository
  private let presence: UserPresence
  private let clock: any Clock<Duration>
  private let state = Mutex(State())

  package init(
    of repository: any ProductRepository, while presence: UserPresence,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.repository = repository
    self.presence = presence
    self.clock = clock
  }

  package func news(after cursor: ChangeCursor?) -> AsyncStream<ChangeEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: ChangeEvent.self)
    let task = Task {
      do throws(RepositoryError) {
        try await follow(after: cursor) { continuation.yield($0) }
      } catch {
        if error != .cancelled { continuation.yield(.lost(error)) }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  private func follow(
    after cursor: ChangeCursor?, _ deliver: (ChangeEvent) -> Void
  ) async throws(RepositoryError) {
    let before = state.withLock { $0.cursor }
    let news = try await poll()
    let present = state.withLock { $0.cursor }
    deliver(.watching(cursor ?? present))
    if let cursor, cursor != before {
      // The cursor is from another process, which has seen another page.
      deliver(.changes(ChangeBatch(changes: [], cursor: present, isReset: true)))
    } else if cursor != nil, let news {
      deliver(.changes(news))
    }
    while !Task.isCancelled {
      do { try await clock.sleep(for: Self.pause) } catch { throw .cancelled }
      await presence.wait()
      guard !Task.isCancelled else { throw .cancelled }
      if let batch = try await poll() { deliver(.changes(batch)) }
    }
    throw .cancelled
  }

  /// Reads the page and returns the differences; nil if there are none, or no earlier page.
  /// - Throws: what `ProductRepository.page(_:)` throws.
  private func poll() async throws(RepositoryError) -> ChangeBatch? {
    let page = try await repository.page(Self.request).products
    return state.withLock { state in
      let old = state.page
      state.page = page
      guard let old, old != page else { return nil }
      state.number += 1
      return Self.differences(from: old, to: page, cursor: state.cursor)
    }
  }

  /// Changes that lead from one page to the next, one for each product; a reset if no product is on
  /// both.
  private static func differences(
    from old: [Product], to new: [Product], cursor: ChangeCursor
  ) -> ChangeBatch {
    let known = Dictionary(old.map { ($0.id, $0) }) { first, _ in first }
    let present = Set(new.map(\.id))
    let firstKnown = new.firstIndex { known[$0.id] != nil } ?? new.count
    guard old.isEmpty || firstKnown < new.count else {
      return ChangeBatch(changes: [], cursor: cursor, isReset: true)
    }
    // Products below the last one that is still there may only have been pushed off the page.
    let reach =
      new.count < request.size ? old.count : old.lastIndex { present.contains($0.id) } ?? 0
    var changes = old.prefix(reach).filter { !present.contains($0.id) }
      .map { change(of: $0, .deleted) }
    for (index, product) in new.enumerated().reversed() {
      if let before = known[product.id] {
        if before != product { changes.append(change(of: product, .changed)) }
      } else if index < firstKnown {
        // A new product below known ones has only moved up.
        changes.append(change(of: product, .listed))
      }
    }
    return ChangeBatch(changes: changes, cursor: cursor)
  }

  private static func change(of product: Product, _ kind: ProductChange.Kind) -> MarketChange {
    .product(
      ProductChange(id: product.id, kind: kind, version: nil, seller: product.seller.id))
  }
}
