import Expectations
import MarketAPI
import MarketModel
import Synchronization
import TestSupport
import Testing

@testable import MarketClient

/// A server's page for photos, as the form of a client sees it.
final class UploadPageClientTests: Sendable {
  private static let token = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
  private static let opened = ReceiverEvent.opened(
    address: "HTTPS://MARKET.EXAMPLE/m/U/\(token)", port: nil)

  /// Answers to the form's requests for the list, in their order.
  private let (lists, listing) = AsyncStream<HTTPResponse>.makeStream()
  private let (commands, commanding) = AsyncStream<ReceiverCommand>.makeStream()
  private let told = Mutex<[ReceiverEvent]>([])

  private var events: [ReceiverEvent] { told.withLock(\.self) }

  /// Server of the page; `photo` answers to a request for bytes.
  private func server(
    opening: HTTPResponse = page("https://market.example/m"),
    photo: @escaping @Sendable (String) throws(TransportError) -> HTTPResponse = {
      HTTPResponse(.ok, body: Array($0.utf8))
    }
  ) -> FakeTransport {
    let lists = lists
    return FakeTransport { hop, _ throws(TransportError) in
      let segments = RequestTarget(parsing: hop.address.target).segments
      let response: HTTPResponse
      switch (hop.method, segments.count) {
      case (.post, _): response = opening
      case (.get, 3):
        guard let next = await lists.first(where: { _ in true }) else { throw .cancelled }
        response = next
      case (.get, _): response = try photo(segments[4])
      default: response = HTTPResponse(.noContent)
      }
      return HTTPHopResponse(response: response)
    }
  }

