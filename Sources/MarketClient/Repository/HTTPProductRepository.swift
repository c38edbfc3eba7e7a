import MarketAPI
import MarketModel
import Synchronization

/// A market behind HTTP, in whatever dialect its server speaks.
///
/// The first call finds the dialect out; servers that lack versions or idempotency get both by
/// reading before writing.
package final class HTTPProductRepository: ProductRepository {
  /// What only the program around it knows.
  package struct Surroundings: Sendable {
    /// Whether a registration of this key was sent by an earlier run, whose outcome is unknown.
    package var wasSentBefore: @Sendable (IdempotencyKey) async -> Bool
    /// Told how much of a registration or an edit was sent.
    package var onUpload: UploadObserver?

    package init(
      wasSentBefore: @escaping @Sendable (IdempotencyKey) async -> Bool = { _ in false },
      onUpload: UploadObserver? = nil
    ) {
      self.wasSentBefore = wasSentBefore
      self.onUpload = onUpload
    }
  }

  let connection: ServerConnection
  let cache: ResponseCache?
  let surroundings: Surroundings
  /// Registrations of this run whose outcome is unknown.
  let openRegistrations = Mutex<Set<IdempotencyKey>>([])
  let generation: APIGeneration?
  private let known = Mutex<KnownServer?>(nil)
  private let pages = PageGuard()

  /// - Parameters:
  ///   - connection: the way to the server.
  ///   - generation: what the user says the server speaks; nil where it shall tell.
  ///   - cache: where answers are remembered.
  ///   - surroundings: see there.
  package init(
    over connection: ServerConnection, speaking generation: APIGeneration? = nil,
    cache: ResponseCache? = nil, surroundings: Surroundings = Surroundings()
  ) {
    self.connection = connection
    self.generation = generation
    self.cache = cache
    self.surroundings = surroundings
  }

  package func capabilities() async throws(RepositoryError) -> RepositoryCapabilities {
    try await server().capabilities
  }

  package func page(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    let server = try await server()
    let response = try await currentAnswer(to: .page(request), from: server)
    let page = try server.dialect.page(from: response, for: request)
    await remember(response, to: .page(request), from: server)
    return pages.checked(page, for: request)
  }

  package func detail(of id: Product.ID) async throws(RepositoryError) -> ProductDetail {
    let server = try await server()
    let response = try await currentAnswer(to: .detail(id), from: server)
    let detail = try detail(in: response, to: .detail(id), from: server)
    await remember(response, to: .detail(id), from: server)
    return detail
  }
}

// What the writing methods share.
extension HTTPProductRepository {
  /// The server, asked what it is where that is not known yet.
  func server() async throws(RepositoryError) -> KnownServer {
    if let known = known.withLock({ $0 }) { return known }
    let found = try await ServerProbe(connection: connection).run(expecting: generation)
    known.withLock { $0 = found }
    await remember(found)
    return found
  }

  /// - Parameters:
  ///   - operation: what is asked.
  ///   - server: who is asked.
  ///   - tag: the entity tag of the answer that is known already.
  /// - Returns: the answer, whatever its status.
  /// - Throws: why there is none.
  func answer(
    to operation: MarketOperation, from server: KnownServer, unless tag: String? = nil
  ) async throws(RepositoryError) -> HTTPResponse {
    var request = try server.dialect.request(for: operation)
    request.headers[HeaderName.ifNoneMatch] = tag
    do throws(TransportError) {
      return try await connection.answer(
        to: request, limits: request.body.isEmpty ? .json : .upload,
        onUpload: request.body.isEmpty ? nil : surroundings.onUpload)
    } catch {
      throw RepositoryError(error)
    }
  }

  /// The product that an operation answers, with a version in any case.
  func detail(
    answering operation: MarketOperation, from server: KnownServer
  ) async throws(RepositoryError) -> ProductDetail {
    let response = try await answer(to: operation, from: server)
    return try detail(in: response, to: operation, from: server)
  }

  func detail(
    in response: HTTPResponse, to operation: MarketOperation, from server: KnownServer
  ) throws(RepositoryError) -> ProductDetail {
    var detail = try server.dialect.detail(from: response, for: operation)
    if detail.version == nil { detail.version = ContentVersion.version(of: detail) }
    return detail
  }
}
