internal import CMicrohttpd
import MarketAPI

/// What happens to requests, called by libmicrohttpd on its threads.
final class ServerCore: Sendable {
  let limits: ServerLimits
  let traffic = Traffic()
  private let responder: any HTTPResponder
  private let trustsProxy: Bool
  private let observe: @Sendable (ServerEvent) -> Void

  init(
    _ responder: any HTTPResponder, limits: ServerLimits, trustsProxy: Bool,
    observe: @escaping @Sendable (ServerEvent) -> Void
  ) {
    self.responder = responder
    self.limits = limits
    self.trustsProxy = trustsProxy
    self.observe = observe
  }

  /// Takes the next part of a request: the headers, then pieces of the body, then the end, which
  /// is an empty piece.
  func handle(
    _ exchange: Exchange, on connection: OpaquePointer, method: String,
    piece: UnsafeRawBufferPointer
  ) -> MHD_Result {
    if exchange.request == nil { return begin(exchange, on: connection, method: method) }
    if !piece.isEmpty { return exchange.receive(piece) ? .YES : .NO }
    if let refusal = exchange.refusal {
      return exchange.queue(refusal, on: connection, closing: true)
    }
    if let found = exchange.found { return send(found, to: exchange, on: connection) }
    guard let request = exchange.takeRequest() else { return .NO }
    if let known = responder.knownResponse(to: request) {
      return send(known, to: exchange, on: connection)
    }
    exchange.peer.willWait()
    // Suspended before the task begins, which may be done before this returns.
    exchange.suspend(connection)
    Task { exchange.resume(with: await responder.response(to: request)) }
    return .YES
  }

  func end(_ exchange: Exchange) {
    exchange.peer.didBecomeIdle()
    traffic.end(exchange)
    observe(.finished(exchange.finished))
  }

  func connect(_ peer: Peer) {
    traffic.add(peer)
    observe(.connected)
  }

  func disconnect(_ peer: Peer) {
    traffic.remove(peer)
    observe(.disconnected)
  }

  private func begin(
    _ exchange: Exchange, on connection: OpaquePointer, method: String
  ) -> MHD_Result {
    let head = RequestHead(of: connection)
    let peer = exchange.peer.address
    let visitor =
      trustsProxy ? Visitor(behind: peer, headers: head.headers) : Visitor(address: peer)
    let request = ServerRequest(
      HTTPMethod(rawValue: method), exchange.target, headers: head.headers, from: visitor)
    var refusal = head.refusal(target: exchange.target, limits: limits)
    let bodyBytes = refusal == nil ? head.bodyBytes(limits: limits) : 0
    let hasRoom = traffic.begin(exchange, bodyBytes: bodyBytes, limit: limits.allBodies)
    if refusal == nil, !hasRoom { refusal = .serviceUnavailable }
    exchange.begin(request, bodyBytes: hasRoom ? bodyBytes : 0)
    guard let refusal else {
      exchange.peer.willMove(bodyBytes)
      return .YES
    }
    if refusal == .contentTooLarge, let bodyBytes = head.discardableBytes(limits: limits) {
      exchange.discard(bodyBytes, then: .refusal(refusal))
      exchange.peer.willMove(bodyBytes)
      return .YES
    }
    // What follows is not read: the connection ends.
    let reason = refusal == .serviceUnavailable ? "all bodies together are too large" : nil
    return exchange.queue(.refusal(refusal, because: reason), on: connection, closing: true)
  }

  private func send(
    _ response: ServerResponse, to exchange: Exchange, on connection: OpaquePointer
  ) -> MHD_Result {
    exchange.peer.willMove(response.message.body.count)
    return exchange.queue(response, on: connection, closing: traffic.isDraining)
  }
}
