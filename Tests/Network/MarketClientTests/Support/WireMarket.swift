import MarketAPI
import MarketClient
import MarketModel
import TestSupport

/// A market server in memory, of any generation: what the client's requests mean, done on a
/// repository.
actor WireMarket {
  enum Kind: CaseIterable, Sendable {
    case items
    case products2022
    case products2023
    /// Our own server.
    case extended

    var dialect: any MarketDialect {
      switch self {
      case .items: ItemsDialect()
      case .products2022: ProductsDialect(variant: .y2022)
      case .products2023, .extended: ProductsDialect(variant: .y2023)
      }
    }
  }

  nonisolated let repository: InMemoryProductRepository
  private let router: MarketRouter
  /// What answers announce of our additions.
  private let announced: Set<ServerCapability>
  private var deletions: [String: (Product.ID, Password)] = [:]
  private var keyCount = 0

  init(_ kind: Kind, _ repository: InMemoryProductRepository) {
    self.init(
      [kind.dialect], announcing: kind == .extended ? Set(ServerCapability.allCases) : [],
      repository)
  }

  init(
    _ dialects: [any MarketDialect], announcing announced: Set<ServerCapability>,
    _ repository: InMemoryProductRepository
  ) {
    router = MarketRouter(dialects)
    self.announced = announced
    self.repository = repository
  }

  func response(to request: HTTPRequest) async -> HTTPResponse {
    let pictures = PictureAddresses(base: "http://market.example")
    let route: MarketRouter.Route
    do throws(RequestProblem) {
      route = try router.route(request)
    } catch {
      return announcing(router.response(to: error, for: request))
    }
    do throws(RepositoryError) {
      let result = try await result(of: route.operation)
      return announcing(
        route.dialect.response(
          with: result, to: route.operation, in: request, pictures: pictures))
    } catch {
      return announcing(
        route.dialect.response(failing: error, to: route.operation, pictures: pictures))
    }
  }

  /// Servers of others know nothing of our headers.
  private func announcing(_ response: HTTPResponse) -> HTTPResponse {
    var response = response
    response.headers.announce(announced)
    if !announced.contains(.versions) { response.headers[HeaderName.entityTag] = nil }
    return response
  }

  private func result(
    of operation: MarketOperation
  ) async throws(RepositoryError) -> MarketResult {
    switch operation {
    case .health: return .healthy
    case .page(let request): return .page(try await repository.page(request))
    case .detail(let id): return .detail(try await repository.detail(of: id))
    case .register(let registration, let author, let key):
      return .detail(
        try await repository.register(registration, by: author, key: key ?? nextKey()))
    case .verify(let id, let password, let author):
      try await repository.verify(password, for: id, by: author)
      return .detail(try await repository.detail(of: id))
    case .update(let update):
      return .detail(
        try await repository.update(
          update.id, with: update.patch, password: update.password, by: update.author,
          expecting: update.expected))
    case .delete(let id, let password, let author):
      return .detail(try await repository.delete(id, password: password, by: author))
    case .requestDeletion(let id, let password, let author):
      try await repository.verify(password, for: id, by: author)
      let token = "token-\(id.rawValue)"
      deletions[token] = (id, password)
      return .deletionToken(token)
    case .confirmDeletion(let token, _, let author):
      guard let (id, password) = deletions[token] else { throw .notFound }
      return .detail(try await repository.delete(id, password: password, by: author))
    case .seller(let identifier):
      guard let seller = try await repository.seller(of: identifier) else { throw .notFound }
      return .seller(seller)
    case .changeSeller(let identifier, let change):
      return .seller(try await repository.change(identifier, change))
    case .picture, .question, .report: throw .notFound
    }
  }

  private func nextKey() -> IdempotencyKey {
    keyCount += 1
    return IdempotencyKey(rawValue: "none-\(keyCount)")
  }
}
