import MarketAPI
import MarketModel

/// Responder to `GET /api/changes`, which leaves everything else to another one.
package struct ChangesResponder: HTTPResponder {
  private let hub: ChangeHub
  private let next: any HTTPResponder

  package init(_ hub: ChangeHub, before next: any HTTPResponder) {
    self.hub = hub
    self.next = next
  }

  package func knownResponse(to request: ServerRequest) -> ServerResponse? {
    guard ChangesRequest.owns(request.target) else { return next.knownResponse(to: request) }
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

  private func answer(_ wish: ChangesRequest, isBodiless: Bool) -> ServerResponse {
    let watch = isBodiless ? nil : Watch(hub: hub, wish: wish)
    switch wish.form {
    case .stream: return ServerResponse(.eventStream, watch: watch, hasLength: false)
    case .poll:
      let nothing = ChangeBatch(changes: [], place: wish.place ?? ChangePlace(rawValue: ""))
      return ServerResponse(ChangeCoding.answer(nothing), watch: watch, hasLength: false)
    }
  }
}

/// Wish of a client to be told what changes, and who tells it.
struct Watch: Sendable {
  let hub: ChangeHub
  let wish: ChangesRequest
}
