import Expectations
import Glibc
import MarketAPI
import MarketModel
import MarketServer
import TestSupport
import Testing

/// What machines are told of a server with a market file.
struct HealthTests {
  @Test func `a market that can be read and written is ready`() async throws {
    let market = try await ServedStore()
    let health = HealthResponder(
      market.store, writing: WriteHealth(of: market.store, registry: MetricsRegistry()),
      before: EchoResponder())

    await expect(Self.ask(health, "/ready").text, "ready\n")
    await expect(Self.ask(health, "/live?now").text, "alive\n")
    #expect(await Self.ask(health, "/readyness").text.hasPrefix("GET /readyness"))
  }

  @Test func `a market file that is gone is not ready, and its server lives`() async throws {
    let market = try await ServedStore()
    let health = HealthResponder(
      market.store, writing: WriteHealth(of: market.store, registry: MetricsRegistry()),
      before: EchoResponder())
    _ = await Self.ask(health, "/ready")

    unlink(market.folder.path(of: "market.sqlite"))
    let ready = await Self.ask(health, "/ready")

    expect(ready.status, .serviceUnavailable)
    expect(ready.headers[HeaderName.retryAfter], "1")
    expect(ready.text, "The store does not answer\n")
    await expect(Self.ask(health, "/live").status, .ok)
  }

  @Test func `a store without room is ready for reads alone, until a small write finds some`()
    async throws
  {
    let clock = ManualClock()
    let registry = MetricsRegistry()
    let market = try await ServedStore()
    let writes = WriteHealth(of: market.store, registry: registry, clock: clock)
    let health = HealthResponder(market.store, writing: writes, before: EchoResponder())
    func isFull() -> Bool {
      registry.samples().contains {
        if $0.metric == .storeFull, case .number(1) = $0.value { true } else { false }
      }
    }

    writes.didWrite(.store(.diskFull))
    let full = await Self.ask(health, "/ready")
    let reads = await Self.ask(health, "/ready?reads")
    writes.didWrite(.notFound)
    let before = isFull()
    try await clock.sleeps(of: WriteHealth.pause).next().answer(())
    while !writes.hasRoom { await Task.yield() }

    #expect(full.status == .serviceUnavailable && full.text == "The store has no room left\n")
    #expect(reads.text == "ready\n" && before && !isFull())
    await expect(Self.ask(health, "/ready").status, .ok)
  }

  @Test func `a read-only market is ready for reads alone`() async throws {
    let market = try await ServedStore()
    let health = HealthResponder(
      market.store, writing: WriteHealth(of: market.store, registry: MetricsRegistry()),
      before: EchoResponder())
    chmod(market.folder.path(of: "market.sqlite"), 0o400)

    // Root may write what nobody may.
    if geteuid() != 0 {
      await expect(Self.ask(health, "/ready").text, "The store is read-only\n")
    }
    await expect(Self.ask(health, "/ready?reads").text, "ready\n")
  }

  private static func ask(_ health: HealthResponder, _ target: String) async -> HTTPResponse {
    let request = ServerRequest(.get, target, from: RemoteClient(address: "192.0.2.1"))
    if let known = health.immediateResponse(to: request) { return known.message }
    return await health.response(to: request).message
  }
}
