import MarketAPI
import MarketModel
import MarketServer
import Synchronization
import TestSupport

/// A server of a log in memory, and what it tells.
struct WatchedServer {
  let log: InMemoryChangeLog
  let server: HTTPServer
  let events = WatchEvents()

  init(
    _ log: InMemoryChangeLog = InMemoryChangeLog(), trustsProxy: Bool = false,
    clock: any Clock<Duration> = ContinuousClock(),
    _ change: (inout ServerLimits) -> Void = { _ in }
  ) throws {
    self.log = log
    var limits = ServerLimits()
    change(&limits)
    let events = events
    server = try HTTPServer(
      on: ListeningSocket(on: HostAndPort(host: "127.0.0.1", port: 0)),
      answering: ChangesResponder(ChangeBroadcaster(log, on: clock), before: EchoResponder()),
      limits: limits,
      trustsProxy: trustsProxy
    ) { events.record($0) }
  }

  /// Returns when a last change was told.
  func settle(with id: Int64) async throws {
    let watcher = try watcher()
    _ = await watcher.text(upTo: "data: {}\n\n\r\n")
    log.append(products: [id])
    _ = await watcher.text(upTo: "\"vendor_id\":7}\n\n\r\n")
  }

  var port: UInt16 { server.address.port }

  /// A connection that has asked for a stream.
  func watcher(
    after cursor: ChangeCursor? = nil, from source: UInt32 = 1, version: String = "1.1",
    headers: String = ""
  ) throws -> RawConnection {
    let connection = try RawConnection(to: port, from: source)
    let query = cursor.map { "?after=\($0.rawValue)" } ?? ""
    connection.send(
      "GET /api/changes\(query) HTTP/\(version)\r\nHost: a\r\nAccept: text/event-stream\r\n"
        + headers + "\r\n")
    return connection
  }
}

/// Events of a server that a test waits for.
final class WatchEvents: Sendable {
  private let all = Mutex<[ServerEvent]>([])
  private let stream = AsyncStream.makeStream(of: ServerEvent.self)

  func record(_ event: ServerEvent) {
    all.withLock { $0.append(event) }
    stream.continuation.yield(event)
  }

  /// Waits for the next event that meets the condition, among those that no earlier call has taken.
  @discardableResult
  func next(where isWanted: (ServerEvent) -> Bool) async -> ServerEvent? {
    for await event in stream.stream where isWanted(event) { return event }
    return nil
  }

  /// Whether there was such an event.
  func has(_ event: ServerEvent) -> Bool { all.withLock { $0.contains(event) } }

  /// Records of requests that are over.
  var finished: [FinishedRequest] {
    all.withLock { $0 }.compactMap { if case .finished(let request) = $0 { request } else { nil } }
  }
}

extension String {
  /// The content of chunks, and whether the last one came.
  var dechunked: (content: String, isWhole: Bool) {
    var rest = Array(utf8)[...]
    var content: [UInt8] = []
    while let end = rest.firstIndex(of: 0x0D),
      let size = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16)
    {
      rest = rest[(end + 2)...]
      guard size > 0 else { return (String(decoding: content, as: UTF8.self), true) }
      content += rest.prefix(size)
      rest = rest.dropFirst(size + 2)
    }
    return (String(decoding: content, as: UTF8.self), false)
  }

  /// Numbers of the products in a stream of events.
  var productIDs: [Int64] {
    split(separator: #"data: {"id":"#).dropFirst().compactMap { piece in
      Int64(piece.prefix { $0.isNumber })
    }
  }
}
