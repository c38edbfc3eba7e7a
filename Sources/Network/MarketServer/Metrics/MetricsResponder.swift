import MarketAPI
import MarketModel

/// Responder to `GET /metrics`; passes other requests to `next`.
package struct MetricsResponder: HTTPResponder {
  /// Clients that may read the metrics; for others the path does not exist.
  package enum Audience: Sendable {
    /// Clients on this machine, also by a trusted proxy's headers.
    case local
    case everybody
    case nobody
  }

  private static let target = "/metrics"

  private let metrics: ServerMetrics
  private let audience: Audience
  private let next: any HTTPResponder

  package init(
    _ metrics: ServerMetrics, for audience: Audience, before next: any HTTPResponder
  ) {
    self.metrics = metrics
    self.audience = audience
    self.next = next
  }

  package func immediateResponse(to request: ServerRequest) -> ServerResponse? {
    guard request.target == Self.target, request.isReading, isTold(request.client) else {
      return next.immediateResponse(to: request)
    }
    return ServerResponse(
      HTTPResponse(
        .ok,
        headers: [
          HeaderName.contentType: "text/plain; version=0.0.4; charset=utf-8",
          HeaderName.cacheControl: "no-store",
        ],
        body: Array(MetricsText.text(of: metrics.samples()).utf8)))
  }

  package func response(to request: ServerRequest) async -> ServerResponse {
    await next.response(to: request)
  }

  private func isTold(_ client: RemoteClient) -> Bool {
    switch audience {
    case .local: client.isLocal
    case .everybody: true
    case .nobody: false
    }
  }
}

extension RemoteClient {
  /// Whether the client is on this machine (RFC 5735, section 3; RFC 4291, section 2.5.3).
  fileprivate var isLocal: Bool { address.hasPrefix("127.") || address == "::1" }
}

/// Responder that answers 404 to every request; the end of a chain.
package struct NotFoundResponder: HTTPResponder {
  package init() {}

  package func immediateResponse(to request: ServerRequest) -> ServerResponse? { .refusal(.notFound) }

  package func response(to request: ServerRequest) async -> ServerResponse { .refusal(.notFound) }
}
