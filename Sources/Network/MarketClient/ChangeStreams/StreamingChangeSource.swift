import MarketAPI
import MarketModel

/// Changes of a market that our own server serves, as they come.
///
/// A stream that ends is asked for once more from its last place; one that a proxy holds back is given
/// up for polls. What cannot be had at all is told as `.lost`, and whoever watches comes back later.
package struct StreamingChangeSource: ChangeSource {
  /// Times of a watch, which tests shorten.
  package struct Timing: Sendable {
    /// Time in which a stream says its first word.
    package var first = Duration.seconds(8)
    /// Time without a word after which it is dead; the server says one each 15 seconds.
    package var silence = Duration.seconds(45)
    /// Streams that end at once, one after the other, until the server is given up.
    package var shortStreams = 3
    /// What lived so long was no such one.
    package var shortLife = Duration.seconds(2)
    /// Longest pause before another stream, by chance, so that not all come back at once.
    package var spread = Duration.seconds(1)
    /// Shortest time between two polls.
    package var pollPause = Duration.seconds(1)

    package init() {}
  }

  /// News that wait for whoever watches, until the stream is ended.
  private static let newsLimit = 1_000

  private let connection: ServerConnection
  private let timing: Timing
  private let clock: any Clock<Duration>

  package init(
    over connection: ServerConnection, timing: Timing = Timing(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.connection = connection
    self.timing = timing
    self.clock = clock
  }

  package func news(after cursor: ChangeCursor?) -> AsyncStream<ChangeEvent> {
    // With room for the last word.
    let (stream, continuation) = AsyncStream.makeStream(
      of: ChangeEvent.self, bufferingPolicy: .bufferingOldest(Self.newsLimit + 1))
    let task = Task {
      let outcome = await follow(after: cursor) { news in
        if case .enqueued(remaining: 2...) = continuation.yield(news) { true } else { false }
      }
      if !Task.isCancelled { continuation.yield(.lost(outcome)) }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }
}

extension StreamingChangeSource {
  /// Reason why a stream is over.
  private enum End {
    case ended
    case silent
    case failed(RepositoryError)
  }

  /// Follows until the server is lost, and says why.
  private func follow(
    after cursor: ChangeCursor?, _ tell: @escaping @Sendable (ChangeEvent) -> Bool
  ) async -> RepositoryError {
    var cursor = cursor
    var shortStreams = 0
    var isGreeted = false
    while true {
      let begun = ContinuousClock.now
      // After a reconnection the market was there all the time.
      let session = StreamSession(after: cursor, isGreeted: isGreeted, tell: tell)
      let end = await stream(session, after: cursor)
      guard !Task.isCancelled else { return .cancelled }
      guard !session.isRefused else { return .badAnswer(.tooLarge) }
      (cursor, isGreeted) = (session.cursor, session.isGreeted)
      switch end {
      case .failed(let error) where !session.hasReceived: return error
      case .silent where !session.hasReceived:
        return await poll(after: cursor, isGreeted: isGreeted, tell)
      case .silent: return .unreachable(.timedOut)
      case .ended, .failed:
        shortStreams = .now - begun < timing.shortLife ? shortStreams + 1 : 0
        guard shortStreams < timing.shortStreams else { return .unreachable(.disconnected) }
      }
      try? await clock.sleep(for: timing.spread * Double.random(in: 0...1))
    }
  }

  /// One stream until its end, or until it says nothing for too long.
  private func stream(_ session: StreamSession, after cursor: ChangeCursor?) async -> End {
    await withTaskGroup(of: End.self) { group in
      group.addTask {
        do throws(TransportError) {
          let request = ChangesRequest(.stream, after: cursor).message
          let answer = try await connection.stream(request) { session.take($0) }
          if answer.isEventStream { return .ended }
          return answer.status.isSuccess ? .silent : .failed(Self.error(of: answer))
        } catch {
          return .failed(RepositoryError(error))
        }
      }
      group.addTask {
        while true {
          let limit = session.hasReceived ? timing.silence : timing.first
          let left = limit - session.silence
          guard left > .zero else { return .silent }
          do { try await clock.sleep(for: left) } catch { return .silent }
        }
      }
      let end = await group.next() ?? .ended
      group.cancelAll()
      return end
    }
  }

  /// Asks again and again, where nothing else passes.
  private func poll(
    after cursor: ChangeCursor?, isGreeted: Bool, _ tell: @Sendable (ChangeEvent) -> Bool
  ) async -> RepositoryError {
    var cursor = cursor
    var isGreeted = isGreeted
    while !Task.isCancelled {
      let begun = ContinuousClock.now
      do throws(RepositoryError) {
        // The first answer shows that the market is there.
        let wait = isGreeted ? ChangesRequest.maxWait : 0
        let batch = try await batch(after: cursor, waiting: wait)
        cursor = batch.cursor
        if !isGreeted {
          isGreeted = true
          guard tell(.watching(batch.cursor)) else { return .badAnswer(.tooLarge) }
        }
        if !batch.changes.isEmpty || batch.isReset {
          guard tell(.changes(batch)) else { return .badAnswer(.tooLarge) }
        }
      } catch {
        return error
      }
      // A server that never waits is not asked all the time.
      let rest = timing.pollPause - (.now - begun)
      if rest > .zero { try? await clock.sleep(for: rest) }
    }
    return .cancelled
  }

  private func batch(
    after cursor: ChangeCursor?, waiting seconds: Int
  ) async throws(RepositoryError) -> ChangeBatch {
    let answer: HTTPResponse
    do throws(TransportError) {
      answer = try await connection.answer(
        to: ChangesRequest(.poll(waitSeconds: seconds), after: cursor).message, limits: .poll)
    } catch {
      throw RepositoryError(error)
    }
    guard answer.status.isSuccess else { throw Self.error(of: answer) }
    guard let batch = ChangeCoding.batch(in: answer) else { throw .badAnswer(.unreadable) }
    return batch
  }

  private static func error(of answer: HTTPResponse) -> RepositoryError {
    let status = answer.status
    if status == .notFound || status == .methodNotAllowed { return .unsupported }
    guard status.rawValue >= 500, let seconds = answer.retryAfterSeconds else {
      return .badAnswer(.status(status.rawValue))
    }
    return .badAnswer(
      .busy(status: status.rawValue, retryAfterSeconds: Int(min(max(seconds, 1), 86_400))))
  }
}
