import MarketAPI
import MarketModel
import Synchronization

/// Responder to the probes `GET /live` (restart the server or not) and `GET /ready` (send it requests
/// or not; with `?reads`, send it requests that only read); passes other requests to `next`.
package final class HealthResponder: HTTPResponder {
  /// Maximum time for the store to answer; beyond it the server is not ready.
  private static let timeout = Duration.seconds(1)

  private let market: any ServedMarket
  private let writes: WriteHealth
  private let next: any HTTPResponder
  private let isDraining = Atomic(false)

  package init(
    _ market: any ServedMarket, writing writes: WriteHealth, before next: any HTTPResponder
  ) {
    self.market = market
    self.writes = writes
    self.next = next
  }

  /// Makes `/ready` answer 503.
  package func beginDraining() { isDraining.store(true, ordering: .relaxed) }

  package func immediateResponse(to request: ServerRequest) -> ServerResponse? {
    guard request.isReading, request.isFor(HealthRoute.live) else {
      return next.immediateResponse(to: request)
    }
    return answer(.ok, HealthRoute.alive)
  }

  package func bodyLimit(for request: ServerRequest) -> Int? { next.bodyLimit(for: request) }

  package func refusal(ofLargeBody request: ServerRequest) -> ServerResponse? {
    next.refusal(ofLargeBody: request)
  }

  package func response(to request: ServerRequest) async -> ServerResponse {
    guard request.isReading, request.isFor(HealthRoute.ready) else {
      return await next.response(to: request)
    }
    guard !isDraining.load(ordering: .relaxed) else {
      return answer(.serviceUnavailable, "The server is being stopped")
    }
    let onlyReads = request.target.hasSuffix(HealthRoute.ready + "?" + HealthRoute.reads)
    return await RequestDeadline.limited(to: Self.timeout) { await readiness(toWrite: !onlyReads) }
  }

  private func readiness(toWrite isForWriting: Bool) async -> ServerResponse {
    do throws(RepositoryError) {
      try await market.checkReadiness(forWriting: isForWriting)
      if isForWriting, !writes.hasRoom { throw .store(.diskFull) }
      return answer(.ok, HealthRoute.isReady)
    } catch {
      let sentence =
        switch error {
        case .store(.readOnly), .store(.readOnlyFolder): "The store is read-only"
        case .store(.diskFull): "The store has no room left"
        case .store(.locked): "The store does not answer within a second"
        default: "The store does not answer"
        }
      return answer(.serviceUnavailable, sentence, because: error.logged)
    }
  }

  /// Response with one sentence; the extension header identifies the server as a market.
  private func answer(
    _ status: HTTPStatus, _ sentence: String, because reason: String? = nil
  ) -> ServerResponse {
    var headers: HTTPHeaders = [
      HeaderName.contentType: "text/plain; charset=utf-8", HeaderName.cacheControl: "no-store",
    ]
    headers[HeaderName.extensions] = "1"
    if status == .serviceUnavailable { headers[HeaderName.retryAfter] = "1" }
    return ServerResponse(
      HTTPResponse(status, headers: headers, body: Array((sentence + "\n").utf8)),
      because: status == .ok ? nil : reason ?? sentence)
  }
}

/// Paths of the probes, and their responses.
package enum HealthRoute {
  package static let live = "/live"
  package static let ready = "/ready"
  /// Query of `ready` that asks for reads alone.
  static let reads = "reads"
  package static let alive = "alive"
  package static let isReady = "ready"
}

extension ServerRequest {
  /// Whether the target is a path, with or without a query.
  fileprivate func isFor(_ path: String) -> Bool {
    let query = UInt8(ascii: "?")
    return target.utf8.starts(with: path.utf8)
      && target.utf8.dropFirst(path.utf8.count).first.map { $0 == query } ?? true
  }
}
