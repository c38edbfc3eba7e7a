import Expectations
import Glibc
import MarketAPI
import MarketServer
import TestSupport
import Testing

/// What machines are told of a server with a market file.
struct HealthTests {
  @Test func `a market that can be read and written is ready`() async throws {
    let market = try await ServedStore()
    let health = HealthResponder(market.store, before: EchoResponder())

    await expect(Self.ask(health, "/ready").text, "ready\n")
    await expect(Self.ask(health, "/live?now").text, "alive\n")
    #expect(await Self.ask(health, "/readyness").text.hasPrefix("GET /readyness"))
  }

  @Test func `a market file that is gone is not ready, and its server lives`() async throws {
    let market = try await ServedStore()
    let health = HealthResponder(market.store, before: EchoResponder())
    _ = await Self.ask(health, "/ready")

    unlink(market.folder.path(of: "market.sqlite"))
    let ready = await Self.ask(health, "/ready")

    expect(ready.status, .serviceUnavailable)
    expect(ready.headers[HeaderName.retryAfter], "1")
    expect(ready.text, "The store does not answer\n")
    await expect(Self.ask(health, "/live").status, .ok)
  }

  private static func ask(_ health: HealthResponder, _ target: String) async -> HTTPResponse {
    let request = ServerRequest(.get, target, from: RemoteClient(address: "192.0.2.1"))
    if let known = health.immediateResponse(to: request) { return known.message }
    return await health.response(to: request).message
  }
}
