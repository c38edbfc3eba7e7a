import CommandKit
import Expectations
import Glibc
import MarketServer
import MarketStore
import SQLiteKit
import SafeTextKit
import StoreCore
import TestSupport
import Testing

@testable import market_server

struct ConfigurationCheckTests {
  private func findings(
    _ folder: borrowing TemporaryFolder, _ more: String = "--listen 127.0.0.1:0"
  ) async throws -> [String] {
    let words = ["--check-config", "--store", folder.path(of: "market.sqlite")]
    let options = try ServerCommands.table.parse(
      words + more.split(separator: " ").map(String.init)
    )
    .values
    return await ConfigurationCheck(options, of: try options.location()).findings().map {
      "\($0.kind): \($0.sentence.string)"
    }
  }

  @Test func `a market that is not there yet would be made, and is not`() async throws {
    let folder = try TemporaryFolder()

    let findings = try await findings(folder)

    let path = folder.path(of: "market.sqlite")
    expect(findings.count, 4)
    expect(findings[0], "fine: \(path) has no market yet; the server creates it")
    expect(findings[1], "fine: 127.0.0.1:0 is free")
    #expect(access(path, F_OK) != 0)
  }

  @Test func `a market in order can be read and written`() async throws {
    let folder = try TemporaryFolder()
    try await Self.make(folder.path(of: "market.sqlite"))

    let findings = try await findings(folder)

    #expect(findings[0].hasPrefix("fine: ") && findings[0].contains("can be read and written"))
  }

