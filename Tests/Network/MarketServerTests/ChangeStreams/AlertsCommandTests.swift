import Expectations
import Glibc
import MarketAPI
import MarketModel
import MarketServer
import TestSupport
import Testing

/// Clients that watch what changes, over real sockets.
struct AlertsCommandTests {
  /// How the chunk ends whose last event tells of a product.
  private static func end(of id: Int64) -> String {
    "\"version\":\"v\(id)\",\"vendor_id\":7}\n\n\r\n"
  }

  @Test(arguments: [true, false])
  func `who watches is greeted and told`(tellsVersion: Bool) async throws {
    let watched = try WatchedServer(InMemoryChangeLog(tellsVersion: tellsVersion))
    let watcher = try watched.watcher()

    let hello = await watcher.text(upTo: "data: {}\n\n\r\n")
    watched.log.append(products: [1])
    let first = await watcher.text(upTo: "}\n\n\r\n")
    watched.log.append(products: [2, 3])
    let second = await watcher.text(upTo: "}\n\n\r\n")

    #expect(hello.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"))
    #expect(hello.contains("\r\nX-Accel-Buffering: no\r\n"))
    #expect(hello.contains("\r\nMarket-Extensions: 1\r\n"))
    #expect(hello.contains("id: p0\nevent: hello\n"))
    #expect(first.contains("id: p1\n") && first.productIDs == [1])
    #expect(second.contains("id: p3\n") && second.productIDs == [2, 3])
    await watched.server.stop(after: 1)
  }

  @Test func `a client of HTTP 1.0 gets the events as they are`() async throws {
    let watched = try WatchedServer()
    let watcher = try watched.watcher(version: "1.0")

    let hello = await watcher.text(upTo: "data: {}\n\n")
    watched.log.append(products: [5])
    let event = await watcher.text(upTo: "}\n\n")

    #expect(!hello.contains("chunked"))
    #expect(hello.hasSuffix("\r\n\r\nid: p0\nevent: hello\ndata: {}\n\n"))
    #expect(event.hasPrefix("id: p1\nevent: product\n"))
    await watched.server.stop(after: 1)
  }

  @Test(arguments: [0, 1, 199, 200, 201, 950])
  func `who comes late is told all and nothing twice`(missed: Int64) async throws {
    let watched = try WatchedServer()
    watched.log.append(products: 1...1_000)
    let cursor = ChangeCursor(rawValue: "p\(1_000 - missed)")

    let watcher = try watched.watcher(after: cursor, headers: "")
    _ = await watcher.text(upTo: "\r\n\r\n")
    watched.log.append(products: [1_001])
    let text = await watcher.text(upTo: Self.end(of: 1_001))

    expect(text.dechunked.content.productIDs, Array((1_001 - missed)...1_001))
    await watched.server.stop(after: 1)
  }

  @Test(arguments: [true, false])
  func `who reconnects while much changes loses nothing and hears nothing twice`(
    tellsVersion: Bool
  ) async throws {
    let watched = try WatchedServer(InMemoryChangeLog(tellsVersion: tellsVersion))
    let last: Int64 = 3_000
    let writer = Task {
      for id in 1...last {
        watched.log.append(products: [id])
        if id % 10 == 0 { await Task.yield() }
      }
    }

    var heard: [Int64] = []
    var cursor = ChangeCursor(rawValue: "p0")
    while heard.last != last, !Task.isCancelled {
      let watcher = try watched.watcher(
        headers: "Last-Event-ID: \(cursor.rawValue)\r\n")
      _ = await watcher.text(upTo: "\r\n\r\n")
      // Some events after some place, which the client keeps; then it goes.
      let text = await watcher.text(upTo: Self.end(of: last), orBytes: 20_000)
      let (events, reached) = text.wholeEvents
      heard += events.productIDs
      // What was cut before its place is asked for again.
      if let reached { cursor = reached }
    }
    await writer.value

    expect(heard, Array(1...last))
    await watched.server.stop(after: 1)
  }

