import Expectations
import MarketStrings
import PostgresTestSupport
import TestSupport
import Testing

@testable import market_server

/// The server program on a database, as operators start it.
@Suite(.cluster) struct DatabaseServingTests {
  /// Runs a script of the shell in which `$bin` is the folder of the programs that were built, with
  /// what they complain about beside what they say.
  private func shell(_ script: String) throws -> ChildProcess {
    let folder = #"bin=$(dirname "$(readlink "/proc/$PPID/exe")"); exec 2>&1; "#
    return try ChildProcess("/bin/sh", arguments: ["-c", folder + script])
  }

  /// All that a program says until it ends, and what it ends with.
  private func outcome(of script: String) throws -> (lines: [String], status: Int32?) {
    let program = try shell(script)
    var lines: [String] = []
    while let line = try program.readLine() { lines.append(line) }
    return (lines, try program.wait())
  }

  @Test func `the lines of the manual make a database that is served`() throws {
    let cluster = try TestCluster(superuser: "postgres")
    let file = try FileContent(of: "Documentation/POSTGRES.md")
    let text = String(decoding: file.bytes, as: UTF8.self)
    let chapter = try #require(text.split(separator: "## Set up\n").last)
    let block = try #require(chapter.split(separator: "```sh\n").dropFirst().first)
      .split(separator: "```")[0]
    let start = "market serve --store postgresql://openmarket@db.example/market\n"
    #expect(block.hasSuffix(start))
    let commands = block.replacing(
      start,
      with: """
        unset PGUSER
        exec "$bin/market-server" --listen 127.0.0.1:0 \
        --store "postgresql://openmarket@/market?host=$PGHOST"
        """)

    let server = try shell("set -e; export PGHOST=\(cluster.folder) PGUSER=postgres\n" + commands)
    let line = try server.readLine()

    expect(line?.hasPrefix("listening on http://"), true, "\(line ?? "")")
    let address = String(line?.dropFirst("listening on ".count) ?? "")
    let check = try outcome(of: "exec $bin/market-server --check \(address)")
    expect(check.lines, ["A market responds at \(address)"])
    expect(check.status, 0)
    try expect(server.terminate(), 0)
  }

  @Test func `a server that starts before its database waits for it, and says so once`() throws {
    let cluster = try TestCluster()
    let address = try cluster.emptySchema()
    try cluster.stop()

    let server = try shell("exec $bin/market-server --listen 127.0.0.1:0 --store '\(address)'")
    let first = try server.readLine()
    try cluster.start()
    let second = try server.readLine()

    expect(first?.hasPrefix("market-server: Waiting up to 60 seconds for the database: "), true)
    expect(second?.hasPrefix("listening on "), true, "\(second ?? "")")
    try expect(server.terminate(), 0)
  }

  @Test func `a server that waits for its database ends when it is asked to`() throws {
    let folder = try TemporaryFolder()
    let server = try shell(
      "exec $bin/market-server --listen 127.0.0.1:0 --store 'postgresql://m@/m?host=\(folder.path)'"
    )
    _ = try server.readLine()

    try expect(server.terminate(), 0)
  }

