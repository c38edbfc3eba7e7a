import Expectations
import MarketAPI
import MarketClient
import MarketModel
import Synchronization
import Testing

struct LoggedTransportTests {
  private func lines(
    asking method: HTTPMethod, _ address: String, isEach: Bool = false,
    headers: HTTPHeaders = ["identifier": "mine"], body: String = "password",
    _ answer: @escaping FakeTransport.Answer
  ) async throws -> [String] {
    let lines = Mutex<[String]>([])
    var log = EventLog { line in lines.withLock { $0.append(line) } }
    log.hasRequests = isEach
    let transport = LoggedTransport(FakeTransport(answer), log: log)
    let address = try #require(WebAddress(address))
    _ = try? await transport.answer(
      to: HTTPHop(
        method: method, address: address, headers: headers, body: Array(body.utf8), limits: .json))
    return lines.withLock { $0 }
  }

  @Test func `a status from 400 on is recorded, others are not`() async throws {
    let address = "http://market.example/api/products/12"

    let failed = try await lines(asking: .patch, address) { _, _ in .status(503) }
    let fine = try await lines(asking: .patch, address) { _, _ in .status(304) }

    expect(failed.count, 1)
    expect(failed.first?.hasPrefix("PATCH http://market.example/api/products/12: 503, "), true)
    expect(fine, [])
  }

  @Test func `a request without an answer is recorded, one that was ended is not`() async throws {
    let address = "https://market.example:8443/items/1"

    let refused = try await lines(asking: .get, address) { _, _ throws(TransportError) in
      throw .refused
    }
    let ended = try await lines(asking: .get, address) { _, _ throws(TransportError) in
      throw .cancelled
    }

    expect(refused.first?.hasPrefix("GET https://market.example:8443/items/1: refused, "), true)
    #expect(refused.count == 1 && ended == [])
  }

  @Test func `each request is a line where that is wanted, a form with its parts`() async throws {
    let form = """
      --edge\r\nContent-Disposition: form-data; name="params"\r\nContent-Type: application/json\r
      \r\n{"secret":"hush"}\r\n--edge\r
      Content-Disposition: form-data; name="images"; filename="hush.jpg"\r
      Content-Type: image/jpeg\r\n\r\nhush\r\n--edge--\r\n
      """

    let sent = try await lines(
      asking: .post, "http://market.example/api/products?key=hush", isEach: true,
      headers: [
        "identifier": "hush", "Content-Type": "multipart/form-data; boundary=edge",
      ], body: form
    ) { _, _ in .status(201) }
    let read = try await lines(
      asking: .get, "http://market.example/items/1", isEach: true, body: ""
    ) { _, _ throws(TransportError) in throw .cancelled }

    expect(sent.count, 1)
    expect(
      sent.first?.hasPrefix(
        "POST http://market.example/api/products: 201, sent \(form.utf8.count) bytes "
          + "(params application/json 17, images image/jpeg 4), received 0 bytes, "), true,
      "\(sent)")
    expect(
      read.first?.hasPrefix("GET http://market.example/items/1: cancelled, sent 0 bytes, "), true)
    #expect(!(sent + read).joined().contains("hush"))
  }

  @Test(arguments: [
    ("/api/products/12/6fe1c0d2a9", "/api/products/12/*"),
    ("/api/products/d/NjE3Xw==", "/api/products/d/*"),
    ("/api/products?search_value=secret", "/api/products"),
    ("/healthChecker", "/healthChecker"),
    ("/", "/"),
  ])
  func `queries and what may be a key stay out`(target: String, shown: String) async throws {
    let lines = try await lines(asking: .delete, "http://market.example" + target) { _, _ in
      .status(404)
    }

    expect(lines.first?.hasPrefix("DELETE http://market.example\(shown): 404"), true)
  }
}
