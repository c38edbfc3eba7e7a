/// What all connections of a server share.
final class ServerCore: Sendable {
  let responder: any HTTPResponder
  let limits: ServerLimits
  let trustsProxy: Bool
  let traffic: Traffic
  /// Told what happens, on a thread of the server.
  let observe: @Sendable (ServerEvent) -> Void

  init(
    responder: any HTTPResponder, limits: ServerLimits, trustsProxy: Bool, traffic: Traffic,
    observe: @escaping @Sendable (ServerEvent) -> Void
  ) {
    self.responder = responder
    self.limits = limits
    self.trustsProxy = trustsProxy
    self.traffic = traffic
    self.observe = observe
  }
}
