import Expectations
import MarketAPI
import MarketModel
import MarketViewModels
import TestSupport
import Testing

@testable import market

/// `market-server receive-photos`, started as the program does.
struct ReceivePhotosTests {
  private static let photo: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array("not decoded here".utf8)

  /// Open page, and the next of its events.
  private final class Page {
    let reception: PhotoReception
    var events: AsyncStream<ReceiverEvent>.Iterator
    private(set) var path = ""
    private(set) var client = RawClient(port: 0)

    init() {
      let loopback = LocalAddress(host: "127.0.0.1", interface: "lo", isLikely: false)
      reception = LocalPhotoReceiver(port: 0).open(.local(loopback))
      events = reception.events.makeAsyncIterator()
    }

    deinit { reception.close() }

    func open() async throws {
      guard case .opened(let address, let port?)? = await events.next() else {
        throw UnexpectedError(description: "the page was not opened")
      }
      path = String(address.dropFirst("HTTP://127.0.0.1:\(port)".count))
      client = RawClient(port: port)
    }

    /// Head of a request, with its last empty line.
    func head(_ method: String, _ fields: String...) -> String {
      let host = "Host: 127.0.0.1:\(client.port)"
      return (["\(method) \(path) HTTP/1.1", host, "Connection: close"] + fields + ["", ""])
        .joined(separator: "\n")
    }

    /// Opens the page as a browser and returns its cookie.
    func visit() async throws -> String {
      let answer = try await client.exchange(head("GET"))
      let line = answer.split(separator: "\r\n").first { $0.hasPrefix("Set-Cookie: ") }
      return String((line ?? "").dropFirst("Set-Cookie: ".count).prefix { $0 != ";" })
    }

    func form(_ cookie: String, names: String...) -> (head: String, body: [UInt8]) {
      let form = MultipartForm(
        parts: names.map { MultipartPart(name: "photos", filename: $0, bytes: photo) }
      ).encoded()
      let head = head(
        "POST", "Cookie: \(cookie)", "Content-Type: \(form.contentType)",
        "Content-Length: \(form.body.count)")
      return (head, form.body)
    }
  }

  @Test func `a photo goes through to the form, and the page says so`() async throws {
    let page = Page()
    try await page.open()
    let cookie = try await page.visit()
    expect(await page.events.next(), .visited)
    let form = page.form(cookie, names: "bike.jpg")

    let client = page.client
    async let answer = client.exchange(form.head, body: form.body)
    var photos: [UploadedPhoto] = []
    while photos.isEmpty, let event = await page.events.next() {
      if case .photo(let number, let photo) = event {
        photos.append(photo)
        page.reception.send(.took(photo: number, true))
      }
    }

    expect(photos, [UploadedPhoto(name: "bike.jpg", bytes: Self.photo)])
    #expect(try await answer.contains("bike.jpg</bdi> <b>✓ in the form"))
  }

  @Test func `when its input closes it is gone with its port`() async throws {
    let page = Page()
    try await page.open()

    page.reception.close()
    while await page.events.next() != nil {}

    await #expect(throws: UnexpectedError.self) { try await page.client.exchange(page.head("GET")) }
  }

  @Test func `a telephone that goes away half-way loses its photo alone`() async throws {
    let page = Page()
    try await page.open()
    let cookie = try await page.visit()
    let lost = page.form(cookie, names: "lost.jpg")
    let kept = page.form(cookie, names: "kept.jpg")

    let connection = try RawConnection(to: page.client.port)
    connection.send(lost.head.replacing("\n", with: "\r\n"))
    connection.send(Array(lost.body.dropLast(40)))
    connection.reset()
    let client = page.client
    async let answer = client.exchange(kept.head, body: kept.body)
    var names: [String] = []
    while names.isEmpty, let event = await page.events.next() {
      if case .photo(let number, let photo) = event {
        names.append(photo.name)
        page.reception.send(.took(photo: number, true))
      }
    }

    expect(names, ["kept.jpg"])
    #expect(try await answer.contains("kept.jpg"))
  }

  @Test func `a body without the cookie is refused before it is read`() async throws {
    let page = Page()
    try await page.open()
    let head = page.head("POST", "Content-Length: 50000000")

    let answer = try await page.client.exchange(head)

    #expect(answer.hasPrefix("HTTP/1.1 403 "))
  }

  @Test func `nothing else starts it`() throws {
    let program = try ChildProcess("market-server", arguments: ["receive-photos"])

    expect(try program.wait(), 2)
  }
}
