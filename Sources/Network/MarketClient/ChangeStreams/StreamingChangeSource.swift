import MarketAPI
import MarketModel

/// Change source for our own server: events as they are pushed.
///
/// A stream that ends is reopened at its last cursor; where a proxy holds streams back, the source
/// polls. A failure ends the source with `.lost`, and the caller starts another one later.
package struct StreamingChangeSource: ChangeSource {
  /// Time limits of a change source; tests shorten them.
  package struct Timing: Sendable {
    /// Maximum time until the first event or comment; after it the source polls.
    package var first = Duration.seconds(8)
    /// Maximum time without an event or comment, after which the stream is lost; the server sends a
    /// heartbeat every 15 seconds.
    package var silence = Duration.seconds(45)
    /// Number of consecutive short streams after which the server counts as disconnected.
    package var shortStreams = 3
    /// Minimum lifetime of a stream that does not count as short.
    package var shortLife = Duration.seconds(2)
    /// Maximum pause before a stream is reopened; the actual one is random, to spread the clients.
    package var spread = Duration.seconds(1)
    /// Minimum time between the starts of two polls.
    package var pollPause = Duration.seconds(1)

    package init() {}
  }

  /// Maximum number of buffered events; beyond it the stream is ended with `.badAnswer(.tooLarge)`.
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
    // One more for the final `.lost`.
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
  /// Outcome of one stream.
  private enum End {
    case ended
    case silent
    case failed(RepositoryError)
  }

  /// Follows the changes until the server is lost; returns the reason.
  private func follow(
    after cursor: ChangeCursor?, _ deliver: @escaping @Sendable (ChangeEvent) -> Bool
  ) async -> RepositoryError {
    var cursor = cursor
    var shortStreams = 0
    var hasReportedStart = false
    while true {
      let begun = ContinuousClock.now
      // After a reconnection `.watching` was sent already.
      let session = StreamSession(
        after: cursor, hasReportedStart: hasReportedStart, deliver: deliver)
      let end = await stream(session, after: cursor)
      guard !Task.isCancelled else { return .cancelled }
      guard !session.isRefused else { return .badAnswer(.tooLarge) }
      (cursor, hasReportedStart) = (session.cursor, session.hasReportedStart)
      switch end {
      case .failed(let error) where !session.hasReceived: return error
      case .silent where !session.hasReceived:
        return await poll(after: cursor, hasReportedStart: hasReportedStart, deliver)
      case .silent: return .unreachable(.timedOut)
      case .ended, .failed:
        shortStreams = .now - begun < timing.shortLife ? shortStreams + 1 : 0
        guard shortStreams < timing.shortStreams else { return .unreachable(.disconnected) }
      }
      try? await clock.sleep(for: timing.spread * Double.random(in: 0...1))
    }
  }

  /// Reads one stream until it ends, fails or is silent for too long.
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

  /// Polls until a request fails; used where no stream gets through.
  private func poll(
    after cursor: ChangeCursor?, hasReportedStart: Bool, _ deliver: @Sendable (ChangeEvent) -> Bool
  ) async -> RepositoryError {
    var cursor = cursor
    var hasReportedStart = hasReportedStart
    while !Task.isCancelled {
      let begun = ContinuousClock.now
      do throws(RepositoryError) {
        // The first request does not wait, since its response shows that the server is reachable.
        let wait = hasReportedStart ? ChangesRequest.maxWait : 0
        let batch = try await batch(after: cursor, waiting: wait)
        cursor = batch.cursor
        if !hasReportedStart {
          hasReportedStart = true
          guard deliver(.watching(batch.cursor)) else { return .badAnswer(.tooLarge) }
        }
        if !batch.changes.isEmpty || batch.isReset {
          guard deliver(.changes(batch)) else { return .badAnswer(.tooLarge) }
        }
      } catch {
        return error
      }
      // A server that answers at once must not be polled in a tight loop.
      let rest = timing.pollPause - (.now - begun)
      if rest > .zero { try? await clock.sleep(for: rest) }
    }
    return .cancelled
  }

  /// Requests one batch of changes.
  /// - Throws: `.unsupported` for 404 and 405, `.badAnswer` for other statuses and unreadable bodies,
  ///   else the transport's error.
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
