import MarketModel

/// Changes of a market whose server is known only when it has answered.
struct MarketChanges: ChangeSource {
  let own: StreamingChangeSource
  let foreign: PollingChangeSource
  let tellsChanges: @Sendable () async throws(RepositoryError) -> Bool

  /// News is handed on when it is asked for, so that none piles up between the source and who hears it.
  func news(after cursor: ChangeCursor?) -> AsyncStream<ChangeEvent> {
    let reader = ChangeEventReader { [self] () async throws(RepositoryError) in
      let source: any ChangeSource = try await tellsChanges() ? own : foreign
      return source.news(after: cursor)
    }
    return AsyncStream { await reader.next() }
  }
}

/// Reader of news from a stream that is opened with the first question.
private actor ChangeEventReader {
  private let open: @Sendable () async throws(RepositoryError) -> AsyncStream<ChangeEvent>
  private var news: AsyncStream<ChangeEvent>.Iterator?

  init(open: @escaping @Sendable () async throws(RepositoryError) -> AsyncStream<ChangeEvent>) {
    self.open = open
  }

  func next() async -> ChangeEvent? {
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
