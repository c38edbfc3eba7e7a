import MarketServer

/// Connections that come and go at a server, as a test waits for them.
struct ConnectionEvents: Sendable {
  private let disconnections = AsyncStream.makeStream(of: Void.self)

  /// What the server tells.
  func observe(_ event: ServerEvent) {
    if event == .disconnected { disconnections.continuation.yield() }
  }

  /// Returns when so many connections are over.
  func disconnected(_ count: Int) async {
    guard count > 0 else { return }
    var seen = 0
    for await _ in disconnections.stream {
      seen += 1
      if seen == count { return }
    }
  }
}
