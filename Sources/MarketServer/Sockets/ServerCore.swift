/// What all connections of a server share.
struct ServerCore: Sendable {
  let responder: any HTTPResponder
  let limits: ServerLimits
  let trustsProxy: Bool
  let traffic: Traffic
  /// Told what happens, on a thread of the server.
  let observe: @Sendable (ServerEvent) -> Void
}
