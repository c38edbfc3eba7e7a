import MarketModel

/// A market file for a guest: passwords are tried as often as a server lets them be, from the guest's own
/// address.
nonisolated struct GuestRepository: ProductRepository {
  private let market: any ServedMarket
  private let passwords: PasswordGuard
  private let address: String

  init(_ market: any ServedMarket, for guest: Guest, now: @escaping @Sendable () -> Int64) {
    self.market = market
    passwords = PasswordGuard(market: market, now: now)
    address = guest.caller.address
  }

  func verify(
    _ password: Password, for id: Product.ID, by author: Author
  ) async throws(RepositoryError) {
    try await passwords.trying(on: id, by: origin(author)) { () throws(RepositoryError) in
      try await market.verify(password, for: id, by: author)
    }
  }

  func update(
    _ id: Product.ID, with patch: ProductPatch, password: Password, by author: Author,
    expecting expected: ProductVersion?
  ) async throws(RepositoryError) -> ProductDetail {
    try await passwords.trying(on: id, by: origin(author)) { () throws(RepositoryError) in
      try await market.update(id, with: patch, password: password, by: author, expecting: expected)
    }
  }

  func delete(
    _ id: Product.ID, password: Password, by author: Author
  ) async throws(RepositoryError) -> ProductDetail {
    try await passwords.trying(on: id, by: origin(author)) { () throws(RepositoryError) in
      try await market.delete(id, password: password, by: author)
    }
  }

  private func origin(_ author: Author) -> AttemptOrigin {
    AttemptOrigin(address: address, author: author)
  }

  // MARK: As the market does it

  func capabilities() async throws(RepositoryError) -> RepositoryCapabilities {
    try await market.capabilities()
  }

  func page(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    try await market.page(request)
  }

  func total(of query: ProductQuery) async throws(RepositoryError) -> ProductTotal {
    try await market.total(of: query)
  }

  func detail(of id: Product.ID) async throws(RepositoryError) -> ProductDetail {
    try await market.detail(of: id)
  }

  func register(
    _ registration: ProductRegistration, by author: Author, key: IdempotencyKey
  ) async throws(RepositoryError) -> ProductDetail {
    try await market.register(registration, by: author, key: key)
  }

  func seller(of identifier: SellerIdentifier) async throws(RepositoryError) -> Seller? {
    try await market.seller(of: identifier)
  }

  func change(
    _ identifier: SellerIdentifier, _ change: SellerChange
  ) async throws(RepositoryError) -> Seller {
    try await market.change(identifier, change)
  }
}
