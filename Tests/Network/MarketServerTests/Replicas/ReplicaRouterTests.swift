import Expectations
import MarketAPI
import MarketModel
import MarketServer
import Synchronization
import Testing

/// Choice of the reads that a standby answers.
struct ReplicaRouterTests {
  /// Answers with a word.
  private struct Source: HTTPResponder {
    let word: String
    var status = HTTPStatus.ok
    var failure: RepositoryError?
    var headers = HTTPHeaders()
    var isKnown = false

    func immediateResponse(to request: ServerRequest) -> ServerResponse? {
      isKnown ? answer : nil
    }

    func response(to request: ServerRequest) async -> ServerResponse { answer }

    private var answer: ServerResponse {
      ServerResponse(
        HTTPResponse(status, headers: headers, body: Array(word.utf8)), failing: failure)
    }
  }

  /// A standby that has come to 100, of a market at 200.
  private final class Replica: ReadReplica {
    let failures = Mutex(0)
    let isHere = Mutex(true)

    func suits(_ position: MarketPosition?) -> Bool {
      guard isHere.withLock({ $0 }) else { return false }
      return position.map { $0 <= MarketPosition(rawValue: 100) } ?? true
    }

    func didFail() { failures.withLock { $0 += 1 } }
    func presentPosition() async -> MarketPosition? { MarketPosition(rawValue: 200) }
  }

  private let replica = Replica()

  private func places(_ copy: Source) -> ReplicaRouter { places(Source(word: "market"), copy) }

  private func places(_ market: Source, _ copy: Source) -> ReplicaRouter {
    ReplicaRouter(from: market, or: copy, of: replica)
  }

  private func answer(
    of places: ReplicaRouter, _ method: HTTPMethod = .get, _ headers: HTTPHeaders = [:],
    from address: String = "192.0.2.1"
  ) async -> HTTPResponse {
    await places.response(
      to: ServerRequest(method, "/", headers: headers, from: RemoteClient(address: address))
    ).message
  }

  private func word(_ response: HTTPResponse) -> String {
    String(decoding: response.body, as: UTF8.self)
  }

  @Test(
    arguments: [
      (nil, "copy"), ("64", "copy"), ("65", "market"), ("0064", "copy"), ("", "market"),
      ("6G", "market"), ("-1", "market"), ("ffffffffffffffff", "market"),
      ("00000000000000001", "market"),
    ] as [(String?, String)])
  func `a reader who says a position is shown nothing older`(position: String?, cursor: String)
    async
  {
    let headers: HTTPHeaders = position.map { [HeaderName.marketPosition: $0] } ?? [:]

    expect(word(await answer(of: places(Source(word: "copy")), .get, headers)), cursor)
  }

  @Test func `a change goes to the market, whose position its writer is shown`() async {
    let market = Source(word: "market", headers: [HeaderName.marketPosition: "c8"])
    let places = places(market, Source(word: "copy"))

    let answer = await answer(of: places, .post)

    #expect(word(answer) == "market" && answer.headers[HeaderName.marketPosition] == "c8")
    expect(word(await self.answer(of: places)), "market")
    expect(word(await self.answer(of: places, from: "192.0.2.2")), "copy")
  }

  @Test(arguments: [(412, "market"), (503, "market"), (400, "copy"), (404, "copy"), (429, "copy")])
  func `who was shown a change of others reads nothing older, who was refused may`(
    status: Int, cursor: String
  ) async {
    let changing = places(
      Source(word: "market", status: HTTPStatus(rawValue: status)), Source(word: "copy"))

    _ = await answer(of: changing, .patch)

    expect(word(await answer(of: changing)), cursor)
  }

  @Test func `a writer whose position the standby has reads there`() async {
    let market = Source(word: "market", headers: [HeaderName.marketPosition: "64"])
    let places = places(market, Source(word: "copy"))

    _ = await answer(of: places, .post)

    expect(word(await answer(of: places)), "copy")
  }

  @Test(
    arguments: [
      (.store(.unavailable("gone")), 1), (.store(.cannotOpen("no such role")), 1),
      (.store(.damaged), 1), (.store(.locked), 0), (.store(.failed(code: 1)), 0),
      (.store(.picturesUnavailable("gone")), 0), (.cancelled, 0), (.unsupported, 0), (nil, 0),
    ] as [(RepositoryError?, Int)])
  func `where the standby fails the market answers, and only a database that is away is left alone`(
    failure: RepositoryError?, failures: Int
  ) async {
    for status in [500, 503] {
      replica.failures.withLock { $0 = 0 }
      let failing = Source(word: "copy", status: HTTPStatus(rawValue: status), failure: failure)

      expect(word(await answer(of: places(failing))), "market")
      expect(replica.failures.withLock { $0 }, failures)
    }
  }

  @Test(
    arguments: [
      (.store(.unconfirmed), "market"), (.store(.locked), "market"), (.cancelled, "market"),
      (.store(.unavailable("gone")), "copy"), (.store(.readOnly), "copy"),
    ] as [(RepositoryError, String)])
  func `who may have written reads nothing older, who certainly has not may`(
    failure: RepositoryError, cursor: String
  ) async {
    let failing = Source(word: "market", status: .serviceUnavailable, failure: failure)
    let places = places(failing, Source(word: "copy"))

    _ = await answer(of: places, .post)

    expect(word(await answer(of: places)), cursor)
  }

  @Test func `a search whose turn did not come at the standby has its time at the market`() async {
    let busy = Source(word: "copy", status: .tooManyRequests)

    expect(word(await answer(of: places(busy))), "market")
    expect(replica.failures.withLock { $0 }, 0)
  }

  @Test func `what is known already is known of the place that is read at`() {
    let places = places(
      Source(word: "market", isKnown: true), Source(word: "copy", isKnown: true))
    func known(_ headers: HTTPHeaders = [:]) -> String? {
      places.immediateResponse(
        to: ServerRequest(.get, "/", headers: headers, from: RemoteClient(address: "192.0.2.1"))
      ).map { word($0.message) }
    }

    expect(known(), "copy")
    expect(known([HeaderName.marketPosition: "65"]), "market")
    replica.isHere.withLock { $0 = false }
    expect(known(), "market")
  }

  @Test func `reads are counted by their place`() async {
    let registry = MetricsRegistry()
    let places = ReplicaRouter(
      from: Source(word: "market"), or: Source(word: "copy"), of: replica, registry: registry)

    _ = await answer(of: places)
    _ = await answer(of: places, .get, [HeaderName.marketPosition: "65"])

    for cursor in ["standby", "primary"] { expect(registry.counter(.reads, cursor).count, 1) }
  }
}
