package import MarketModel
import Observation

/// Reach of a market: whether it answered when it was asked last, whoever asked.
@Observable
package final class ReachabilityMonitor {
  private enum Phase {
    /// It was not asked yet.
    case unknown
    case there, away
  }

  private var phase = Phase.unknown
  /// Learns that the market answers, for the first time or again.
  @ObservationIgnored var didReturn: () -> Void = {}

  package init() {}

  package var isAway: Bool { phase == .away }
  var isThere: Bool { phase == .there }

  package func didAnswer() {
    guard phase != .there else { return }
    phase = .there
    didReturn()
  }

  /// An error is an answer as well, unless nobody gave it.
  package func didFail(_ error: RepositoryError) {
    switch error {
    case .unreachable: phase = .away
    case .cancelled: break
    case .notFound, .wrongPassword, .notOwner, .blocked, .keyReused, .tooManyAttempts,
      .tooManyRequests, .marketFull, .conflict, .invalid, .unknownCursor, .unsupported, .badAnswer,
      .store:
      didAnswer()
    }
  }
}

/// A repository that tells with each call whether the market answers.
package nonisolated struct ReachabilityTrackingRepository: ProductRepository {
  private let repository: any ProductRepository
  private let reach: ReachabilityMonitor

  package init(_ repository: any ProductRepository, reach: ReachabilityMonitor) {
    self.repository = repository
    self.reach = reach
  }

  /// What a server can do may be remembered of it, which says nothing of today.
  package func capabilities() async throws(RepositoryError) -> RepositoryCapabilities {
    do throws(RepositoryError) {
      return try await repository.capabilities()
    } catch {
      await reach.didFail(error)
      throw error
    }
  }

  package func page(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    try await watching { () throws(RepositoryError) in try await repository.page(request) }
  }

  package func total(of query: ProductQuery) async throws(RepositoryError) -> ProductTotal {
    try await watching { () throws(RepositoryError) in try await repository.total(of: query) }
  }

  package func detail(of id: Product.ID) async throws(RepositoryError) -> ProductDetail {
    try await watching { () throws(RepositoryError) in try await repository.detail(of: id) }
  }

  package func register(
    _ registration: ProductRegistration, by author: Author, key: IdempotencyKey
  ) async throws(RepositoryError) -> ProductDetail {
    try await watching { () throws(RepositoryError) in
      try await repository.register(registration, by: author, key: key)
    }
  }

  package func verify(
    _ password: Password, for id: Product.ID, by author: Author
  ) async throws(RepositoryError) {
    try await watching { () throws(RepositoryError) in
      try await repository.verify(password, for: id, by: author)
    }
  }

  package func update(
    _ id: Product.ID, with patch: ProductPatch, password: Password, by author: Author,
    expecting expected: ProductVersion?
  ) async throws(RepositoryError) -> ProductDetail {
    try await watching { () throws(RepositoryError) in
      try await repository.update(
        id, with: patch, password: password, by: author, expecting: expected)
    }
  }

  package func delete(
    _ id: Product.ID, password: Password, by author: Author
  ) async throws(RepositoryError) -> ProductDetail {
    try await watching { () throws(RepositoryError) in
      try await repository.delete(id, password: password, by: author)
    }
  }

  package func seller(of identifier: SellerIdentifier) async throws(RepositoryError) -> Seller? {
    try await watching { () throws(RepositoryError) in
      try await repository.seller(of: identifier)
    }
  }

  package func change(
    _ identifier: SellerIdentifier, _ change: SellerChange
  ) async throws(RepositoryError) -> Seller {
    try await watching { () throws(RepositoryError) in
      try await repository.change(identifier, change)
    }
  }

  private func watching<Answer>(
    _ call: () async throws(RepositoryError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    do throws(RepositoryError) {
      let answer = try await call()
      await reach.didAnswer()
      return answer
    } catch {
      await reach.didFail(error)
      throw error
    }
  }
}