  @Test func `a place that is too old is answered by a reset`() async throws {
    let watched = try WatchedServer()
    watched.log.append(products: 1...10)
    watched.log.forget(allBut: 2)

    let watcher = try watched.watcher(after: ChangeCursor(rawValue: "p3"))
    let text = await watcher.text(upTo: "event: reset\ndata: {}\n\n\r\n")

    #expect(text.contains("id: p10\nevent: reset\n"))
    await watched.server.stop(after: 1)
  }

  @Test func `a silent stream has comments, whatever other limits say`() async throws {
    let watched = try WatchedServer { limits in
      limits.commentSeconds = 1
      limits.idleSeconds = 1
    }
    let watcher = try watched.watcher()
    _ = await watcher.text(upTo: "data: {}\n\n\r\n")

    let comments = await watcher.next(3 * "3\r\n:\n\n\r\n".utf8.count)

    expect(comments, String(repeating: "3\r\n:\n\n\r\n", count: 3))
    await watched.server.stop(after: 1)
  }

  @Test func `a watcher that takes nothing is dropped, and others hear on`() async throws {
    let watched = try WatchedServer()
    let lazy = try watched.watcher()
    _ = await lazy.text(upTo: "data: {}\n\n\r\n")
    let eager = try watched.watcher()
    _ = await eager.text(upTo: "data: {}\n\n\r\n")
    var told = ""
    var count: Int64 = 0

    // No faster than the eager one takes it, so that only the lazy one falls behind.
    while !watched.events.has(.endedWatching(isDropped: true)), count < 30_000, !Task.isCancelled {
      watched.log.append(products: (count + 1)...(count + 150))
      count += 150
      told += await eager.text(upTo: Self.end(of: count))
    }
    watched.log.append(products: [99_999])
    told += await eager.text(upTo: Self.end(of: 99_999))
    await watched.server.stop(after: 10)
    let (content, isWhole) = await (told + eager.answer()).dechunked

    expect(content.productIDs, Array(1...count) + [99_999])
    #expect(isWhole)
    let dropped = try #require(watched.events.finished.first { $0.isWatch })
    expect(dropped.reason, "the client did not take its events")
  }

  @Test(
    arguments: [
      "GET /known HTTP/1.1\r\nHost: a\r\n\r\n", "\r\n", "\0\u{1b}[2J no request",
      String(repeating: "x", count: 200_000),
    ])
  func `a watcher that goes on talking is dropped, and others hear on`(text: String) async throws {
    let watched = try WatchedServer()
    let talker = try watched.watcher()
    _ = await talker.text(upTo: "data: {}\n\n\r\n")
    let quiet = try watched.watcher()
    _ = await quiet.text(upTo: "data: {}\n\n\r\n")

    talker.send(text)
    await watched.events.next { $0 == .disconnected }
    let rest = await talker.answer()
    watched.log.append(products: [7])
    let told = await quiet.text(upTo: Self.end(of: 7))

    expect(rest, "")
    expect(told.productIDs, [7])
    #expect(watched.events.has(.endedWatching(isDropped: true)))
    let dropped = try #require(watched.events.finished.first)
    #expect(dropped.isWatch && dropped.reason == "the client sent more behind its request")
    await watched.server.stop(after: 1)
  }

  @Test func `what comes with the request for a stream is refused with it`() async throws {
    let watched = try WatchedServer()

    let answer = try await RawClient(watched.server).exchange(
      "GET /api/changes HTTP/1.1\nHost: a\nAccept: text/event-stream\n\nGET /known HTTP/1.1\n\n")

    #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("\r\nConnection: close\r\n"))
    #expect(!watched.events.has(.beganWatching))
    await watched.server.stop(after: 1)
  }

