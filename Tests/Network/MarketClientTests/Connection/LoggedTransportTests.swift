import Expectations
import MarketAPI
import MarketClient
import MarketModel
import Synchronization
import Testing

struct LoggedTransportTests {
  private func lines(
    asking method: HTTPMethod, _ address: String, _ answer: @escaping FakeTransport.Answer
  ) async throws -> [String] {
    let lines = Mutex<[String]>([])
    let transport = LoggedTransport(
      FakeTransport(answer), log: EventLog { line in lines.withLock { $0.append(line) } })
    let address = try #require(WebAddress(address))
    _ = try? await transport.answer(
      to: HTTPHop(
        method: method, address: address, headers: ["identifier": "mine"],
        body: Array("password".utf8), limits: .json))
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
