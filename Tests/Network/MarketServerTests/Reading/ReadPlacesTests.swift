import MarketAPI
import MarketModel
import MarketServer
import Synchronization
import Testing

/// Which reads are answered from a standby, whatever it holds.
@Suite struct ReadPlacesTests {
  /// Answers with a word.
  private struct Place: HTTPResponder {
    let word: String
    var status = HTTPStatus.ok
    var isKnown = false

    func knownResponse(to request: ServerRequest) -> ServerResponse? {
      isKnown ? answer : nil
    }

    func response(to request: ServerRequest) async -> ServerResponse { answer }

    private var answer: ServerResponse {
      ServerResponse(HTTPResponse(status, body: Array(word.utf8)))
    }
  }

  /// A standby that has come to 100, of a market at 200.
  private final class Standby: ReadStandby {
    let failures = Mutex(0)
    let isHere = Mutex(true)

    func suits(_ position: MarketPosition?) -> Bool {
      guard isHere.withLock({ $0 }) else { return false }
      return position.map { $0 <= MarketPosition(rawValue: 100) } ?? true
    }

    func didFail() { failures.withLock { $0 += 1 } }
    func presentPosition() async -> MarketPosition? { MarketPosition(rawValue: 200) }
  }

  private let standby = Standby()

  private func places(_ copy: Place) -> ReadPlaces { places(Place(word: "market"), copy) }

  private func places(_ market: Place, _ copy: Place) -> ReadPlaces {
    ReadPlaces(from: market, or: copy, of: standby)
  }

  private func answer(
    of places: ReadPlaces, _ method: HTTPMethod = .get, _ headers: HTTPHeaders = [:],
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
  func `a reader who says a position is shown nothing older`(position: String?, place: String) async
  {
    let headers: HTTPHeaders = position.map { [HeaderName.marketPosition: $0] } ?? [:]

    #expect(word(await answer(of: places(Place(word: "copy")), .get, headers)) == place)
  }

  @Test func `a change goes to the market, which says its position`() async {
    let places = places(Place(word: "copy"))

    let answer = await answer(of: places, .post)

    #expect(word(answer) == "market" && answer.headers[HeaderName.marketPosition] == "c8")
    #expect(word(await self.answer(of: places)) == "market")
    #expect(word(await self.answer(of: places, from: "192.0.2.2")) == "copy")
  }

  @Test(arguments: [(412, "market"), (503, "market"), (400, "copy"), (404, "copy"), (429, "copy")])
  func `who was shown a change of others reads nothing older, who was refused may`(
    status: Int, place: String
  ) async {
    let changing = places(
      Place(word: "market", status: HTTPStatus(rawValue: status)), Place(word: "copy"))

    _ = await answer(of: changing, .patch)

    #expect(word(await answer(of: changing)) == place)
  }

  @Test(arguments: [500, 503])
  func `where the standby fails the market answers`(status: Int) async {
    let failing = Place(word: "copy", status: HTTPStatus(rawValue: status))

    #expect(word(await answer(of: places(failing))) == "market")
    #expect(standby.failures.withLock { $0 } == 1)
  }

  @Test func `a search whose turn did not come at the standby has its time at the market`() async {
    let busy = Place(word: "copy", status: .tooManyRequests)

    #expect(word(await answer(of: places(busy))) == "market")
    #expect(standby.failures.withLock { $0 } == 0)
  }

  @Test func `what is known already is known of the place that is read at`() {
    let places = places(
      Place(word: "market", isKnown: true), Place(word: "copy", isKnown: true))
    func known(_ headers: HTTPHeaders = [:]) -> String? {
      places.knownResponse(
        to: ServerRequest(.get, "/", headers: headers, from: RemoteClient(address: "192.0.2.1"))
      ).map { word($0.message) }
    }

    #expect(known() == "copy")
    #expect(known([HeaderName.marketPosition: "65"]) == "market")
    standby.isHere.withLock { $0 = false }
    #expect(known() == "market")
  }

  @Test func `reads are counted by their place`() async {
    let measures = Measures()
    let places = ReadPlaces(
      from: Place(word: "market"), or: Place(word: "copy"), of: standby, measures: measures)

    _ = await answer(of: places)
    _ = await answer(of: places, .get, [HeaderName.marketPosition: "65"])

    for place in ["standby", "primary"] { #expect(measures.counter(.reads, place).count == 1) }
  }
}
