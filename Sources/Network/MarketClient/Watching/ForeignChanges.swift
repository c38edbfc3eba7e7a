import MarketModel
import Synchronization

/// Changes of a market whose server tells none: the differences of its first page.
///
/// It is asked each half minute while somebody looks, and not at all otherwise; the cache makes the
/// request a conditional one.
package final class ForeignChanges: ChangeSource {
  private struct State {
    /// The page as it was last, the newest first.
    var page: [Product]?
    var number = 0

    var place: ChangePlace { ChangePlace(rawValue: "seen-\(number)") }
  }

  private static let pause = Duration.seconds(30)
  private static let request = PageRequest(query: ProductQuery(), position: .first, size: 20)

  private let repository: any ProductRepository
  private let attention: Attention
  private let clock: any Clock<Duration>
  private let state = Mutex(State())

  package init(
    of repository: any ProductRepository, while attention: Attention,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.repository = repository
    self.attention = attention
    self.clock = clock
  }

  package func news(after place: ChangePlace?) -> AsyncStream<ChangeNews> {
    let (stream, continuation) = AsyncStream.makeStream(of: ChangeNews.self)
    let task = Task {
      do throws(RepositoryError) {
        try await follow(after: place) { continuation.yield($0) }
      } catch {
        if error != .cancelled { continuation.yield(.lost(error)) }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  private func follow(
    after place: ChangePlace?, _ tell: (ChangeNews) -> Void
  ) async throws(RepositoryError) {
    let first = try await look()
    let (known, number) = state.withLock { ($0.place, $0.number) }
    tell(.watching(known))
    if let place, place != ChangePlace(rawValue: "seen-\(number)") || first != nil {
      // What was between is not known, unless it is the last page that is compared with.
      tell(.changes(first ?? ChangeBatch(changes: [], place: known, isReset: true)))
    }
    while !Task.isCancelled {
      do { try await clock.sleep(for: Self.pause) } catch { throw .cancelled }
      await attention.wait()
      guard !Task.isCancelled else { throw .cancelled }
      if let batch = try await look() { tell(.changes(batch)) }
    }
    throw .cancelled
  }

  /// Reads the page, and gives what is different; nil where nothing is, or nothing was known.
  private func look() async throws(RepositoryError) -> ChangeBatch? {
    let page = try await repository.page(Self.request).products
    return state.withLock { state in
      let old = state.page
      state.page = page
      guard let old, old != page else { return nil }
      state.number += 1
      return Self.differences(from: old, to: page, place: state.place)
    }
  }

  /// Changes that lead from one page to the next, each product's once.
  private static func differences(
    from old: [Product], to new: [Product], place: ChangePlace
  ) -> ChangeBatch {
    let known = Dictionary(old.map { ($0.id, $0) }) { first, _ in first }
    let present = Set(new.map(\.id))
    guard old.isEmpty || new.contains(where: { known[$0.id] != nil }) else {
      return ChangeBatch(changes: [], place: place, isReset: true)
    }
    // Whoever was below the last product that is still there may only have been pushed off the page.
    let reach = old.lastIndex { present.contains($0.id) } ?? -1
    let isWhole = new.count < request.size
    var changes = old.enumerated().filter { index, product in
      !present.contains(product.id) && (index < reach || isWhole)
    }.map { change(of: $1, .deleted) }
    for product in new.reversed() {
      if let before = known[product.id] {
        if before != product { changes.append(change(of: product, .changed)) }
      } else if old.isEmpty || new.firstIndex(of: product) ?? 0 <= (new.firstIndex { known[$0.id] != nil } ?? 0) {
        changes.append(change(of: product, .listed))
      }
    }
    return ChangeBatch(changes: changes, place: place)
  }

  private static func change(of product: Product, _ kind: ProductChange.Kind) -> MarketChange {
    .product(
      ProductChange(id: product.id, kind: kind, version: nil, seller: product.seller.id))
  }
}
