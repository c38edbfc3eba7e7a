import MarketModel

/// A market file for a guest: passwords are tried as often as a server lets them be, from the guest's own
/// address.
nonisolated struct GuestRepository: RepositoryDecorator {
  var repository: any ProductRepository { market }
  private let market: any ServedMarket
  private let passwords: PasswordGuard
  private let address: String

  init(_ market: any ServedMarket, for guest: Guest, now: @escaping @Sendable () -> Int64) {
    self.market = market
    passwords = PasswordGuard(market: market, now: now)
    address = guest.caller.address
  }

  func perform<Answer: Sendable>(
    _ operation: RepositoryOperation,
    _ call: @Sendable () async throws(RepositoryError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    guard let author = operation.author else { return try await call() }
    var product = operation.product
    if let question = operation.question {
      product = try await market.product(ofQuestion: question)
    }
    guard let id = product else { return try await call() }
    let origin = AttemptOrigin(address: address, author: author)
    return try await passwords.trying(on: id, by: origin, call)
  }
}
