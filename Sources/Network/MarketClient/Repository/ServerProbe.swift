import MarketAPI
import MarketModel

/// Server that has answered, with what is known of it.
struct KnownServer: Sendable {
  let dialect: any MarketDialect
  /// How much it announces of the additions of our own server.
  let level: ExtensionLevel
  /// The address below which people find its products; nil where it has no pages for them.
  let publicAddress: WebAddress?
  /// What it said that its market is called; nil where it did not.
  let marketName: String?
  /// What it said that its market's id is; nil where it did not.
  var marketID: MarketID?

  /// What `headers` announce of a server that was asked at an address.
  init(_ dialect: any MarketDialect, announcing headers: HTTPHeaders, at base: WebAddress) {
    self.dialect = dialect
    level = headers.extensionLevel
    publicAddress = headers.publicAddress(askedAt: base)
    marketName = headers.marketName
    marketID = headers.marketID
  }

  /// Reads what `answer` holds; nil for a dialect that is not in the list.
  init?(rememberedAs answer: HTTPResponse, at base: WebAddress, among dialects: DialectList) {
    guard let dialect = dialects[String(decoding: answer.body, as: UTF8.self)] else { return nil }
    self.init(dialect, announcing: answer.headers, at: base)
  }

  var capabilities: RepositoryCapabilities {
    var capabilities = dialect.capabilities(at: level)
    (capabilities.publicAddress, capabilities.marketName) = (publicAddress, marketName)
    return capabilities
  }

  /// The server as the cache keeps it, so that its answers can be read again when it cannot be asked.
  var answer: HTTPResponse {
    var response = HTTPResponse(.ok, body: Array(dialect.name.utf8))
    response.headers.announce(level)
    if let publicAddress { response.headers.announce(publicAddress.text) }
    response.headers.marketName = marketName
    return response
  }
}

/// Probe that finds out which dialect a server speaks by asking harmless things.
struct ServerProbe {
  let connection: ServerConnection
  let dialects: DialectList

  /// Asks for each dialect in the order of the list, and for nothing twice; where the user says what
  /// the server speaks, that alone.
  ///
  /// Throws `.unreachable` where nothing answers, `.badAnswer(.status)` where a server in trouble may be
  /// a market, `.badAnswer(.notAMarket)` where no answer looks like a market's.
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