  private static func page(_ address: String) -> HTTPResponse {
    json(.created, #"{"token":"\#(token)","address":"\#(address)/U/\#(token)"}"#)
  }

  private static func json(
    _ status: HTTPStatus, _ text: String, _ headers: HTTPHeaders = [:]
  ) -> HTTPResponse {
    HTTPResponse(status, headers: headers, body: Array(text.utf8))
  }

  private func list(_ photos: Int...) {
    let items = photos.map { #"{"id":\#($0),"name":"\#($0).jpg","bytes":1}"# }
    listing.yield(
      Self.json(.ok, #"{"photos":[\#(items.joined(separator: ","))],"open":true}"#))
  }

  /// The photo of a number, whose bytes are that number.
  private static func photo(_ number: Int) -> ReceiverEvent {
    .photo(number, UploadedPhoto(name: "\(number).jpg", bytes: Array("\(number)".utf8)))
  }

  /// Opens the page for a form.
  private func open(_ server: FakeTransport) throws -> Task<Void, Never> {
    let (connection, commands) = (try ServerConnection.test(server), commands)
    return Task {
      await UploadPageClient.receive(
        over: connection, by: SellerIdentifier(secret: "me"), commands: commands
      ) { [self] event in told.withLock { $0.append(event) } }
    }
  }

  /// Closes the form, and waits until the page has been closed.
  private func close(_ work: Task<Void, Never>) async {
    work.cancel()
    commanding.finish()
    await work.value
  }

  private static func changes(_ server: FakeTransport) -> [String] {
    server.hops.filter { $0.method != .get }.map { "\($0.method.rawValue) \($0.address.target)" }
  }

  @Test func `photos reach the form, what it says of them the server, and then the page closes`()
    async throws
  {
    let server = server()
    let work = try open(server)

    list(2, 1)
    list()
    await poll { events.count == 3 }
    commanding.yield(.took(photo: 1, true))
    commanding.yield(.took(photo: 2, false))
    await close(work)

    expect(events, [Self.opened, Self.photo(1), Self.photo(2)])
    let page = "/api/uploads/" + Self.token
    expect(
      Self.changes(server),
      [
        "POST /api/uploads", "DELETE \(page)/photos/1", "DELETE \(page)/photos/2?refused=1",
        "DELETE \(page)",
      ])
    expect(
      server.hops.filter { $0.method == .get }.prefix(4).map(\.address.target),
      ["\(page)?after=0", "\(page)/photos/1", "\(page)/photos/2", "\(page)?after=2"])
    #expect(server.hops.allSatisfy { $0.headers[HeaderName.identifier] == "me" })
  }

  @Test(arguments: [
    (json(.notFound, ""), RepositoryError.unsupported),
    (json(.methodNotAllowed, ""), .unsupported),
    (page("http://market.example"), .unsupported),
    (json(.forbidden, #"{"problem":"seller_blocked"}"#), .blocked),
    (
      json(.tooManyRequests, "", ["Retry-After": "7"]),
      .tooManyRequests(retryAfterSeconds: 7)
    ),
    (json(.insufficientStorage, ""), .marketFull),
    (json(HTTPStatus(rawValue: 500), ""), .badAnswer(.status(500))),
    (json(.created, "no page"), .badAnswer(.unreadable)),
    (
      json(.created, #"{"token":"\#(token)","address":"https://market.example/"}"#),
      .badAnswer(.unreadable)
    ),
  ])
  func `a page that cannot be opened is refused with its reason`(
    answer: HTTPResponse, error: RepositoryError
  ) async throws {
    let server = server(opening: answer)

    await (try open(server)).value

    expect(events, [.refused(error)])
    expect(server.hops.count, 1)
  }

  @Test func `a server that fails for a while loses nothing, one that goes on ends the page`()
    async throws
  {
    let server = server()
    let work = try open(server)

    for _ in 1..<UploadPageClient.maxFailures { listing.yield(HTTPResponse(Self.failed)) }
    list(1)
    for _ in 0..<UploadPageClient.maxFailures { listing.yield(HTTPResponse(Self.failed)) }
    await work.value

    expect(events, [Self.opened, Self.photo(1), .refused(.badAnswer(.status(500)))])
  }

  private static let failed = HTTPStatus(rawValue: 500)

  @Test func `a page that the server has closed ends without an error`() async throws {
    let work = try open(server())

    listing.yield(HTTPResponse(.notFound))
    await work.value

    expect(events, [Self.opened])
  }

  @Test func `a photo that is gone or too large is refused, the next one comes`() async throws {
    let server = server { photo throws(TransportError) in
      switch photo {
      case "1": return HTTPResponse(.notFound)
      case "2": throw .tooLarge
      default: return HTTPResponse(.ok, body: Array(photo.utf8))
      }
    }
    let work = try open(server)

    list(1, 2, 3)
    await poll { events.count == 2 }
    await close(work)

    expect(events, [Self.opened, Self.photo(3)])
    expect(
      Self.changes(server).filter { $0.hasSuffix("refused=1") },
      [1, 2].map { "DELETE /api/uploads/\(Self.token)/photos/\($0)?refused=1" })
  }

  @Test func `more photos than a page may have are refused before they are fetched`() async throws {
    let server = server()
    let work = try open(server)

    list(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
    list()
    await poll { server.hops.contains { $0.address.target.hasSuffix("after=11") } }
    await close(work)

    expect(events, [Self.opened] + (1...10).map(Self.photo))
  }

  @Test func `a page that opens after the form has left is closed`() async throws {
    let opening = Gate<Int, HTTPResponse>(answersCancelledCalls: false)
    let server = FakeTransport { hop, count throws(TransportError) in
      guard hop.method == .post else { return .status(204) }
      guard let page = try? await opening.pass(count) else { throw .cancelled }
      return HTTPHopResponse(response: page)
    }
    let work = try open(server)

    let call = try await opening.next()
    work.cancel()
    commanding.finish()
    call.answer(Self.page("https://market.example"))
    await work.value

    expect(Self.changes(server).last, "DELETE /api/uploads/\(Self.token)")
  }
}
