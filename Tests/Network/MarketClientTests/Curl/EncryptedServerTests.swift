import MarketAPI
import MarketClient
import TestSupport
import Testing

/// Encrypted connections to a server whose certificate the test makes.
@Suite(.timeLimit(.minutes(1))) struct EncryptedServerTests {
  @Test func `a server with a certificate of a trusted authority is believed`() async throws {
    let server = try EncryptedServer(named: "IP:127.0.0.1")

    let answer = try await server.connection(trusting: server.certificate)
      .answer(to: HTTPRequest(.get, "/page"))

    #expect(answer.body == Array("OK".utf8))
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

    await #expect(throws: TransportError.insecure) {
      try await server.connection(trusting: server.certificate)
        .answer(to: HTTPRequest(.get, "/away"))
    }
  }
}

/// OpenSSL's own server on this machine, which answers `/page` and redirects `/away`.
private final class EncryptedServer {
  private let folder: TemporaryFolder
  private let process: ChildProcess
  private let port: String

  /// - Parameter name: what the certificate is for, as OpenSSL spells alternative names.
  /// - Throws: where OpenSSL does not do it.
  init(named name: String) throws {
    let folder = try TemporaryFolder()
    let request = try ChildProcess(
      "/usr/bin/openssl",
      arguments: [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "2", "-subj", "/CN=market", "-addext", "subjectAltName=\(name)",
        "-keyout", folder.path(of: "key.pem"), "-out", folder.path(of: "certificate.pem"),
      ])
    try #require(request.wait() == 0)
    try FileContent(bytes: Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK".utf8))
      .write(to: folder.path(of: "page"))
    try FileContent(
      bytes: Array("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n".utf8)
    ).write(to: folder.path(of: "away"))
    process = try ChildProcess(
      "/usr/bin/env",
      arguments: [
        "--chdir=" + folder.path(of: "."), "openssl", "s_server", "-accept", "127.0.0.1:0",
        "-cert", "certificate.pem", "-key", "key.pem", "-HTTP",
      ])
    var line = process.readLine()
    while let text = line, !text.hasPrefix("ACCEPT ") { line = process.readLine() }
    port = try #require(line?.split(separator: ":").last.map(String.init))
    self.folder = folder
  }

  var certificate: String { folder.path(of: "certificate.pem") }

  func connection(trusting authorities: String?) throws -> ServerConnection {
    ServerConnection(
      to: try #require(WebAddress("https://127.0.0.1:\(port)")),
      over: CurlTransport(authorities: authorities))
  }
}
