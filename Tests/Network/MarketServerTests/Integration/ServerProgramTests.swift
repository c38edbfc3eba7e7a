import Expectations
import Glibc
import HTTPTestSupport
import MarketAPI
import MarketModel
import MarketServer
import MarketStore
import StoreCore
import TestSupport
import Testing

struct ServerProgramTests {
  private static let products = ProductsDialect(variant: .y2023)
  private static let seller = Author.seller(SellerIdentifier(secret: "a-seller"))

  @Test func `a server that is killed keeps what it acknowledged, and nothing by halves`()
    async throws
  {
    let folder = try TemporaryFolder()
    let store = folder.path(of: "market.sqlite")
    let picture = try FileContent(of: "Tests/Fixtures/Pictures/baseline.jpg").bytes
    let program = try ServerProgram(store: store)
    let client = program.client

    // A hundred at a time: when the fortieth answer is seen, not all can have been given.
    let acknowledged = await withTaskGroup(of: String?.self) { group in
      var names: Set<String> = []
      var waiting = (1...200).makeIterator()
      let registerNext = { (group: inout TaskGroup<String?>, number: Int) in
        group.addTask { try? await Self.register("Lamp \(number)", picture, by: client) }
      }
      for _ in 1...100 {
        if let number = waiting.next() { registerNext(&group, number) }
      }
      while let name = await group.next() {
        if let name, names.insert(name).inserted, names.count == 40 { program.kill() }
        if let number = waiting.next() { registerNext(&group, number) }
      }
      return names
    }

    #expect(acknowledged.count >= 40 && acknowledged.count < 200)
    let left = try await SQLiteStore.open(
      at: store, pictureProcessor: PassThroughPictureProcessor(),
      options: SQLiteStore.Options())
    let listed = try await left.page(PageRequest(size: 1_000)).products
    #expect(acknowledged.isSubset(of: listed.map(\.name)))
    for product in listed {
      let detail = try await left.detail(of: product.id)
      expect(detail.description, "As good as new.")
      let kept = try #require(detail.pictures.first)
      expect(PictureFormat(sniffing: try await left.bytes(of: kept, .original)), .jpeg)
      #expect(PictureFormat(sniffing: try await left.bytes(of: kept, .thumbnail)) != nil)
      try await left.verify(Password("secret"), for: product.id, by: Self.seller)
    }
  }

  @Test func `a server that is asked to end says so by 0`() async throws {
    let folder = try TemporaryFolder()
    let program = try ServerProgram(store: folder.path(of: "market.sqlite"))

    let answer = try await program.client.exchange(
      "GET /healthChecker HTTP/1.1\nHost: localhost\nConnection: close\n\n")

    #expect(answer.hasSuffix("\"OK\""))
    try expect(program.terminate(), 0)
  }