  @Test func `a watcher that takes nothing is dropped also when the market rests`() async throws {
    let watched = try WatchedServer { limits in
      limits.commentSeconds = 1
      limits.watcherBytes = 64 << 20
    }
    let lazy = try watched.watcher()
    _ = await lazy.text(upTo: "data: {}\n\n\r\n")

    // More than the system keeps for it, and less than the server would.
    watched.log.append(products: 1...40_000)
    await watched.events.next { $0 == .disconnected }
    let eager = try watched.watcher()
    let hello = await eager.text(upTo: "data: {}\n\n\r\n")

    #expect(hello.contains("id: p40000\nevent: hello\n"))
    #expect(watched.events.has(.endedWatching(isDropped: true)))
    let dropped = try #require(watched.events.finished.first)
    expect(dropped.reason, "the client did not take its events")
    await watched.server.stop(after: 1)
  }

  @Test func `more than may watch are asked to come back`() async throws {
    let watched = try WatchedServer { limits in
      limits.watchers = 3
      limits.watchersOfAddress = 2
    }
    let first = try watched.watcher()
    _ = await first.text(upTo: "data: {}\n\n\r\n")
    let second = try watched.watcher()
    _ = await second.text(upTo: "data: {}\n\n\r\n")

    let third = try await watched.watcher().text(upTo: "\r\n\r\n")
    let stranger = try watched.watcher(from: 2)
    _ = await stranger.text(upTo: "data: {}\n\n\r\n")
    let another = try await watched.watcher(from: 3).text(upTo: "\r\n\r\n")
    let page = try await RawClient(watched.server).exchange("GET /known HTTP/1.0\n\n")
    first.reset()
    await watched.events.next { $0 == .endedWatching(isDropped: false) }
    let again = try await watched.watcher().text(upTo: "\r\n")

    for refused in [third, another] {
      #expect(refused.hasPrefix("HTTP/1.1 503 "))
      #expect(refused.contains("\r\nRetry-After: "))
    }
    #expect(page.hasPrefix("HTTP/1.1 200 "))
    #expect(again.hasPrefix("HTTP/1.1 200 "))
    await watched.server.stop(after: 1)
  }

  @Test func `behind a proxy the client's address counts`() async throws {
    let watched = try WatchedServer(trustsProxy: true) { $0.watchersOfAddress = 1 }

    let first = try watched.watcher(headers: "X-Forwarded-For: 192.0.2.1\r\n")
    let second = try watched.watcher(headers: "X-Forwarded-For: 192.0.2.2\r\n")
    let answers = [await first.text(upTo: "\r\n"), await second.text(upTo: "\r\n")]
    let third = try await watched.watcher(headers: "X-Forwarded-For: 192.0.2.2\r\n")
      .text(upTo: "\r\n")

    #expect(answers.allSatisfy { $0.hasPrefix("HTTP/1.1 200 ") })
    #expect(third.hasPrefix("HTTP/1.1 503 "))
    await watched.server.stop(after: 1)
  }

  @Test func `a server that ends lets watchers go on elsewhere`() async throws {
    let watched = try WatchedServer()
    let watcher = try watched.watcher()
    _ = await watcher.text(upTo: "data: {}\n\n\r\n")
    let poller = try RawConnection(to: watched.port)
    poller.send("GET /api/changes?after=p0&wait=25 HTTP/1.1\r\nHost: a\r\n\r\n")
    await watched.events.next { $0 == .beganWatching }
    await watched.events.next { $0 == .beganWatching }

    await watched.server.stop(after: 10)
    let (end, answer) = (await watcher.answer(), await poller.answer())

    expect(end, "0\r\n\r\n")
    #expect(answer.hasPrefix("HTTP/1.1 200 ") || answer.hasPrefix("HTTP/1.1 503 "))
    expect(watched.events.finished.count(where: \.isWatch), 2)
  }

  @Test func `nobody asks the log while nobody watches`() async throws {
    let clock = ManualClock()
    let watched = try WatchedServer(InMemoryChangeLog(tellsVersion: false), clock: clock)
    let pauses = clock.sleeps(of: .milliseconds(50))
    let watcher = try watched.watcher()
    _ = await watcher.text(upTo: "data: {}\n\n\r\n")
    try await pauses.next().answer(())
    let pause = try await pauses.next()
    let before = watched.log.readings

    watcher.reset()
    await watched.events.next { $0 == .endedWatching(isDropped: false) }
    pause.answer(())
    for _ in 0..<200 { await Task.yield() }

    expect(before, 2)
    expect(watched.log.readings, before)
    expect(pauses.callCount, 2)
    await watched.server.stop(after: 1)
  }
}

