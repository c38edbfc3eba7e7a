import MarketAPI
import MarketModel

/// Responder to `GET /api/changes`; passes other requests to `next`.
package struct ChangesResponder: HTTPResponder {
  private let broadcaster: ChangeBroadcaster
  private let next: any HTTPResponder

  package init(_ broadcaster: ChangeBroadcaster, before next: any HTTPResponder) {
    self.broadcaster = broadcaster
    self.next = next
  }

  package func immediateResponse(to request: ServerRequest) -> ServerResponse? {
    guard ChangesRequest.owns(request.target) else { return next.immediateResponse(to: request) }
    do throws(RequestProblem) {
      return answer(
        try ChangesRequest(reading: request.message), isBodiless: request.method == .head)
    } catch {
      return ServerResponse(.refusal(ofChanges: error))
    }
  }

  package func response(to request: ServerRequest) async -> ServerResponse {
    await next.response(to: request)
  }

  private func answer(_ request: ChangesRequest, isBodiless: Bool) -> ServerResponse {
    let watch = isBodiless ? nil : ChangeSubscription(broadcaster: broadcaster, request: request)
    switch request.form {
    case .stream: return ServerResponse(.eventStream, watch: watch, hasLength: false)
    case .poll:
      let nothing = ChangeBatch(changes: [], cursor: request.cursor ?? ChangeCursor(rawValue: ""))
      return ServerResponse(ChangeCoding.answer(nothing), watch: watch, hasLength: false)
    }
  }
}

/// Change subscription of a client.
struct ChangeSubscription: Sendable {
  let broadcaster: ChangeBroadcaster
  let request: ChangesRequest
}