  @Test func `a market keeps its name until another one is given, and loses it by an empty one`()
    async throws
  {
    let folder = try TemporaryFolder()
    let store = folder.path(of: "market.sqlite")
    var titles: [Substring] = []

    for arguments in [["--name", "벼룩시장"], [], ["--name", ""], []] {
      let program = try ServerProgram(store: store, arguments: arguments)
      let page = try await program.client.exchange(
        "GET / HTTP/1.1\nHost: a.example\nAccept: text/html\nConnection: close\n\n")
      titles.append(try #require(page.firstMatch(of: /<title>(.*)<\/title>/)?.output.1))
      try expect(program.terminate(), 0)
    }

    expect(
      titles,
      ["OpenMarket · 벼룩시장", "OpenMarket · 벼룩시장"]
        + Array(repeating: "OpenMarket · a.example", count: 2))
  }

  @Test func `a server that has ended leaves one file with all that it was told`() async throws {
    let folder = try TemporaryFolder()
    let store = folder.path(of: "market.sqlite")
    let picture = try FileContent(of: "Tests/Fixtures/Pictures/baseline.jpg").bytes
    let program = try ServerProgram(store: store)
    let registered = try await Self.register("Lamp 1", picture, by: program.client)
    expect(registered, "Lamp 1")

    try expect(program.terminate(), 0)

    #expect(access(store + "-wal", F_OK) != 0 && access(store + "-shm", F_OK) != 0)
    try FileContent(of: store).write(to: folder.path(of: "copy.sqlite"))
    let copy = try await SQLiteStore.open(
      at: folder.path(of: "copy.sqlite"), pictureProcessor: PassThroughPictureProcessor(),
      options: SQLiteStore.Options())
    try await expect(copy.page(PageRequest()).products.map(\.name), ["Lamp 1"])
  }

  @Test func `watchers that talk or leave, one way or another, cost no descriptor`() async throws {
    let folder = try TemporaryFolder()
    let program = try ServerProgram(store: folder.path(of: "market.sqlite"))
    let port = program.client.port
    let stay = try await Self.watcher(of: port)
    let before = try #require(program.descriptorCount)

    for round in 0..<40 {
      let watcher = try await Self.watcher(of: port)
      switch round % 4 {
      case 0: watcher.send("GET / HTTP/1.1\r\n\r\n")
      case 1: watcher.send([UInt8](repeating: 0, count: 100_000))
      case 2: watcher.endSending()
      default: watcher.send("\r\n")
      }
      // The server has ended it when this returns.
      _ = await watcher.answer()
    }

    expect(program.descriptorCount, before)
    // It may have been told that nothing has happened.
    #expect(!stay.isEnded)
    try expect(program.terminate(), 0)
  }

  /// A connection that has been greeted as a watcher's.
  private static func watcher(of port: UInt16) async throws -> RawConnection {
    let watcher = try RawConnection(to: port)
    watcher.send("GET /api/changes HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n")
    let hello = await watcher.text(upTo: "data: {}\n\n\r\n")
    try #require(hello.hasSuffix("data: {}\n\n\r\n"))
    return watcher
  }

  @Test func `a server that ran out of descriptors rests while newcomers wait`() throws {
    let folder = try TemporaryFolder()
    let program = try ServerProgram(store: folder.path(of: "market.sqlite"), descriptors: 40)
    let clients = try (1...120).map { _ in try RawConnection(to: program.client.port) }
    let before = try #require(program.processorTicks)

    #expect(clients[119].isSilent(milliseconds: 1_000))

    let after = try #require(program.processorTicks)
    #expect(after - before < sysconf(Int32(_SC_CLK_TCK)) / 4)
    try expect(program.terminate(), 0)
  }

  @Test func `a server that ran out of descriptors answers as soon as clients have left`()
    async throws
  {
    let folder = try TemporaryFolder()
    let program = try ServerProgram(store: folder.path(of: "market.sqlite"), descriptors: 40)
    let clock = ContinuousClock()
    var clients: [RawConnection] = []
    for _ in 1...120 {
      let client = try RawConnection(to: program.client.port)
      client.send("GET /heal")
      clients.append(client)
    }

    let left = clock.now
    clients = []
    let answer = try await program.client.exchange(
      "GET /healthChecker HTTP/1.1\nHost: localhost\nConnection: close\n\n")

    #expect(answer.hasSuffix("\"OK\""))
    #expect(clock.now - left < .seconds(5))
    try expect(program.terminate(), 0)
  }

  @Test func `two servers of one file see each other's products`() async throws {
    let folder = try TemporaryFolder()
    let picture = try FileContent(of: "Tests/Fixtures/Pictures/baseline.jpg").bytes
    let one = try ServerProgram(store: folder.path(of: "market.sqlite"))
    let other = try ServerProgram(store: folder.path(of: "market.sqlite"))
    let page = "GET /api/products HTTP/1.1\nHost: localhost\nConnection: close\n\n"
    _ = try await other.client.exchange(page)

    _ = try await Self.register("Lamp 1", picture, by: one.client)

    #expect(try await other.client.exchange(page).contains("Lamp 1"))
    #expect(try one.terminate() == 0 && other.terminate() == 0)
  }

  @Test(arguments: [
    ["--listen", "8080"], ["--api", "2021"], ["--port=1"], ["--store"], ["here"],
    ["--check", "https://market.example"], ["--check=8080"], ["--quota", "0"], ["--quota=2X"],
    ["--quota", "99999999999T"], ["--rate", "-1"],
    ["--rate", "many"],
    ["admin", "delete"], ["admin", "delete", "x"], ["seller"], ["admin", "seller"],
    ["admin", "seller", "block"], ["admin", "seller", "block", "1", "2"],
    ["admin", "seller", "set", "--id", "0"], ["admin", "delete", "1", "--id", "2"],
  ])
  func `a mistake in the command line is told by 2`(_ words: [String]) throws {
    let program = try ChildProcess("market-server", arguments: words)

    try expect(program.wait(), 2)
  }

  @Test func `a check finds out whether a market answers`() throws {
    let folder = try TemporaryFolder()
    let server = try ServerProgram(store: folder.path(of: "market.sqlite"))
    let address = "127.0.0.1:\(server.client.port)"
    let ways = [
      ["--check", "http://" + address], ["--check=" + address], ["--listen", address, "--check"],
      ["--check", "--listen", address],
    ]

    for way in ways {
      try expect(ChildProcess("market-server", arguments: way).wait(), 0)
    }
    try expect(server.terminate(), 0)
    for way in ways {
      try expect(ChildProcess("market-server", arguments: way).wait(), 1)
    }
  }

  @Test func `a check is not content with any server`() throws {
    let other = try ScriptedServer { _, _ in [.answer(200, "<html>")] }

    try expect(ChildProcess("market-server", arguments: ["--check", other.base]).wait(), 1)
  }

  @Test func `a check does not wait for an answer that comes byte by byte`() throws {
    let other = try ScriptedServer { _, _ in
      [.trickle(String(repeating: "HTTP/1.1 200 OK\r\n", count: 100), everyMilliseconds: 100)]
    }
    let start = ContinuousClock.now

    try expect(ChildProcess("market-server", arguments: ["--check", other.base]).wait(), 1)
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test func `a seller that an operator blocks is refused over HTTP until it is unblocked`()
    async throws
  {
    let folder = try TemporaryFolder()
    let store = folder.path(of: "market.sqlite")
    let picture = try FileContent(of: "Tests/Fixtures/Pictures/baseline.jpg").bytes
    let program = try ServerProgram(store: store)
    _ = try await Self.register("Lamp", picture, by: program.client)
    func operate(_ word: String) throws -> Int32? {
      try ChildProcess(
        "market-server", arguments: ["admin", "seller", word, "1", "--store", store]
      ).wait()
    }

    try expect(operate("block"), 0)
    try await expect(Self.register("Cup", picture, by: program.client), nil)
    for request in [
      "PATCH /api/products/1", "POST /api/products/1/archived", "PATCH /api/sellers/me",
      "DELETE /api/products/1/secret",
    ] {
      try await expect(Self.status(of: request, by: program.client), "403 blocked", "\(request)")
    }
    for request in ["PATCH /item/1", "DELETE /item/1"] {
      try await expect(Self.status(of: request, by: program.client), "400 blocked", "\(request)")
    }
    try expect(operate("unblock"), 0)
    try await expect(Self.status(of: "PATCH /api/products/1", by: program.client), "202")
    try await expect(Self.status(of: "DELETE /api/products/1/secret", by: program.client), "200")
    try expect(program.terminate(), 0)
  }

  /// The status of a request by the seller, and whether the answer says that it is blocked.
  private static func status(of request: String, by client: RawClient) async throws -> String {
    let body = #"{"secret":"secret","password":"secret","stock":1,"name":"Hana"}"#
    let answer = try await client.exchange(
      """
      \(request) HTTP/1.1
      Host: localhost
      Connection: close
      identifier: a-seller
      Content-Length: \(body.utf8.count)

      \(body)
      """)
    let isBlocked = answer.contains("This market takes nothing from this seller")
    return answer.split(separator: " ")[1] + (isBlocked ? " blocked" : "")
  }

  /// Registers a product; the name where the server acknowledged it.
  private static func register(
    _ name: String, _ picture: [UInt8], by client: RawClient
  ) async throws -> String? {
    let operation = MarketOperation.register(
      .sample(name: name, pictures: [picture]), seller, IdempotencyKey(rawValue: name))
    let request = try products.request(for: operation)
    let headers = request.headers.map { "\($0.name): \($0.value)\n" }.joined()
    let answer = try await client.exchange(
      """
      POST \(request.target.text) HTTP/1.1
      Host: localhost
      Connection: close
      Content-Length: \(request.body.count)
      \(headers)

      """, body: request.body)
    return answer.hasPrefix("HTTP/1.1 201 ") ? name : nil
  }
}