/// Clients that ask again and again.
struct PollingTests {
  private func poll(_ query: String, _ watched: WatchedServer) async throws -> String {
    try await RawClient(watched.server).exchange(
      "GET /api/changes\(query) HTTP/1.1\nHost: a\nConnection: close\n\n")
  }

  @Test func `without a place the present one is told at once`() async throws {
    let watched = try WatchedServer()
    watched.log.append(products: [1])

    let answer = try await poll("?wait=25", watched)

    #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.contains("Content-Length: "))
    #expect(answer.hasSuffix(#"{"changes":[],"place":"p1"}"#))
    await watched.server.stop(after: 1)
  }

  @Test func `what is there is told at once, what comes when it comes`() async throws {
    let watched = try WatchedServer()
    watched.log.append(products: 1...3)

    let there = try await poll("?after=p1&wait=25", watched)
    async let coming = poll("?after=p3&wait=25", watched)
    await watched.events.next { $0 == .beganWatching }
    await watched.events.next { $0 == .beganWatching }
    watched.log.append(products: [4])
    let came = try await coming

    #expect(there.hasSuffix(#""place":"p3"}"#) && there.contains(#""id":2"#))
    #expect(came.hasSuffix(#""place":"p4"}"#) && came.contains(#""id":4"#))
    await watched.server.stop(after: 1)
  }

  @Test func `after the wait the answer is empty, and the connection stays`() async throws {
    let watched = try WatchedServer()

    let answers = try await RawClient(watched.server).exchange(
      "GET /api/changes?after=p0&wait=1 HTTP/1.1\nHost: a\n\n"
        + "GET /known HTTP/1.1\nHost: a\nConnection: close\n\n")

    #expect(answers.contains(#"{"changes":[],"place":"p0"}"#))
    #expect(answers.contains("GET /known 0 plain"))
    await watched.server.stop(after: 1)
  }

  @Test(arguments: [
    ("GET", "?wait=99", "400 "), ("GET", "?after=%0A", "400 "), ("POST", "", "405 "),
    ("HEAD", "?wait=25", "200 "),
  ])
  func `what is no such request is refused at once`(
    method: String, query: String, status: String
  ) async throws {
    let watched = try WatchedServer()

    let answer = try await RawClient(watched.server).exchange(
      "\(method) /api/changes\(query) HTTP/1.1\nHost: a\nConnection: close\n\n")

    #expect(answer.hasPrefix("HTTP/1.1 " + status))
    #expect(status != "400 " || answer.contains(query.dropFirst().prefix { $0 != "=" }))
    await watched.server.stop(after: 1)
  }

  @Test func `a log that cannot be read is no reason to wait`() async throws {
    let watched = try WatchedServer()
    watched.log.fail(with: .store(.locked))

    let answer = try await poll("?after=p1&wait=25", watched)

    #expect(answer.hasPrefix("HTTP/1.1 503 ") && answer.contains("Retry-After: "))
    await watched.server.stop(after: 1)
  }
}

extension String {
  /// Events up to the last place that came, and that place.
  fileprivate var wholeEvents: (events: String, cursor: ChangeCursor?) {
    let content = dechunked.content
    guard let line = content.range(of: "\nid: ", last: true),
      let end = content[line.upperBound...].firstRange(of: "\n\n")
    else { return ("", nil) }
    let cursor = content[line.upperBound...].prefix { $0 != "\n" }
    return (String(content[..<end.upperBound]), ChangeCursor(rawValue: String(cursor)))
  }

  private func range(of text: String, last: Bool) -> Range<String.Index>? { ranges(of: text).last }
}
