import Expectations
import MarketAPI
import MarketModel
import TestSupport
import Testing

@testable import MarketServer

struct MetricsTests {
  private let registry = MetricsRegistry()

  private func metrics() -> ServerMetrics {
    ServerMetrics(registry, RequestLog(), version: "1.2")
  }

  @Test func `requests are counted by route, method and status`() throws {
    let metrics = metrics()
    metrics.record(.connected)
    metrics.record(.finished(.sample(.get, "/api/products/7?x=/y")))
    metrics.record(.finished(.sample(.get, "/api/products/8")))
    metrics.record(.finished(.sample(HTTPMethod(rawValue: "X\"Y"), "/none/such")))

    let lines = try lines(of: metrics)

    let route = "route=\"/api/products/*\",method=\"GET\""
    #expect(lines.contains("market_requests_total{\(route),status=\"200\"} 2"))
    #expect(
      lines.contains("market_requests_total{route=\"other\",method=\"other\",status=\"200\"} 1"))
    #expect(lines.contains("market_request_seconds_bucket{\(route),le=\"0.0003\"} 0"))
    #expect(lines.contains("market_request_seconds_bucket{\(route),le=\"0.0005\"} 2"))
    #expect(lines.contains("market_request_seconds_bucket{\(route),le=\"+Inf\"} 2"))
    #expect(lines.contains("market_request_seconds_count{\(route)} 2"))
    #expect(lines.contains("market_sent_bytes_total{route=\"/api/products/*\"} 24"))
    #expect(lines.contains("market_connections 1"))
    #expect(lines.contains("market_build_info{version=\"1.2\"} 1"))
  }

  @Test(arguments: [
    ("/", "/"), ("/?q=a/b", "/"), ("", "other"), ("products/1", "other"),
    ("/API/Products", "/api/products"), ("//api//products/", "/api/products"),
    ("/api/products/1/secret", "/api/products/*/secret"),
    ("/api/products/1/a-key", "/api/products/*/*"), ("/api/products/1/2/3", "other"),
    ("/pictures/ab", "/pictures/*"), ("/pictures/ab/thumbnail", "/pictures/*/thumbnail"),
    ("/items/1#x", "/items/*"), ("/item", "/item"), ("/it", "other"), ("/metrics", "/metrics"),
  ])
  func `paths fall under as many routes as there are`(target: String, route: String) {
    expect(MetricRoute.label(at: MetricRoute.index(of: target)), route)
  }

  @Test func `what watched says nothing of how long requests take`() throws {
    let metrics = metrics()
    var watch = FinishedRequest.sample(.get, "/api/changes")
    watch.isWatch = true
    metrics.record(.finished(watch))

    let lines = try lines(of: metrics)

    #expect(lines.contains { $0.hasPrefix("market_requests_total{route=\"/api/changes\"") })
    #expect(!lines.contains { $0.hasPrefix("market_request_seconds") })
  }

  @Test func `what others count is told beside it, each metric with its kind`() throws {
    registry.counter(.repeats, "pages", "conflict").add(3)
    registry.counter(.repeats, "pages", "conflict").add(1)
    registry.timer(.queryTime, "se\"ar\\ch\n").note(since: .now)
    registry.gauge(.poolWaiting, "pages") { 0.5 }

    let lines = try lines(of: metrics())

    #expect(lines.contains("# TYPE market_transaction_retries_total counter"))
    #expect(
      lines.contains("market_transaction_retries_total{pool=\"pages\",reason=\"conflict\"} 4"))
    #expect(lines.contains("market_query_seconds_count{kind=\"se\\\"ar\\\\ch\\n\"} 1"))
    #expect(lines.contains("market_pool_waiting{pool=\"pages\"} 0.5"))
    expect(lines.filter { $0.hasPrefix("# TYPE process_") }.count, 5)
    expect(Set(lines).count, lines.count)
  }

  @Test func `bounds are close enough that a quantile is known within two thirds`() {
    for (low, high) in zip(DurationHistogram.bounds, DurationHistogram.bounds.dropFirst()) {
      #expect(high > low && high / low < 1.7)
    }
  }

  @Test(arguments: [
    (MetricsResponder.Audience.local, "127.0.0.1", true), (.local, "::1", true),
    (.local, "127.1.2.3", true), (.local, "192.0.2.1", false), (.local, "::12", false),
    (.everybody, "192.0.2.1", true), (.nobody, "127.0.0.1", false),
  ])
  func `strangers are told that there is nothing`(
    audience: MetricsResponder.Audience, address: String, isTold: Bool
  ) async {
    let responder = MetricsResponder(metrics(), for: audience, before: NotFoundResponder())
    let request = ServerRequest(.get, "/metrics", from: RemoteClient(address: address))

    let status = responder.immediateResponse(to: request)?.message.status

    expect(status, isTold ? .ok : .notFound)
  }

  @Test func `what the market is asked is measured by kinds, and what is remembered by outcome`()
    async throws
  {
    let market = try await ServedStore(registry: registry)
    _ = try await market.store.register(.sample(password: "right"))

    for target in ["/api/products", "/api/products", "/api/products?search_value=a"] {
      await expect(market.send(.get, target).status, .ok)
    }

    expect(registry.timer(.queryTime, "first_page").counts.counts.reduce(0, +), 1)
    expect(registry.timer(.queryTime, "search").counts.counts.reduce(0, +), 1)
    expect(registry.counter(.remembered, "answers", "hit").count, 1)
    expect(registry.counter(.remembered, "answers", "miss").count, 2)
  }

  private func lines(of metrics: ServerMetrics) throws -> [Substring] {
    let responder = MetricsResponder(metrics, for: .everybody, before: NotFoundResponder())
    let request = ServerRequest(.get, "/metrics", from: RemoteClient(address: "192.0.2.1"))
    return try #require(responder.immediateResponse(to: request)).message.text.split(
      separator: "\n")
  }
}

extension FinishedRequest {
  fileprivate static func sample(_ method: HTTPMethod, _ target: String) -> FinishedRequest {
    FinishedRequest(
      client: RemoteClient(address: "192.0.2.1"), method: method, target: target, status: .ok,
      byteCount: 12, nanoseconds: 345_678)
  }
}
