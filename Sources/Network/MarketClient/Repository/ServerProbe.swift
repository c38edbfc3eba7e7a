import MarketAPI
import MarketModel

/// Server that has answered, with what it announced.
struct KnownServer: Sendable {
  let dialect: any MarketDialect
  /// The capabilities that the server announces.
  let announced: Set<ServerCapability>
  /// Base address of the server's product pages for people; nil if it has none.
  let publicAddress: WebAddress?
  /// Announced name of the market; nil if absent.
  let marketName: String?
  /// Announced id of the market; nil if absent.
  var marketID: MarketID?
  /// Whether a dialect that is asked for first did not answer, so that the server may speak it later.
  var isProvisional = false

  /// Creates a server from the `headers` of a response to a request at `base`.
  init(_ dialect: any MarketDialect, announcing headers: HTTPHeaders, at base: WebAddress) {
    self.dialect = dialect
    announced = headers.capabilities
    publicAddress = announced.contains(.pages) ? headers.publicAddress(askedAt: base) : nil
    marketName = headers.marketName
    marketID = headers.marketID
  }

  /// Reads a cached `answer`; nil if its dialect is not in the list.
  init?(cachedAs answer: HTTPResponse, at base: WebAddress, among dialects: DialectList) {
    guard let dialect = dialects[String(decoding: answer.body, as: UTF8.self)] else { return nil }
    self.init(dialect, announcing: answer.headers, at: base)
  }

  var capabilities: RepositoryCapabilities {
    var capabilities = dialect.capabilities(announced: announced)
    (capabilities.publicAddress, capabilities.marketName) = (publicAddress, marketName)
    capabilities.isProvisional = isProvisional
    return capabilities
  }

  /// Response under which the cache stores the server, so that cached responses can be read offline.
  var answer: HTTPResponse {
    var response = HTTPResponse(.ok, body: Array(dialect.name.utf8))
    response.headers.announce(announced)
    if let publicAddress { response.headers.announce(publicAddress.text) }
    response.headers.marketName = marketName
    return response
  }
}

/// Probe that detects the dialect of a server by its first page, which is read as well.
struct ServerProbe {
  /// Server that was detected, and the responses with success that the probe got on the way.
  struct Finding {
    var server: KnownServer
    var answers: [RequestTarget: HTTPResponse] = [:]
  }

  let connection: ServerConnection
  let dialects: DialectList
  /// Cache whose pages are revalidated; nil for none.
  let cache: ResponseCache?

  /// Times by which a request is repeated whose failure decides nothing; after the last, 1.8 seconds
  /// have passed.
  static let repetitions = 2

  /// Asks for a page in the form of each dialect, and for no target twice.
  ///
  /// The first is `kept`, as which the server was known, then come the others in the order of the list.
  /// With a dialect that the user has `spoken`, asks for its greeting only.
  ///
  /// A failing answer decides nothing: it is asked again, and a server that was known by that dialect is
  /// asked for no other.
  /// - Throws: `.unreachable` if nothing answers, `.badAnswer(.status)` if a page failed for now,
  ///   `.badAnswer(.notAMarket)` if no response belongs to a dialect, else the mapped transport error.
  func run(
    for page: PageRequest, expecting spoken: (any MarketDialect)?, keeping kept: String? = nil,
    repetitions: Int = repetitions
  ) async throws(RepositoryError) -> Finding {
    if let spoken {
      guard let greeting = spoken.greeting else {
        return Finding(server: known(spoken, announcing: [:]))
      }
      let answer = try await answer(greeting, repetitions: repetitions)
      return Finding(server: known(spoken, announcing: answer.response.headers))
    }
    let kept = dialects.all.first { $0.name == kept }
    var answers: [RequestTarget: (response: HTTPResponse, headers: HTTPHeaders)] = [:]
    var failure: HTTPStatus?
    for dialect in [kept].compactMap(\.self) + dialects.all.filter({ $0.name != kept?.name }) {
      guard let target = try? dialect.request(for: .page(page)).target else { continue }
      if answers[target] == nil {
        // The others wait for no server that has failed already.
        answers[target] = try await answer(target, repetitions: failure == nil ? repetitions : 0)
      }
      guard let answer = answers[target] else { continue }
      if dialect.isSpoken(in: answer.response) {
        var server = known(dialect, announcing: answer.headers)
        server.isProvisional = failure != nil
        return Finding(server: server, answers: answers.mapValues(\.response))
      }
      guard answer.response.status.isOfNow else { continue }
      failure = failure ?? answer.response.status
      if dialect.name == kept?.name { break }
    }
    throw .badAnswer(failure.map { .status($0.rawValue) } ?? .notAMarket)
  }

  private func known(
    _ dialect: any MarketDialect, announcing headers: HTTPHeaders
  ) -> KnownServer {
    KnownServer(dialect, announcing: headers, at: connection.base)
  }

  /// The response to a GET, or the cached one that it confirms, and the headers that came.
  private func answer(
    _ target: RequestTarget, repetitions: Int
  ) async throws(RepositoryError) -> (response: HTTPResponse, headers: HTTPHeaders) {
    var request = HTTPRequest(.get, target, headers: [HeaderName.accept: "application/json"])
    let cached = await cache?.entry(of: connection.base, .answer(target))?.response
    request.headers[HeaderName.ifNoneMatch] = cached?.headers[HeaderName.entityTag]
    do throws(TransportError) {
      var repetition = 0
      while true {
        let response = try await connection.answer(to: request, retriesStatuses: false)
        let isPatient = response.retryAfterSeconds.map { $0 <= 1 } ?? true
        guard response.status.isOfNow, isPatient, repetition < repetitions else {
          let isConfirmed = response.status == .notModified
          return (isConfirmed ? cached ?? response : response, response.headers)
        }
        repetition += 1
        try await connection.pause(.milliseconds(600) * repetition)
      }
    } catch {
      throw RepositoryError(error)
    }
  }
}

extension HTTPStatus {
  /// Whether the same request may be answered in another way soon: 408, 425, 429 and all from 500.
  fileprivate var isOfNow: Bool { rawValue >= 500 || [408, 425, 429].contains(rawValue) }
}
