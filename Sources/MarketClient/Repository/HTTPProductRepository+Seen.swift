import MarketAPI
import MarketModel

extension HTTPProductRepository: SeenProducts {
  package func seenPage(_ request: PageRequest) async -> Seen<ProductPage>? {
    await seen(.page(request)) { server, response throws(RepositoryError) in
      try server.dialect.page(from: response, for: request)
    }
  }

  package func seenDetail(of id: Product.ID) async -> Seen<ProductDetail>? {
    await seen(.detail(id)) { server, response throws(RepositoryError) in
      try detail(in: response, to: .detail(id), from: server)
    }
  }
}

extension HTTPProductRepository {
  /// The answer to a question as it is now; the remembered one where the server says that it has not
  /// changed.
  func currentAnswer(
    to operation: MarketOperation, from server: KnownServer
  ) async throws(RepositoryError) -> HTTPResponse {
    let known = await remembered(operation, from: server)?.response
    let response = try await answer(
      to: operation, from: server, unless: known?.headers[HeaderName.entityTag])
    if response.status == .notModified, let known { return known }
    return response
  }

  /// Keeps an answer that could be read.
  func remember(
    _ response: HTTPResponse, to operation: MarketOperation, from server: KnownServer
  ) async {
    guard let key = key(of: operation, at: server) else { return }
    await cache?.store(response, of: connection.base, key)
  }

  /// Keeps what the server is, so that its answers can be read again when it cannot be asked.
  func remember(_ server: KnownServer) async {
    var response = HTTPResponse(.ok, body: Array(server.generation.rawValue.utf8))
    if server.isExtended { response.headers[HeaderName.extensions] = "1" }
    await cache?.store(response, of: connection.base, .server)
  }

  func forget(_ id: Product.ID, at server: KnownServer) async {
    guard let key = key(of: .detail(id), at: server) else { return }
    await cache?.forget(key, of: connection.base)
  }

  private func seen<Value>(
    _ operation: MarketOperation,
    reading read: (KnownServer, HTTPResponse) throws(RepositoryError) -> Value
  ) async -> Seen<Value>? {
    guard let server = await rememberedServer(),
      let entry = await remembered(operation, from: server),
      // What cannot be read any more was not seen.
      let value = try? read(server, entry.response)
    else { return nil }
    return Seen(value, at: entry.seconds)
  }

  private func remembered(
    _ operation: MarketOperation, from server: KnownServer
  ) async -> CacheEntry? {
    guard let key = key(of: operation, at: server) else { return nil }
    return await cache?.entry(of: connection.base, key)
  }

  private func rememberedServer() async -> KnownServer? {
    guard let entry = await cache?.entry(of: connection.base, .server) else { return nil }
    let name = String(decoding: entry.response.body, as: UTF8.self)
    guard let found = APIGeneration(rawValue: name), generation == nil || generation == found else {
      return nil
    }
    return KnownServer(found, isExtended: entry.response.announcesExtensions)
  }

  private func key(of operation: MarketOperation, at server: KnownServer) -> CacheKey? {
    // An operation that the dialect cannot write was never answered.
    (try? server.dialect.request(for: operation)).map { .answer($0.target) }
  }
}
