import MarketAPI
import MarketModel
import Synchronization

/// Request performer that revalidates cached responses by entity tag, and caches what the dialect could
/// read.
final class RevalidatingPerformer: ServerRequestPerformer {
  let announced: Set<ServerCapability>
  private let connection: ServerConnection
  private let cache: ResponseCache?
  private let onUpload: UploadObserver?
  private let lastMarketID = Mutex<MarketID?>(nil)
  /// Returns a response that came before its request, once; nil where there is none.
  ///
  /// It is called with each request, as a write makes such responses out of date.
  private let early: @Sendable (HTTPRequest) -> HTTPResponse?
  /// Responses to cache once the dialect has read them.
  private let answers = Mutex<[(target: RequestTarget, response: HTTPResponse)]>([])

  init(
    to server: KnownServer, over connection: ServerConnection, cache: ResponseCache?,
    onUpload: UploadObserver?, early: @escaping @Sendable (HTTPRequest) -> HTTPResponse?
  ) {
    announced = server.announced
    self.early = early
    self.connection = connection
    self.cache = cache
    self.onUpload = onUpload
  }

  /// Market id in the last response from the server; cached responses do not count.
  var marketID: MarketID? { lastMarketID.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws(RepositoryError) -> HTTPResponse {
    if let response = early(request), request.isCacheable {
      answers.withLock { $0.append((request.target, response)) }
      return response
    }
    guard let cache, request.isCacheable else { return try await answer(to: request) }
    let known = await cache.entry(of: connection.base, .answer(request.target))?.response
    var request = request
    request.headers[HeaderName.ifNoneMatch] = known?.headers[HeaderName.entityTag]
    var response = try await answer(to: request)
    if response.status == .notModified, let known { response = known }
    if response.status.isSuccess {
      answers.withLock { $0.append((request.target, response)) }
    }
    return response
  }

  func file(of picture: Picture) async throws(RepositoryError) -> [UInt8] {
    try await HTTPPictureSource(over: connection).file(of: picture)
  }

  /// Caches the responses so far.
  func cacheResponses() async {
    guard let cache else { return }
    for (target, response) in answers.withLock({ $0 }) {
      await cache.store(response, of: connection.base, .answer(target))
    }
  }

  private func answer(to request: HTTPRequest) async throws(RepositoryError) -> HTTPResponse {
    do throws(TransportError) {
      let response = try await connection.answer(
        to: request, limits: request.body.isEmpty ? .json : .upload,
        onUpload: request.body.isEmpty ? nil : onUpload)
      if let id = response.headers.marketID { lastMarketID.withLock { $0 = id } }
      return response
    } catch {
      throw RepositoryError(error)
    }
  }
}

/// Request performer that answers from the cache alone and sends nothing.
final class CacheOnlyPerformer: ServerRequestPerformer {
  let announced: Set<ServerCapability>
  private let cache: ResponseCache
  private let base: WebAddress
  /// Target whose response answers every request; nil answers each by its own target.
  private let target: RequestTarget?
  private let last = Mutex<Int64?>(nil)

  init(
    to server: KnownServer, cache: ResponseCache, of base: WebAddress,
    alwaysAt target: RequestTarget? = nil
  ) {
    self.target = target
    announced = server.announced
    self.cache = cache
    self.base = base
  }

  /// Time of the last response, in seconds since 1970; nil if none was found.
  var seconds: Int64? { last.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws(RepositoryError) -> HTTPResponse {
    guard request.isCacheable,
      let entry = await cache.entry(of: base, .answer(target ?? request.target))
    else { throw .unreachable(.disconnected) }
    last.withLock { $0 = entry.seconds }
    return entry.response
  }

  func file(of picture: Picture) async throws(RepositoryError) -> [UInt8] {
    throw .unreachable(.disconnected)
  }
}

extension HTTPRequest {
  /// Whether the response depends on the target alone.
  ///
  /// Questions about a product differ between clients only by the mark of their own ones.
  fileprivate var isCacheable: Bool {
    let isOfQuestions =
      target.path.hasPrefix("/api/products/") && target.path.hasSuffix("/questions")
    return method == .get && body.isEmpty && (headers.fields.isEmpty || isOfQuestions)
  }
}