  @Test(arguments: [
    ("PRAGMA user_version = 14", "wrong: ", "before version 1.0"),
    ("PRAGMA user_version = 999", "wrong: ", "newer"),
    ("PRAGMA application_id = 7", "wrong: ", "not an OpenMarket file"),
  ])
  func `a market of another version is told before anything is changed`(
    statement: String, kind: String, words: String
  ) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "market.sqlite")
    try await Self.make(path)
    try SQLiteConnection(opening: path, .init()).execute(statement)
    let before = try FileContent(of: path).bytes

    let findings = try await findings(folder)

    #expect(findings[0].hasPrefix(kind) && findings[0].contains(words), "\(findings[0])")
    try expect(FileContent(of: path).bytes, before)
  }

  @Test func `an address that a server has is noted, and one that nobody can have is wrong`()
    async throws
  {
    let folder = try TemporaryFolder()
    let taken = try ListeningSocket(on: HostAndPort(host: "127.0.0.1", port: 0))
    let address = "\(taken.address)"

    let findings = try await findings(folder, "--listen \(address) --metrics 192.0.2.1:9100")
    Self.end(taken)

    expect(findings[1], "note: \(address) is in use now, perhaps by a running server")
    #expect(findings[2].hasPrefix("wrong: Cannot listen at 192.0.2.1:9100: "))
  }

  @Test func `one address cannot serve both`() async throws {
    let folder = try TemporaryFolder()

    let findings = try await findings(folder, "--listen 127.0.0.1:1 --metrics 127.0.0.1:1")

    #expect(findings[2].hasPrefix("wrong: 127.0.0.1:1 cannot be the address of both"))
  }

  @Test func `pictures are in order where their folder is there`() async throws {
    let folder = try TemporaryFolder()
    mkdir(folder.path(of: "pictures"), 0o700)

    let findings = try await findings(
      folder, "--listen 127.0.0.1:0 --pictures \(folder.path(of: "pictures"))")

    #expect(findings[1].hasPrefix("fine: ") && findings[1].contains("pictures"))
    expect(rmdir(folder.path(of: "pictures")), 0)
  }

  @Test func `a folder that is not there and a bucket that cannot be asked are told`() async throws
  {
    let folder = try TemporaryFolder()
    // A server goes on without what does not answer, and does not begin without keys.
    let places = [
      ("note: ", folder.path(of: "none")), ("wrong: ", "s3://pictures?endpoint=http://127.0.0.1:1"),
    ]

    for (kind, location) in places {
      let findings = try await findings(folder, "--listen 127.0.0.1:0 --pictures \(location)")

      #expect(findings[1].hasPrefix(kind), "\(findings[1])")
    }
  }

  @Test(.enabled(if: geteuid() != 0, "whoever may write everywhere is never refused"))
  func `a folder of pictures that cannot be written to is told`() async throws {
    let folder = try TemporaryFolder()
    mkdir(folder.path(of: "pictures"), 0o500)

    let findings = try await findings(
      folder, "--listen 127.0.0.1:0 --pictures \(folder.path(of: "pictures"))")

    #expect(findings[1].hasPrefix("note: ") && findings[1].contains("Permission denied"))
  }

  @Test(arguments: ["s3://..", "s3://a/../b", "s3://", "ftp://a"])
  func `an address that is no bucket's is refused`(address: String) async throws {
    let folder = try TemporaryFolder()

    await #expect(throws: (any Error).self) {
      try await self.findings(folder, "--pictures \(address)")
    }
  }

  /// Options and variables, where `DIR` is a folder with files of all kinds and `PORT` a port that is free.
  @Test(arguments: [
    "--store DIR/new", "--store DIR/market", "--store DIR/./market", "--store DIR/market/",
    "--store DIR/market/.", "--store DIR/none/../market", "--store DIR/folder/../new",
    "--store DIR/none/new", "--store DIR/new/", "--store DIR/folder", "--store DIR/pipe",
    "--store DIR/text", "--store DIR/empty", "--store DIR/byte", "--store DIR/link",
    "--store DIR/dangling", "--store DIR/loop", "--store /dev/null", "--store :memory:x/y",
    "--store-file DIR/text", "--store-file DIR/none",
    "--read-replica postgresql://127.0.0.1:1/none",
    "--store postgresql://127.0.0.1:1/none --startup-timeout 0", "--store host=x",
    "--listen 127.0.0.1:PORT --metrics 127.0.0.1:PORT",
    "--listen 0.0.0.0:PORT --metrics 127.0.0.1:PORT",
    "--listen 127.0.0.1:PORT --metrics 0.0.0.0:PORT",
    "--listen 127.0.0.1:PORT --metrics localhost:PORT",
    "--listen 127.0.0.1:PORT --metrics 127.0.0.2:PORT", "--metrics 127.0.0.1:0",
    "--metrics 192.0.2.1:1",
    "--listen 192.0.2.1:1", "--listen nowhere.invalid:1",
    "--pictures DIR/folder", "--pictures DIR/none", "--pictures DIR/text", "--pictures ftp://a",
    "--pictures s3://a?endpoint=http://127.0.0.1:1", "--pictures s3://a --picture-redirects",
    "--pictures DIR/folder --picture-redirects", "--picture-redirects",
    "MARKET_PICTURES=DIR/folder", "MARKET_PICTURES=DIR/none", "MARKET_PICTURES=ftp://a",
    "MARKET_PICTURES=s3://", "MARKET_PICTURES=ftp://a --pictures DIR/folder", "MARKET_PICTURES=",
    "MARKET_PICTURES=DIR/folder --picture-redirects",
    "XDG_DATA_HOME=DIR/folder --pictures DIR/none",
    "XDG_DATA_HOME=DIR/text", "XDG_DATA_HOME=/dev/null",
  ])
  func `what the check accepts, the start accepts, and nothing else`(_ words: String) async throws {
    let folder = try TemporaryFolder()
    try await Self.make(folder.path(of: "market"))
    mkdir(folder.path(of: "folder"), 0o700)
    mkfifo(folder.path(of: "pipe"), 0o600)
    for (name, text) in [("text", "hello"), ("empty", ""), ("byte", "x")] {
      try FileContent(bytes: Array(text.utf8)).write(to: folder.path(of: name))
    }
    for (name, target) in [("link", "market"), ("dangling", "nowhere"), ("loop", "loop")] {
      symlink(target, folder.path(of: name))
    }
    let free = try ListeningSocket(on: HostAndPort(host: "127.0.0.1", port: 0))
    let port = "\(free.address.port)"
    Self.end(free)
    var words = words.replacing("DIR", with: folder.path).replacing("PORT", with: port)
    if !words.contains("--listen") { words += " --listen 127.0.0.1:0" }
    if !words.contains("--store"), !words.contains("XDG_DATA_HOME") {
      words += " --store \(folder.path(of: "market"))"
    }

    let check = try Self.program(words + " --check-config")
    while try check.readLine() != nil {}
    let checked = try #require(try check.wait())
    let start = try Self.program(words)
    var isServed = false
    while !isServed, let line = try start.readLine() { isServed = line.hasPrefix("listening on ") }
    // A server that serves has reported it, and does not end by itself.
    if isServed { start.kill() }
    let started = try start.wait()

    expect(isServed, checked == 0)
    #expect(isServed || started == checked)
  }

  /// A server with options, after variables of its environment.
  private static func program(_ words: String) throws -> ChildProcess {
    let words = words.split(separator: " ").map(String.init)
    let variables = words.filter {
      $0.prefix { $0 != "=" }.allSatisfy { $0.isUppercase || $0 == "_" } && $0.contains("=")
    }
    return try ChildProcess(
      "/usr/bin/env",
      arguments: variables + [try ChildProcess.path(of: "market-server")]
        + words.filter { !variables.contains($0) })
  }

  @Test func `the program says a line each, and fails where starting would`() throws {
    let folder = try TemporaryFolder()
    let store = folder.path(of: "market.sqlite")

    let fine = try ChildProcess(
      "market-server", arguments: ["--check-config", "--listen", "127.0.0.1:0", "--store", store])
    let wrong = try ChildProcess(
      "market-server",
      arguments: ["--check-config", "--listen", "127.0.0.1:0", "--store", "/none/market.sqlite"])

    try expect(fine.readLine()?.hasPrefix("ok: "), true)
    try expect(wrong.readLine()?.hasPrefix("wrong: "), true)
    try expect(fine.wait(), 0)
    try expect(wrong.wait(), 1)
  }

  private static func end(_ socket: consuming ListeningSocket) {}

  private static func make(_ path: String) async throws {
    let store = try await SQLiteStore.open(
      at: path, pictureProcessor: PassThroughPictureProcessor(),
      options: SQLiteStore.Options(createsFile: true))
    await store.close()
  }
}
