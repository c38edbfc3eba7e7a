import MarketAPI
import MarketModel

/// Router that answers reads from a replica if it is recent enough for the client, and everything else
/// from the primary.
///
/// Clients always see their own writes: a response to a write has a position header, which clients send
/// back; for those that do not, the address is tracked. If the replica lags, fails or does not answer,
/// the primary answers.
package struct ReplicaRouter: HTTPResponder {
  /// Maximum time of a read from the replica; leaves time for the primary.
  package static let timeout = Duration.milliseconds(1_500)

  private let primary: any HTTPResponder
  private let replicaResponder: any HTTPResponder
  private let replica: any ReadReplica
  private let tracker: ReadYourWritesTracker
  private let replicaReads: CounterMetric
  private let primaryReads: CounterMetric

  /// - Parameters:
  ///   - market: responder with the primary.
  ///   - copy: responder with the replica.
  ///   - replica: state of the replica.
  ///   - registry: registry of the counters of reads.
  ///   - now: clock of the tracked writes.
  package init(
    from market: any HTTPResponder, or copy: any HTTPResponder, of replica: any ReadReplica,
    registry: MetricsRegistry = MetricsRegistry(),
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    primary = market
    tracker = ReadYourWritesTracker(now: now)
    replicaResponder = copy
    self.replica = replica
    replicaReads = registry.counter(.reads, "standby")
    primaryReads = registry.counter(.reads, "primary")
  }

  package func immediateResponse(to request: ServerRequest) -> ServerResponse? {
    guard request.isReading else { return nil }
    let usesReplica = isRecentEnough(for: request)
    let known =
      usesReplica
      ? replicaResponder.immediateResponse(to: request) : primary.immediateResponse(to: request)
    if known != nil { (usesReplica ? replicaReads : primaryReads).add() }
    return known
  }

  package func response(to request: ServerRequest) async -> ServerResponse {
    guard request.isReading else { return await responseToWrite(request) }
    return await RequestDeadline.limited(to: RequestDeadline.standard) {
      if isRecentEnough(for: request), let answer = await replicaResponse(to: request) {
        replicaReads.add()
        return answer
      }
      primaryReads.add()
      return await primary.response(to: request)
    }
  }

  /// Response from the replica; nil if it failed or is not recent enough any more.
  private func replicaResponse(to request: ServerRequest) async -> ServerResponse? {
    let answer = await RequestDeadline.limited(to: Self.timeout) {
      await replicaResponder.response(to: request)
    }
    let status = answer.message.status
    guard status.rawValue < 500 else {
      // A single request that the replica cannot answer does not mark it as failed.
      if answer.failure?.isDatabaseFailure == true { replica.didFail() }
      return nil
    }
    // A search that was not run in this part of its time gets the rest.
    guard status != .tooManyRequests else { return nil }
    // The replica may have failed over or stalled meanwhile.
    return isRecentEnough(for: request) ? answer : nil
  }

  private func isRecentEnough(for request: ServerRequest) -> Bool {
    guard case .position(var position) = tracker.need(of: request.client.address) else {
      return false
    }
    for word in request.headers.values(of: HeaderName.marketPosition) {
      // An unreadable position may mean any.
      guard let asked = MarketPosition(word) else { return false }
      position = max(position ?? asked, asked)
    }
    return replica.suits(position)
  }

  private func responseToWrite(_ request: ServerRequest) async -> ServerResponse {
    let answer = await primary.response(to: request)
    if answer.writeOutcome != .none {
      let word = answer.message.headers[HeaderName.marketPosition]
      tracker.didWrite(request.client.address, upTo: word.flatMap { MarketPosition($0) })
    }
    return answer
  }
}

extension ReplicaRouter {
  /// Change log that delays changes until reads that follow them would see them.
  package func log(of log: any ChangeLog) -> any ChangeLog {
    AnnouncingChangeLog(log: log, replica: replica, tracker: tracker)
  }
}

private struct AnnouncingChangeLog: ChangeLog {
  /// Maximum time that changes wait for a lagging replica; otherwise all reads that follow would go to
  /// the primary.
  private static let timeout = Duration.milliseconds(500)
  /// Pause between two checks of the replica.
  private static let pause = Duration.milliseconds(25)

  let log: any ChangeLog
  let replica: any ReadReplica
  let tracker: ReadYourWritesTracker

  func changes(
    after cursor: ChangeCursor?, atMost limit: Int
  ) async throws(RepositoryError) -> ChangeBatch {
    let batch = try await log.changes(after: cursor, atMost: limit)
    guard !batch.changes.isEmpty || batch.isReset else { return batch }
    let position = await replica.presentPosition()
    if let position { try await wait(for: position) }
    tracker.didAnnounce(upTo: position)
    return batch
  }

  private func wait(for position: MarketPosition) async throws(RepositoryError) {
    let end = ContinuousClock.now + Self.timeout
    while replica.suits(nil), !replica.suits(position), ContinuousClock.now < end {
      do {
        try await Task.sleep(for: Self.pause)
      } catch {
        throw .cancelled
      }
    }
  }

  func dataVersion() -> Int64? { log.dataVersion() }
}
