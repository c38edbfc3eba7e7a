import MarketAPI
import MarketModel

/// Responder that has reads answered from a standby where that is young enough for whoever asks, and
/// everything else from the market itself.
///
/// What one has written oneself is always seen: an answer to a change says the market's position, which
/// clients send back, and the address is remembered for those that do not. Where the standby lags,
/// fails or is silent, the market answers.
package struct ReplicaRouter: HTTPResponder {
  /// Time that the standby may take, of which enough is left for the market itself.
  package static let timeout = Duration.milliseconds(1_500)

  private let market: any HTTPResponder
  private let copy: any HTTPResponder
  private let replica: any ReadReplica
  private let tracker: ReadYourWritesTracker
  private let replicaReads: CounterMetric
  private let primaryReads: CounterMetric

  /// - Parameters:
  ///   - market: answers from the market itself.
  ///   - copy: answers reads from the standby.
  ///   - replica: says whether it may.
  ///   - registry: where reads are counted.
  ///   - now: the clock by which it is forgotten who has written.
  package init(
    from market: any HTTPResponder, or copy: any HTTPResponder, of replica: any ReadReplica,
    registry: MetricsRegistry = MetricsRegistry(),
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.market = market
    tracker = ReadYourWritesTracker(now: now)
    self.copy = copy
    self.replica = replica
    replicaReads = registry.counter(.reads, "standby")
    primaryReads = registry.counter(.reads, "primary")
  }

  package func knownResponse(to request: ServerRequest) -> ServerResponse? {
    guard request.isReading else { return nil }
    let isCopied = isEnough(for: request)
    let known = isCopied ? copy.knownResponse(to: request) : market.knownResponse(to: request)
    if known != nil { (isCopied ? replicaReads : primaryReads).add() }
    return known
  }

  package func response(to request: ServerRequest) async -> ServerResponse {
    guard request.isReading else { return await answer(toChange: request) }
    return await RequestDeadline.limited(to: RequestDeadline.standard) {
      if isEnough(for: request), let answer = await copiedAnswer(to: request) {
        replicaReads.add()
        return answer
      }
      primaryReads.add()
      return await market.response(to: request)
    }
  }

  /// The standby's answer; nil where it has none that counts.
  private func copiedAnswer(to request: ServerRequest) async -> ServerResponse? {
    let answer = await RequestDeadline.limited(to: Self.timeout) {
      await copy.response(to: request)
    }
    let status = answer.message.status
    guard status.rawValue < 500 else {
      // A question that the standby cannot answer is no reason to ask it no others.
      if answer.failure?.isDatabaseFailure == true { replica.didFail() }
      return nil
    }
    // A search whose turn did not come in this part of its time has the rest.
    guard status != .tooManyRequests else { return nil }
    // Another host may have answered meanwhile, or the standby stood still.
    return isEnough(for: request) ? answer : nil
  }

  private func isEnough(for request: ServerRequest) -> Bool {
    guard case .position(var position) = tracker.need(of: request.client.address) else {
      return false
    }
    for word in request.headers.values(of: HeaderName.marketPosition) {
      // Who says what nobody can read may mean anything.
      guard let asked = MarketPosition(word) else { return false }
      position = max(position ?? asked, asked)
    }
    return replica.suits(position)
  }

  private func answer(toChange request: ServerRequest) async -> ServerResponse {
    let answer = await market.response(to: request)
    if answer.writeOutcome != .none {
      let word = answer.message.headers[HeaderName.marketPosition]
      tracker.didWrite(request.client.address, upTo: word.flatMap { MarketPosition($0) })
    }
    return answer
  }
}

extension ReplicaRouter {
  /// The log of changes of a market, of which nothing is told that those who read again for it would not
  /// be shown.
  package func log(of log: any ChangeLog) -> any ChangeLog {
    AnnouncingChangeLog(log: log, replica: replica, tracker: tracker)
  }
}

private struct AnnouncingChangeLog: ChangeLog {
  /// Time for which news waits for a standby that has not come to it: otherwise all who read again for
  /// it would read at the market.
  private static let timeout = Duration.milliseconds(500)
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
    tracker.didTell(upTo: position)
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
