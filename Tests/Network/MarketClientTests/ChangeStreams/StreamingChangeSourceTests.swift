import Expectations
import HTTPTestSupport
import MarketAPI
import MarketClient
import MarketModel
import Synchronization
import TestSupport
import Testing

/// Changes of a server as our client follows them, over real sockets.
struct StreamingChangeSourceTests {
  private static let head =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
  private static let hello = "id: p0\nevent: hello\ndata: {}\n\n"

  private static func event(_ id: Int64, at cursor: String?) -> String {
    (cursor.map { "id: \($0)\n" } ?? "")
      + "event: product\ndata: {\"id\":\(id),\"kind\":\"changed\",\"version\":\"v\(id)\","
      + "\"vendor_id\":7}\n\n"
  }

  private func source(
    _ server: ScriptedServer, _ change: (inout StreamingChangeSource.Timing) -> Void = { _ in }
  ) throws -> StreamingChangeSource {
    var timing = StreamingChangeSource.Timing()
    timing.spread = .zero
    timing.pollPause = .milliseconds(10)
    change(&timing)
    let connection = ServerConnection(
      to: try #require(WebAddress(server.base)), over: CurlTransport())
    return StreamingChangeSource(over: connection, timing: timing)
  }

  private func news(
    _ count: Int, of source: StreamingChangeSource, after cursor: ChangeCursor? = nil
  ) async -> [ChangeEvent] {
    var all: [ChangeEvent] = []
    for await news in source.news(after: cursor) {
      all.append(news)
      if all.count == count { break }
    }
    return all
  }

  private func batch(_ ids: [Int64], at cursor: String, isReset: Bool = false) -> ChangeEvent {
    .changes(
      ChangeBatch(
        changes: ids.map { .sample($0) }, cursor: ChangeCursor(rawValue: cursor), isReset: isReset))
  }

  @Test func `events become batches, each with its place`() async throws {
    let server = try ScriptedServer { _, _ in
      [
        .send(
          Self.head + Self.hello + Self.event(1, at: nil) + Self.event(2, at: "p2") + ":\n\n"
            + Self.event(3, at: "p3")), .stall,
      ]
    }

    let news = await news(3, of: try source(server))

    expect(
      news,
      [.watching(ChangeCursor(rawValue: "p0")), batch([1, 2], at: "p2"), batch([3], at: "p3")])
    expect(server.requests.first?.headers["accept"], "text/event-stream")
  }

  @Test func `after a loss it goes on from the last place, and what had none is told once`()
    async throws
  {
    let server = try ScriptedServer { request, count in
      count == 0
        ? [
          .send(Self.head + Self.hello + Self.event(1, at: "p1") + Self.event(2, at: nil)), .close,
        ]
        : [.send(Self.head + Self.event(2, at: nil) + Self.event(3, at: "p3")), .stall]
    }

    let news = await news(3, of: try source(server))

    expect(
      news,
      [.watching(ChangeCursor(rawValue: "p0")), batch([1], at: "p1"), batch([2, 3], at: "p3")])
    expect(server.requests.last?.headers["last-event-id"], "p1")
  }

  @Test func `a reset is told with its place`() async throws {
    let server = try ScriptedServer { _, _ in
      [.send(Self.head + "id: p9\nevent: reset\ndata: {}\n\n"), .stall]
    }

    let news = await news(2, of: try source(server), after: ChangeCursor(rawValue: "p1"))

    expect(news, [.watching(ChangeCursor(rawValue: "p1")), batch([], at: "p9", isReset: true)])
  }

  @Test func `where a proxy holds the stream back it polls`() async throws {
    let server = try ScriptedServer { request, _ in
      if request.headers["accept"] == "text/event-stream" { return [.stall] }
      let isFirst = !request.target.contains("after=")
      let changes = isFirst ? [] : [MarketChange.sample(1)]
      let cursor = ChangeCursor(rawValue: isFirst ? "p0" : "p1")
      return [
        .answer(
          200,
          bytes: ChangeCoding.answer(ChangeBatch(changes: changes, cursor: cursor)).body)
      ]
    }

    let news = await news(2, of: try source(server) { $0.first = .milliseconds(200) })

    expect(news, [.watching(ChangeCursor(rawValue: "p0")), batch([1], at: "p1")])
  }

  @Test func `a stream that falls silent is lost`() async throws {
    let server = try ScriptedServer { _, _ in [.send(Self.head + Self.hello), .stall] }

    let news = await news(9, of: try source(server) { $0.silence = .milliseconds(200) })

    expect(news.last, .lost(.unreachable(.timedOut)))
  }

  @Test func `a server that ends each stream at once is lost, not asked for ever`() async throws {
    let server = try ScriptedServer { _, _ in [.send(Self.head + Self.hello), .close] }

    let news = await news(9, of: try source(server))

    expect(news, [.watching(ChangeCursor(rawValue: "p0")), .lost(.unreachable(.disconnected))])
    expect(server.requests.count, 3)
  }

  @Test(arguments: [
    (
      503, ["Retry-After": "7"], RepositoryError.badAnswer(.busy(status: 503, retryAfterSeconds: 7))
    ),
    (404, [:], .unsupported), (500, [:], .badAnswer(.status(500))),
  ])
  func `a refusal is told`(
    status: Int, headers: [String: String], error: RepositoryError
  ) async throws {
    let server = try ScriptedServer { _, _ in [.answer(status, "no", headers: headers)] }

    await expect(news(9, of: try source(server)), [.lost(error)])
  }

  @Test func `a line without an end makes nothing grow`() async throws {
    let server = try ScriptedServer { _, _ in
      [.send(Self.head + Self.hello + "data: "), .sendForEver("aaaaaaaaaaaaaaaa")]
    }

    let news = await news(9, of: try source(server))

    guard case .lost = news.last else {
      Issue.record("\(news)")
      return
    }
  }

  @Test func `who hears no more leaves the server`() async throws {
    let server = try ScriptedServer { _, _ in
      [.send(Self.head + Self.hello), .sendForEver(":\n\n")]
    }

    let news = await news(1, of: try source(server))

    expect(news, [.watching(ChangeCursor(rawValue: "p0"))])
  }
}

/// Changes of a server that tells none.
struct PollingChangeSourceTests {
  @Test func `the differences of the first page are changes`() async throws {
    let market = GatedProductRepository()
    let clock = ManualClock()
    let changes = PollingChangeSource(of: market, while: UserPresence(), clock: clock)
    let sleeps = clock.sleeps(of: .seconds(30))
    let heard = Task {
      var all: [ChangeEvent] = []
      for await news in changes.news(after: nil) {
        all.append(news)
        if all.count == 2 { break }
      }
      return all
    }

    try await market.pages.next().answer(.sample([5, 4, 3]))
    try await sleeps.next().answer(())
    var later = ProductPage.sample([6, 4, 3])
    later.products[1] = .sample(id: 4, name: "Another name")
    try await market.pages.next().answer(later)

    let told = try #require(await heard.value.last)
    guard case .changes(let batch) = told else {
      Issue.record("\(told)")
      return
    }
    expect(batch.changes.map(\.summary), ["deleted 5", "changed 4", "listed 6"])
  }
}

/// Presence of the user, by focus and keys.
struct UserPresenceTests {
  @Test func `who reports no focus looks for ten minutes after a key`() {
    let now = Mutex(ContinuousClock.now)
    let attention = UserPresence { now.withLock { $0 } }

    #expect(attention.isThere)
    now.withLock { $0 += .seconds(601) }
    #expect(!attention.isThere)
    attention.didPressKey()
    #expect(attention.isThere)
  }

  @Test func `what the terminal says counts more than keys`() async {
    let attention = UserPresence()
    attention.didChangeFocus(to: false)
    attention.didPressKey()
    let isThere = attention.isThere
    async let wait: Void = attention.wait()
    attention.didChangeFocus(to: true)
    await wait

    #expect(!isThere)
    #expect(attention.isThere)
  }
}

extension MarketChange {
  fileprivate var summary: String {
    guard case .product(let product) = self else { return "seller" }
    return "\(product.kind.rawValue) \(product.id.rawValue)"
  }
}