  @Test func `what waiting does not help against ends the program at once`() throws {
    let cluster = try TestCluster()
    _ = try cluster.database("latin", "ENCODING LATIN1 LOCALE 'C' TEMPLATE template0")
    let host = "host=\(cluster.folder)"
    let cases = [
      ("postgresql://market@/none?" + host, #"database "none" does not exist"#),
      ("postgresql://nobody@/postgres?" + host, #"role "nobody" does not exist"#),
      ("postgresql://market@/latin?" + host, "This database uses the encoding LATIN1"),
    ]

    for (address, words) in cases {
      let outcome = try outcome(
        of: "exec $bin/market-server --listen 127.0.0.1:0 --store '\(address)'")

      expect(outcome.status, 1)
      expect(outcome.lines.count, 1)
      expect(outcome.lines.first?.contains(words), true, "\(outcome.lines)")
    }
  }

  @Test(arguments: [
    "market-server --store", "market serve --store", "market export - --store",
    "market-server --language ko --store",
  ])
  func `neither a password nor libpq's other form is taken from the arguments`(
    command: String
  ) throws {
    let folder = try TemporaryFolder()
    let prefix = "cd \(folder.path); HOME=$PWD exec $bin/"

    for address in [
      "host=127.0.0.1 port=1", "dbname=market", " user = market",
      "postgresql://market:s3cr3t@127.0.0.1:1/market",
      "postgresql://market@127.0.0.1:1/market?password=s3cr3t",
      "postgresql://market@127.0.0.1:1/market?pass%77ord=s3cr3t",
      "POSTGRES://market:s3cr3t@127.0.0.1:1/market",
    ] {
      let outcome = try outcome(of: prefix + "\(command) '\(address)'")

      expect(outcome.status, 2, "\(address): \(outcome.lines)")
      let text = outcome.lines.joined()
      let advice = address.contains("s3cr3t") ? "~/.pgpass" : "postgresql://USER@HOST"
      #expect(text.contains(advice), "\(text)")
      #expect(!text.contains("s3cr3t"))
    }
    #expect(try outcome(of: "ls -A \(folder.path)").lines.isEmpty)
  }

  @Test func `a private file holds the address, and others are refused`() throws {
    let cluster = try TestCluster()
    let folder = try TemporaryFolder()
    let path = folder.path(of: "address")
    let address = try cluster.emptySchema().replacing("market@", with: "market:s3cr3t@")
    try FileContent(bytes: Array((address + "\n").utf8)).write(to: path)
    let start = "$bin/market-server --listen 127.0.0.1:0 --store-file \(path)"

    let open = try outcome(of: "chmod 640 \(path); exec \(start)")
    let server = try shell("chmod 600 \(path); exec \(start)")
    let line = try server.readLine()
    let exported = try outcome(
      of: "HOME=\(folder.path) exec $bin/market export - --store-file \(path)")
    let missing = try outcome(of: "exec $bin/market-server --store-file \(path).none")
    let both = try outcome(of: "exec \(start) --store x")

    #expect(open.status == 2 && open.lines.first?.contains("chmod 600") == true)
    expect(line?.hasPrefix("listening on "), true)
    try expect(server.terminate(), 0)
    expect(exported.status, 0, "\(exported.lines)")
    #expect(missing.status == 2 && both.status == 2)
  }

  @Test func `the list of processes shows no password that was allowed in the arguments`() throws {
    let cluster = try TestCluster()
    let address = try cluster.emptySchema().replacing("market@", with: "market:s3cr3t@")

    let server = try shell(
      """
      echo $$; exec $bin/market serve --listen 127.0.0.1:0 --insecure-password-in-arguments \
        --store '\(address)'
      """)
    let number = try #require(try server.readLine())
    let line = try server.readLine()
    let words = try outcome(of: "tr '\\0' ' ' </proc/\(number)/cmdline; echo")

    expect(line?.hasPrefix("listening on "), true, "\(line ?? "")")
    expect(words.lines.first?.contains("market-server"), true)
    expect(words.lines.first?.contains("s3cr3t"), false)
    try expect(server.terminate(), 0)
  }

  @Test func `each request that the database failed has its reason in the log`() throws {
    let cluster = try TestCluster()
    let server = try shell(
      "exec $bin/market-server --listen 127.0.0.1:0 --store '\(try cluster.emptySchema())'")
    let address = try #require(try server.readLine()).dropFirst("listening on ".count)
    try cluster.stop()

    let ready = try outcome(of: "curl -s -w ' %{http_code}\n' \(address)/ready")
    let live = try outcome(of: "curl -s \(address)/live")
    let health = try outcome(of: "curl -s \(address)/healthChecker; echo")
    let check = try outcome(of: "exec $bin/market-server --check \(address)")
    let lines = try [server.readLine(), server.readLine()].compactMap(\.self)

    expect(ready.lines, ["The store does not answer", " 503"])
    #expect(live.lines == ["alive"] && health.lines == ["\"OK\""])
    #expect(check.status == 1 && check.lines.first?.contains("cannot serve now") == true)
    #expect(lines[0].contains(" 503 ") && lines[0].contains("connection to server"))
    #expect(lines[1].contains(" /live 200 "))
    try expect(server.terminate(), 0)
  }

  @Test func `a read store of another market is refused, and a silent one is not needed`() throws {
    let cluster = try TestCluster()
    let (store, other) = (try cluster.emptySchema(), try cluster.emptySchema())
    let start = "$bin/market-server --listen 127.0.0.1:0 --store"
    for address in [store, other] {
      try expect(outcome(of: "exec $bin/market export - --store '\(address)' | wc -l").status, 0)
    }
    func check(_ reads: String) throws -> (lines: [String], status: Int32?) {
      try outcome(of: "exec \(start) '\(store)' --check-config --read-replica '\(reads)'")
    }

    let same = try check(store)
    let refused = try check(other)
    let silent = try check("postgresql://market@/none?host=\(cluster.folder)")
    let started = try outcome(of: "exec \(start) '\(store)' --read-replica '\(other)'")
    let server = try shell(
      "exec \(start) '\(store)' --read-replica 'postgresql://market@/none?host=\(cluster.folder)'")
    let lines = [try server.readLine(), try server.readLine()]

    let following = "ok: the read replica is following"
    #expect(same.status == 0 && same.lines.contains { $0.hasPrefix(following) })
    let sentence =
      "--read-replica holds another market; name a replica of the database in --store"
    #expect(refused.status == 1 && refused.lines.contains("wrong: " + sentence))
    #expect(silent.status == 0 && silent.lines.contains { $0.contains("reading from the primary") })
    #expect(started.status == 1 && started.lines == ["market-server: " + sentence])
    expect(lines[0]?.contains("reading from the primary"), true)
    expect(lines[1]?.hasPrefix("listening on "), true)
    try expect(server.terminate(), 0)
  }

  @Test func `a read store is a database beside a database, whose password nobody sees`() throws {
    let folder = try TemporaryFolder()
    let start = "cd \(folder.path); HOME=$PWD exec $bin/market-server --check-config"
    let database = "--store postgresql://market@127.0.0.1:1/market"

    for (words, advice) in [
      ("--store x.sqlite --read-replica postgresql://a@127.0.0.1:1/b", "--read-replica takes"),
      (database + " --read-replica y.sqlite", "--read-replica takes"),
      (database + " --read-replica 'host=a dbname=b'", "postgresql://USER@HOST"),
      (database + " --read-replica postgresql://market:s3cr3t@127.0.0.1:1/market", "~/.pgpass"),
      (
        database + " --read-replica postgresql://a@b/c --read-replica-file x", "--read-replica-file"
      ),
    ] {
      let outcome = try outcome(of: start + " " + words)

      let text = outcome.lines.joined()
      #expect(outcome.status == 2 && text.contains(advice) && !text.contains("s3cr3t"), "\(text)")
    }
  }
}
