import MarketAPI
import MarketModel

extension HTTPProductRepository {
  /// Tells what changes in the market: our own servers by themselves, others by their first page while
  /// somebody looks.
  package func changes(
    while attention: Attention, on clock: any Clock<Duration> = ContinuousClock()
  ) -> any ChangeSource {
    MarketChanges(
      own: ServerChanges(over: connection, clock: clock),
      foreign: ForeignChanges(of: self, while: attention, clock: clock)
    ) { [self] () async throws(RepositoryError) in
      try await tellsChanges()
    }
  }
}

/// Changes of a market whose server is known only when it has answered.
private struct MarketChanges: ChangeSource {
  let own: ServerChanges
  let foreign: ForeignChanges
  let tellsChanges: @Sendable () async throws(RepositoryError) -> Bool

  /// News is handed on when it is asked for, so that none piles up between the source and who hears it.
  func news(after place: ChangePlace?) -> AsyncStream<ChangeNews> {
    let reader = NewsReader { [self] () async throws(RepositoryError) in
      let source: any ChangeSource = try await tellsChanges() ? own : foreign
      return source.news(after: place)
    }
    return AsyncStream { await reader.next() }
  }
}

/// Reader of news from a stream that is opened with the first question.
private actor NewsReader {
  private let open: @Sendable () async throws(RepositoryError) -> AsyncStream<ChangeNews>
  private var news: AsyncStream<ChangeNews>.Iterator?

  init(open: @escaping @Sendable () async throws(RepositoryError) -> AsyncStream<ChangeNews>) {
    self.open = open
  }

  func next() async -> ChangeNews? {
    if news == nil {
      do throws(RepositoryError) {
        news = try await open().makeAsyncIterator()
      } catch {
        news = AsyncStream { $0.finish() }.makeAsyncIterator()
        return error == .cancelled ? nil : .lost(error)
      }
    }
    // The place in the stream is shared by all copies of its iterator.
    var iterator = news
    return await iterator?.next(isolation: self)
  }
}
