import Expectations
import Glibc
import HTTPTestSupport
import MarketModel
import MarketServer
import MarketStore
import StoreCore
import TestSupport
import Testing

/// What the manual tells people to type.
struct ManualTests {
  @Test func `the commands by hand do what they say when they are pasted`() throws {
    let folder = try TemporaryFolder()
    let server = try ServerProgram(store: folder.path(of: "market.sqlite"))
    // A stream has no end.
    let script = try Self.commands(under: "## By hand", of: "API").split(separator: "\n")
      .filter { !$0.contains("event-stream") }.joined(separator: "\n")
      .replacing("127.0.0.1:8080", with: "127.0.0.1:\(server.client.port)")

    let shell = try ChildProcess("/bin/sh", arguments: ["-euc", script])
    var lines: [String] = []
    while let line = try shell.readLine() { lines.append(line) }

    try expect(shell.wait(), 0)
    let words = [
      "\"totalCount\":1,", "\"price\":39000,", "\"price\":39000,",
      "{\"page\":1,\"items\":[{\"id\":2,", "\"stock\":0,", "\"title\":\"Trail shoes\"",
      "\"totalIsExact\":true",
    ]
    expect(lines.count, words.count)
    for (line, word) in zip(lines, words) { #expect(line.contains(word)) }
    try expect(server.terminate(), 0)
  }

  @Test func `the commands for whoever runs a market do what they say while it is served`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "market.sqlite")
    let server = try ServerProgram(store: path)
    let store = try await SQLiteStore.open(
      at: path, pictureProcessor: PassThroughPictureProcessor(),
      options: SQLiteStore.Options(passwordCost: .least))
    for _ in 1...2 { _ = try await store.register(.sample()) }
    let programs = try ChildProcess.path(of: "market").dropLast("/market".count)
    let script = try Self.commands(under: "## Moderation: operator commands", of: "SERVING")
      .replacing("./market.sqlite", with: path)

    let shell = try ChildProcess(
      "/bin/sh",
      arguments: [
        "-euc",
        "export PATH=\(programs):$PATH LANG=C.UTF-8 HOME=\(folder.path)\nexec 2>&1\n" + script,
      ])
    var lines: [String] = []
    while let line = try shell.readLine() { lines.append(line) }

    try expect(shell.wait(), 0)
    let words = [
      " operator seller-set 6 ok", "Hana is seller 6", " operator seller-block 6 ok",
      "Blocked Hana (seller 6)", " operator seller-unblock 6 ok", "Unblocked Hana (seller 6)",
      " operator password-set 1 ok", "Product 1 has a new password: Bicycle",
      " operator remove 1 ok", " operator remove 2 ok", "Deleted product 1: Bicycle",
      "Deleted product 2: Bicycle",
    ]
    expect(lines.count, words.count)
    for (line, word) in zip(lines, words) { #expect(line.contains(word)) }
    #expect(try await store.page(PageRequest()).products.isEmpty)
    try expect(server.terminate(), 0)
  }

  @Test(.enabled(if: access(nginx, X_OK) == 0, "nginx is not installed: apt install nginx-light"))
  func `nginx with the manual's log leaves the word that deletes out of it`() async throws {
    let folder = try TemporaryFolder()
    let port = try ReservedPort()
    let log = try Self.blocks(under: "## HTTPS: behind a proxy", of: "SERVING").first {
      $0.hasPrefix("nginx\nmap ")
    }
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(folder.path)/\($0);" }.joined(separator: " ")
    let text = """
      daemon off; master_process off; pid \(folder.path)/pid; error_log /dev/stdout notice;
      events { }
      http {
        error_log /dev/null; \(temporary)
        \(try #require(log).dropFirst("nginx".count))
        server { listen \(port.address); access_log \(folder.path(of: "log")) market; return 204; }
      }
      """
    try FileContent(bytes: Array(text.utf8)).write(to: folder.path(of: "conf"))
    let proxy = try ChildProcess(
      Self.nginx, arguments: ["-p", folder.path, "-c", folder.path(of: "conf")])
    // It listens before it says how it will wait for events.
    while let line = try proxy.readLine(), !line.contains("event method") {}
    let client = RawClient(port: try #require(HostAndPort(port.address)).port)

    for target in [
      "/api/products/7/pw", "/api/products/7/p%2Fw%0A", "//API/products/7//pw",
      "/%61pi/products/7/pw", "/api/products/7/pw?x=1", "/api/products/pw", "/api/products/7",
      "/api/products?page_no=1",
    ] {
      _ = try await client.exchange(
        "DELETE \(target) HTTP/1.1\nHost: localhost\nConnection: close\n\n")
    }
    proxy.kill()

    let lines = String(decoding: try FileContent(of: folder.path(of: "log")).bytes, as: UTF8.self)
      .split(separator: "\n").map { String($0.split(separator: " ")[3]) }
    expect(
      lines,
      Array(repeating: "/api/products/*/*", count: 5) + [
        "/api/products/*", "/api/products/7", "/api/products?page_no=1",
      ])
  }

  private static let nginx = "/usr/sbin/nginx"

  /// The shell's commands of a chapter, one after the other.
  private static func commands(under heading: String, of page: String) throws -> String {
    try blocks(under: heading, of: page).filter { $0.hasPrefix("sh\n") }
      .map { String($0.drop { $0 != "\n" }) }.joined(separator: "\n")
  }

  /// What stands between three backquotes in a chapter, after the word of its language.
  private static func blocks(under heading: String, of page: String) throws -> [String] {
    let file = try FileContent(of: "Documentation/\(page).md")
    let text = String(decoding: file.bytes, as: UTF8.self)
    let chapter = try #require(text.split(separator: heading + "\n").last)
      .split(separator: "\n## ")[0]
    let pieces = chapter.split(separator: "```", omittingEmptySubsequences: false)
    return pieces.indices.filter { !$0.isMultiple(of: 2) }.map { String(pieces[$0]) }
  }
}
