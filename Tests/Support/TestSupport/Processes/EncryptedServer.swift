/// OpenSSL's own server on this machine, which answers `/page` and redirects `/away`.
package final class EncryptedServer {
  private let folder: TemporaryFolder
  private let process: ChildProcess
  private let port: String

  /// - Parameter name: what the certificate is for, as OpenSSL spells alternative names.
  /// - Throws: where OpenSSL does not do it.
  package init(named name: String) throws {
    let folder = try TemporaryFolder()
    let request = try ChildProcess(
      "/usr/bin/openssl",
      arguments: [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "2", "-subj", "/CN=market", "-addext", "subjectAltName=\(name)",
        "-keyout", folder.path(of: "key.pem"), "-out", folder.path(of: "certificate.pem"),
      ])
    guard try request.wait() == 0 else {
      throw UnexpectedError(description: "OpenSSL makes no certificate")
    }
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
    var line = try process.readLine()
    while let text = line, !text.hasPrefix("ACCEPT ") { line = try process.readLine() }
    guard let port = line?.split(separator: ":").last.map(String.init) else {
      throw UnexpectedError(description: "OpenSSL does not listen")
    }
    self.port = port
    self.folder = folder
  }

  package var address: String { "https://127.0.0.1:\(port)" }

  /// File of its self-signed certificate.
  package var certificate: String { folder.path(of: "certificate.pem") }
}
