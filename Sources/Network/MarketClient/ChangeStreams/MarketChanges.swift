import MarketModel

/// Change source of a market whose API is known only after the server's first response.
struct MarketChanges: ChangeSource {
  let own: StreamingChangeSource
  let foreign: PollingChangeSource
  let announcesChanges: @Sendable () async throws(RepositoryError) -> Bool

  /// Events are pulled, not pushed, so that none accumulate between the source and its reader.
  func news(after cursor: ChangeCursor?) -> AsyncStream<ChangeEvent> {
    let reader = ChangeEventReader { [self] () async throws(RepositoryError) in
      let source: any ChangeSource = try await announcesChanges() ? own : foreign
      return source.news(after: cursor)
    }
    return AsyncStream { await reader.next() }
  }
}

/// Reader of an event stream that is opened by the first `next()`.
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
    // All copies of an iterator share the position in the stream.
    var iterator = news
    return await iterator?.next(isolation: self)
  }
}
