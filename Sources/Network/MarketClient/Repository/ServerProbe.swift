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

/// Probe that detects the dialect of a server by harmless requests.
struct ServerProbe {
  let connection: ServerConnection
  let dialects: DialectList

  /// Requests the probes of each dialect in the order of the list, and no target twice; with a given
  /// dialect, its greeting only.
  /// - Throws: `.unreachable` if nothing answers, `.badAnswer(.status)` if a page failed with a status
  ///   from 500, `.badAnswer(.notAMarket)` if no response belongs to a dialect, else the mapped
  ///   transport error.
  func run(expecting spoken: (any MarketDialect)?) async throws(RepositoryError) -> KnownServer {
    if let spoken {
      guard let greeting = spoken.probe.greeting else {
        return known(spoken, announcing: [:])
      }
      return known(spoken, announcing: try await answer(greeting).headers)
    }
    var answers: [RequestTarget: HTTPResponse] = [:]
    for dialect in dialects.all {
      let probe = dialect.probe
      for target in [probe.greeting, probe.page].compactMap(\.self) where answers[target] == nil {
        answers[target] = try await answer(target)
      }
      if let page = answers[probe.page], dialect.isSpoken(in: page) {
        return known(dialect, announcing: page.headers)
      }
    }
    let pages = dialects.all.compactMap { answers[$0.probe.page]?.status.rawValue }
    throw .badAnswer(pages.first { $0 >= 500 }.map(ServerFailure.status) ?? .notAMarket)
  }

  private func known(
    _ dialect: any MarketDialect, announcing headers: HTTPHeaders
  ) -> KnownServer {
    KnownServer(dialect, announcing: headers, at: connection.base)
  }

  private func answer(_ target: RequestTarget) async throws(RepositoryError) -> HTTPResponse {
    do throws(TransportError) {
      return try await connection.answer(
        to: HTTPRequest(.get, target, headers: [HeaderName.accept: "application/json"]))
    } catch {
      throw RepositoryError(error)
    }
  }
}
