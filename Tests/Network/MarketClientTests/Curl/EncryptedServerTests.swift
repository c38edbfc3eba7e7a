import Expectations
import MarketAPI
import MarketClient
import MarketModel
import TestSupport
import Testing

/// Encrypted connections to a server whose certificate the test makes.
struct EncryptedServerTests {
  @Test func `a server with a certificate of a trusted authority is believed`() async throws {
    let server = try EncryptedServer(named: "IP:127.0.0.1")

    let answer = try await server.connection(trusting: server.certificate)
      .answer(to: HTTPRequest(.get, "/page"))

    expect(answer.body, Array("OK".utf8))
  }

  @Test func `a server that vouches for itself alone is not`() async throws {
    let server = try EncryptedServer(named: "IP:127.0.0.1")

    await #expect(throws: TransportError.insecure) {
      try await server.connection(trusting: nil).answer(to: HTTPRequest(.get, "/page"))
    }
  }

  @Test(arguments: ["DNS:market.example", "IP:127.0.0.2"])
  func `a certificate of another name is not believed`(_ name: String) async throws {
    let server = try EncryptedServer(named: name)

    await #expect(throws: TransportError.insecure) {
      try await server.connection(trusting: server.certificate)
        .answer(to: HTTPRequest(.get, "/page"))
    }
  }

  @Test func `authorities that cannot be read let nobody pass`() async throws {
    let server = try EncryptedServer(named: "IP:127.0.0.1")

    await #expect(throws: TransportError.insecure) {
      try await server.connection(trusting: "/nowhere.pem").answer(to: HTTPRequest(.get, "/page"))
    }
  }

  @Test func `a redirect out of encryption is not followed`() async throws {
    let server = try EncryptedServer(named: "IP:127.0.0.1")

    await #expect(throws: TransportError.redirectUnencrypted) {
      try await server.connection(trusting: server.certificate)
        .answer(to: HTTPRequest(.get, "/away"))
    }
  }
}

extension EncryptedServer {
  fileprivate func connection(trusting authorities: String?) throws -> ServerConnection {
    ServerConnection(
      to: try #require(WebAddress(address)), over: CurlTransport(authorities: authorities))
  }
}
