package import MarketModel

/// Reach of a market: whether it answered when it was asked last, whoever asked.
package final class ReachabilityMonitor {
  private enum Phase {
    /// It was not asked yet.
    case unknown
    case there, away
  }

  @Observed private var phase = Phase.unknown
  /// How often the market answered for the first time or again.
  @Observed private(set) var returns = 0

  package init() {}

  package var isAway: Bool { phase == .away }
  var isThere: Bool { phase == .there }

  package func didAnswer() {
    guard phase != .there else { return }
    phase = .there
    returns += 1
  }

  /// An error is an answer as well, unless nobody gave it.
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

/// A repository that tells with each call whether the market answers.
package nonisolated struct ReachabilityTrackingRepository: RepositoryDecorator {
  package let repository: any ProductRepository
  private let reach: ReachabilityMonitor

  package init(_ repository: any ProductRepository, reach: ReachabilityMonitor) {
    self.repository = repository
    self.reach = reach
  }

  package func perform<Answer: Sendable>(
    _ operation: RepositoryOperation,
    _ call: @Sendable () async throws(RepositoryError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    do throws(RepositoryError) {
      let answer = try await call()
      // What a server can do may be remembered of it, which says nothing of today.
      if operation != .capabilities { await reach.didAnswer() }
      return answer
    } catch {
      await reach.didFail(error)
      throw error
    }
  }
}
