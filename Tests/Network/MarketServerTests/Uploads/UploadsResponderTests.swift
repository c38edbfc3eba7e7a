import Expectations
import MarketAPI
import MarketModel
import MarketServer
import MarketStrings
import TestSupport
import Testing

/// Pages for photos of a server, and what their forms ask for.
final class UploadsResponderTests: Sendable {
  private static let photo: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]
  private static let owner = "the-form"

  private let market: ServedStore
  private let responder: UploadsResponder

  convenience init() async throws { try await self.init(storeBytes: nil) }

  private init(storeBytes: Int64?) async throws {
    market = try await ServedStore(publicURL: "https://market.example", storeBytes: storeBytes)
    let address = try #require(WebAddress("https://market.example"))
    responder = UploadsResponder(
      market.store, at: address, sharing: market.responder, language: .english,
      before: market.responder)
  }

  private func send(
    _ method: HTTPMethod, _ target: String, by identifier: String? = nil,
    _ headers: HTTPHeaders = [:], body: [UInt8] = []
  ) async -> HTTPResponse {
    var headers = headers
    headers["Host"] = "market.example"
    if let identifier { headers[HeaderName.identifier] = identifier }
    let request = ServerRequest(
      method, target, headers: headers, body: body, from: RemoteClient(address: "192.0.2.9"))
    return await responder.response(to: request).message
  }

  /// Opens a page and returns its token.
  private func open() async throws -> String {
    let answer = await send(.post, "/api/uploads", by: Self.owner)
    expect(answer.status, .created)
    let text = answer.text
    let start = try #require(text.firstRange(of: #""token":""#)?.upperBound)
    let token = String(text[start...].prefix(26))
    #expect(text.contains(#""address":"https://market.example/U/\#(token)""#))
    return token
  }

  private func post(_ token: String, names: [String]) async -> HTTPResponse {
    let form = MultipartForm(
      parts: names.map { MultipartPart(name: "photos", filename: $0, bytes: Self.photo) }
    ).encoded()
    return await send(
      .post, "/u/" + token.lowercased(), [HeaderName.contentType: form.contentType],
      body: form.body)
  }

  @Test func `a form gets the photos of its page, and the page says so`() async throws {
    let token = try await open()
    expect(await send(.get, "/U/\(token)").status, .ok)

    async let page = post(token, names: ["bike.jpg"])
    var list = ""
    while !list.contains("bike.jpg") {
      list = await send(.get, "/api/uploads/\(token)?after=0&wait=25", by: Self.owner).text
    }
    let bytes = await send(.get, "/api/uploads/\(token)/photos/1", by: Self.owner).body
    let gone = await send(.delete, "/api/uploads/\(token)/photos/1", by: Self.owner)

    expect(list, #"{"photos":[{"id":1,"name":"bike.jpg","bytes":7}],"open":true}"#)
    #expect(bytes == Self.photo && gone.status == .noContent)
    #expect(await page.text.contains("✓ in the form"))
    expect(await send(.delete, "/api/uploads/\(token)", by: Self.owner).status, .noContent)
    expect(await send(.get, "/U/\(token)").status, .notFound)
  }

  @Test func `another seller, another token and no identifier get nothing`() async throws {
    let token = try await open()
    let guessed = UploadToken().text

    for (target, identifier) in [(token, "another"), (guessed, Self.owner)] {
      for method in [HTTPMethod.get, .delete] {
        expect(await send(method, "/api/uploads/\(target)", by: identifier).status, .notFound)
        expect(
          await send(method, "/api/uploads/\(target)/photos/1", by: identifier).status, .notFound)
      }
    }
    expect(await send(.get, "/api/uploads/\(token)").status, .badRequest)
    expect(await send(.post, "/api/uploads").status, .badRequest)
    expect(await post(guessed, names: ["a.jpg"]).status, .notFound)
    expect(await send(.get, "/U/\(guessed)").status, .notFound)
  }

  @Test func `pages of others and a full market put nothing in`() async throws {
    let token = try await open()
    let foreign = await send(
      .post, "/U/\(token)", ["Origin": "https://evil.example"], body: [1])
    expect(foreign.status, .forbidden)

    let full = try await UploadsResponderTests(storeBytes: 1)
    expect(await full.send(.post, "/api/uploads", by: Self.owner).status, .insufficientStorage)
  }

  @Test func `a body is large on a page alone`() {
    func limit(_ method: HTTPMethod, _ target: String) -> Int? {
      responder.bodyLimit(
        for: ServerRequest(method, target, from: RemoteClient(address: "192.0.2.9")))
    }

    #expect(limit(.post, UploadToken().path).map { $0 > UploadLimits.photoBytes } == true)
    for target in ["/api/products", "/U/short", "/api/uploads"] {
      expect(limit(.post, target), nil)
    }
    expect(limit(.put, UploadToken().path), nil)
    let large = ServerRequest(
      .post, UploadToken().path, from: RemoteClient(address: "192.0.2.9"))
    let answer = responder.refusal(ofLargeBody: large)?.message
    #expect(answer?.status == .contentTooLarge && answer?.text.contains("20 MB") == true)
  }

  @Test func `nothing beside the pages' own paths opens one`() async {
    for target in ["/api/uploadsx", "/api/uploads-"] {
      expect(await send(.post, target, by: Self.owner).status, .notFound)
    }
  }
}
