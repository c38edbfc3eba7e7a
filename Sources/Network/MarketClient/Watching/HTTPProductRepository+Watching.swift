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

  func news(after place: ChangePlace?) -> AsyncStream<ChangeNews> {
    let (stream, continuation) = AsyncStream.makeStream(of: ChangeNews.self)
    let task = Task {
      do throws(RepositoryError) {
        let source: any ChangeSource = try await tellsChanges() ? own : foreign
        for await news in source.news(after: place) { continuation.yield(news) }
      } catch {
        if error != .cancelled { continuation.yield(.lost(error)) }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }
}
