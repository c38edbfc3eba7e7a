package import MarketModel

/// State of the connection to a market, from the result of the last request of any part.
package final class ReachabilityMonitor {
  private enum Phase {
    /// No request was sent yet.
    case unknown
    case there, away
  }

  @Observed private var phase = Phase.unknown
  /// Number of times that the market answered for the first time or after a failure.
  @Observed private(set) var returns = 0

  package init() {}

  package var isAway: Bool { phase == .away }
  var isThere: Bool { phase == .there }

  package func didAnswer() {
    guard phase != .there else { return }
    phase = .there
    returns += 1
  }

  /// Records an error; all but `.unreachable` and `.cancelled` count as an answer.
  package func didFail(_ error: RepositoryError) {
    switch error {
    case .unreachable: phase = .away
    case .cancelled: break
    case .notFound, .wrongPassword, .notOwner, .blocked, .keyReused, .tooManyAttempts,
      .tooManyRequests, .marketFull, .conflict, .invalid, .questionRefused,
      .unknownCursor, .unsupported, .badAnswer,
      .store:
      didAnswer()
    }
  }
}

/// Repository that reports the result of each call to a monitor.
package nonisolated struct ReachabilityTrackingRepository: RepositoryDecorator {
  package let repository: any ProductRepository
  private let reach: ReachabilityMonitor

  package init(_ repository: any ProductRepository, reach: ReachabilityMonitor) {
    self.repository = repository
    self.reach = reach
  }

  /// Performs a call and reports its result.
  /// - Throws: what `call` throws.
  package func perform<Answer: Sendable>(
    _ operation: RepositoryOperation,
    _ call: @Sendable () async throws(RepositoryError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    do throws(RepositoryError) {
      let answer = try await call()
      // Capabilities may come from the cache.
      if operation != .capabilities { await reach.didAnswer() }
      return answer
    } catch {
      await reach.didFail(error)
      throw error
    }
  }
}
