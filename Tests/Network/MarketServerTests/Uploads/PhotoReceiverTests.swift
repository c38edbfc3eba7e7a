import Expectations
import MarketAPI
import MarketModel
import MarketServer
import MarketStrings
import Synchronization
import TestSupport
import Testing

/// The page of `market-server receive-photos`, without sockets.
final class PhotoReceiverTests: Sendable {
  private static let host = "192.0.2.7:38211"
  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]

  /// Form that takes each photo at once, but for `broken.jpg`.
  private final class Form: Sendable {
    let events = Mutex<[ReceiverEvent]>([])
    let page = Mutex<PhotoReceiver?>(nil)

    func take(_ event: ReceiverEvent) {
      events.withLock { $0.append(event) }
      guard case .photo(let number, let photo) = event else { return }
      page.withLock(\.self)?.perform(.took(photo: number, photo.name != "broken.jpg"))
    }
  }

  private let token = UploadToken()
  private let form = Form()
  private let page: PhotoReceiver

  init() {
    let page = PhotoReceiver(token, at: Self.host, language: .english) { [form] in form.take($0) }
    form.page.withLock { $0 = page }
    self.page = page
  }

  private var seen: [ReceiverEvent] { form.events.withLock(\.self) }

  private func send(
    _ method: HTTPMethod, _ path: String? = nil, _ headers: HTTPHeaders = [:],
    cookie: String? = nil,
    body: [UInt8] = []
  ) async -> ServerResponse {
    var all = headers
    if all["Host"] == nil { all["Host"] = Self.host }
    if let cookie { all["Cookie"] = cookie }
    return await page.response(to: request(method, path, all, body))
  }

  private func request(
    _ method: HTTPMethod, _ path: String?, _ headers: HTTPHeaders, _ body: [UInt8]
  ) -> ServerRequest {
    ServerRequest(
      method, path ?? token.path, headers: headers, body: body,
      from: RemoteClient(address: "192.0.2.9"))
  }

  /// Opens the page and returns the cookie that it sets.
  private func open() async -> String {
    let answer = await send(.get)
    return answer.message.headers["Set-Cookie"].map { String($0.prefix { $0 != ";" }) } ?? ""
  }

  private func post(
    _ photos: [(String, [UInt8])], cookie: String, _ headers: HTTPHeaders = [:]
  ) async -> ServerResponse {
    let form = MultipartForm(
      parts: photos.map { MultipartPart(name: "photos", filename: $0.0, bytes: $0.1) }
    ).encoded()
    var headers = headers
    headers[HeaderName.contentType] = form.contentType
    return await send(.post, nil, headers, cookie: cookie, body: form.body)
  }

  @Test func `photos reach the form, and the page says when it has them`() async {
    let cookie = await open()

    let answer = await post([("bike.jpg", Self.jpeg), ("broken.jpg", Self.jpeg)], cookie: cookie)

    expect(answer.message.status, .ok)
    expect(
      seen,
      [
        .visited, .photo(0, UploadedPhoto(name: "bike.jpg", bytes: Self.jpeg)),
        .photo(1, UploadedPhoto(name: "broken.jpg", bytes: Self.jpeg)),
      ])
    let text = String(decoding: answer.message.body, as: UTF8.self)
    #expect(text.contains("bike.jpg</bdi> <b>✓ in the form"))
    #expect(text.contains("broken.jpg</bdi> <b>not taken"))
  }

  @Test func `the script gets one sentence in the browser's language`() async {
    let cookie = await open()

    let answer = await post(
      [("bike.jpg", Self.jpeg)], cookie: cookie,
      [HeaderName.accept: "application/json", "Accept-Language": "ko"])

    expect(answer.message.text, #"{"message":"✓ 양식에 들어감"}"#)
  }

  @Test func `nothing of the page is stored, sent on or put into another page`() async {
    let headers = await send(.get).message.headers

    expect(headers[HeaderName.cacheControl], "no-store")
    expect(headers["Referrer-Policy"], "same-origin")
    #expect(headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'; ") == true)
    #expect(headers["Content-Security-Policy"]?.contains("unsafe") == false)
    #expect(headers["Set-Cookie"]?.contains("HttpOnly; SameSite=Strict") == true)
  }

  @Test func `a second telephone sends nothing until the person admits it`() async {
    _ = await open()
    let second = await open()

    let early = await post([("a.jpg", Self.jpeg)], cookie: second)
    expect(early.message.status, .forbidden)
    expect(seen, [.visited, .asked(device: 1)])
    page.perform(.admit(device: 1, true))
    let late = await post([("a.jpg", Self.jpeg)], cookie: second)

    expect(late.message.status, .ok)
    expect(seen.count, 3)
  }

  @Test func `a refused telephone stays out`() async {
    _ = await open()
    let second = await open()

    page.perform(.admit(device: 1, false))

    expect(await post([("a.jpg", Self.jpeg)], cookie: second).message.status, .forbidden)
    expect(await send(.get, cookie: second).message.status, .forbidden)
  }

  @Test func `no more than eight browsers are asked about`() async {
    for _ in 0..<20 { _ = await open() }

    expect(seen.count, 8)
  }

  @Test(
    arguments: [
      (["Host": "evil.example:38211"], 421), (["Host": "192.0.2.7"], 421),
      (["Origin": "http://evil.example"], 403), (["Origin": "null"], 403),
      (["Origin": "http://192.0.2.7:80"], 403), (["Sec-Fetch-Site": "cross-site"], 403),
    ] as [([String: String], Int)])
  func `other hosts and origins get nothing`(headers: [String: String], status: Int) async {
    let cookie = await open()
    var fields = HTTPHeaders()
    for (name, value) in headers { fields.add(value, for: name) }

    let answer = await post([("a.jpg", Self.jpeg)], cookie: cookie, fields)

    expect(answer.message.status.rawValue, status)
    expect(seen, [.visited])
    let form = request(.post, nil, fields, [])
    #expect(page.bodyLimit(for: form) == nil)
    if fields["Host"] == nil { fields.add(Self.host, for: "Host") }
    let large = request(.post, nil, fields, [])
    expect(page.refusal(ofLargeBody: large)?.message.status.rawValue, status)
  }

  @Test func `guessed tokens are not found, and claim nothing`() async {
    for _ in 0..<1_000 {
      expect(await send(.get, UploadToken().path).message.status, .notFound)
    }

    expect(seen, [])
  }

  @Test func `a body is read only from a telephone that may send`() async {
    let cookie = await open()
    let own: HTTPHeaders = ["Host": Self.host, "Cookie": cookie]
    let none: HTTPHeaders = ["Host": Self.host]

    expect(page.bodyLimit(for: request(.post, nil, own, [])), UploadLimits.requestBytes)
    #expect(page.bodyLimit(for: request(.post, nil, none, [])) == nil)
    #expect(page.bodyLimit(for: request(.post, UploadToken().path, own, [])) == nil)
    #expect(page.bodyLimit(for: request(.put, nil, own, [])) == nil)
    expect(refusal(.post, nil, own), .contentTooLarge)
    expect(refusal(.post, nil, none), .forbidden)
    expect(refusal(.post, UploadToken().path, own), .notFound)
    expect(refusal(.put, nil, own), .methodNotAllowed)
  }

  /// Status of the answer to a body that is too large.
  private func refusal(
    _ method: HTTPMethod, _ path: String?, _ headers: HTTPHeaders
  ) -> HTTPStatus? {
    page.refusal(ofLargeBody: request(method, path, headers, []))?.message.status
  }

  @Test func `the cookie is for the address as it was typed`() async {
    for path in [token.path, token.path.lowercased()] {
      let page = PhotoReceiver(token, at: Self.host, language: .english) { _ in }
      let visit = request(.get, path, ["Host": Self.host], [])

      let cookie = await page.response(to: visit).message.headers["Set-Cookie"]

      #expect(cookie?.contains("Path=\(path);") == true)
    }
  }

  @Test func `one device cannot take all connections`() {
    #expect(PhotoReceiver.limits.connectionsOfAddress < PhotoReceiver.limits.connections)
  }

  @Test func `what is no photo, or too much, is refused in one sentence`() async {
    let cookie = await open()
    let large = Self.jpeg + [UInt8](repeating: 0, count: UploadLimits.photoBytes)

    expect(await post([("a.txt", [1, 2, 3])], cookie: cookie).message.status.rawValue, 415)
    expect(await post([("", [])], cookie: cookie).message.status, .badRequest)
    expect(await send(.post, cookie: cookie, body: [1]).message.status, .badRequest)
    expect(await post([("a.jpg", large)], cookie: cookie).message.status, .contentTooLarge)
    let many = Array(repeating: ("a.jpg", Self.jpeg), count: 11)
    expect(await post(many, cookie: cookie).message.status, .contentTooLarge)
    expect(seen, [.visited])
    let ten = Array(repeating: ("a.jpg", Self.jpeg), count: 10)
    expect(await post(ten, cookie: cookie).message.status, .ok)
    expect(await post([("a.jpg", Self.jpeg)], cookie: cookie).message.status, .contentTooLarge)
  }

  @Test func `a name of a file is text, and has no folder`() async {
    let cookie = await open()

    let answer = await post(
      [("../../<script>alert(1)</script>.jpg", Self.jpeg)], cookie: cookie)

    #expect(!String(decoding: answer.message.body, as: UTF8.self).contains("<script>alert"))
    guard case .photo(_, let photo) = seen.last else { return #expect(Bool(false)) }
    expect(photo.name, "script>.jpg")
  }

  @Test func `progress is told once for each percent, and ends with the request`() {
    let trace = TraceID(
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
    let upload = request(.post, token.path + "?name=wheel.jpg", [:], [])

    if let trace {
      for count in [1, 2, 10, 10] { page.didReceive(count, of: 1_000, as: trace, upload) }
      page.didEnd(trace)
      page.didEnd(trace)
    }

    expect(
      seen,
      [
        .progress(upload: 0, name: "wheel.jpg", percent: 0),
        .progress(upload: 0, name: "wheel.jpg", percent: 1), .ended(upload: 0),
      ])
  }
}
