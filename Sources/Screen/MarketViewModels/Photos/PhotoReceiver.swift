package import MarketModel
package import SafeTextKit

/// Port to pages to which a telephone sends photos for a form.
package nonisolated protocol PhotoReceiver: Sendable {
  /// Ways for a telephone to reach a page, the likeliest first.
  func routes() async -> PhotoRoutes
  /// Opens a page.
  func open(_ route: PhotoRoutes.Route) -> PhotoReception
}

/// Ways for a telephone to reach a page, and what stands against them.
package nonisolated struct PhotoRoutes: Hashable, Sendable {
  package enum Route: Hashable, Sendable {
    /// Page of the market's server.
    case server
    /// Page of this machine, at one of its addresses.
    case local(LocalAddress)
  }

  /// Reason why a telephone hardly reaches this machine; listening needs a confirmation.
  package enum Caution: Hashable, Sendable {
    case ssh, wsl, container
  }

  /// Reason why there is no page.
  package enum Obstacle: Hashable, Sendable {
    /// `market-server` is not installed.
    case noProgram
    /// The machine is in no network.
    case noNetwork
    /// Photos come by this command instead, as those of a guest.
    case command(SafeText)
  }

  package var routes: [Route]
  package var caution: Caution?
  package var obstacle: Obstacle?

  package init(_ routes: [Route] = [], caution: Caution? = nil, obstacle: Obstacle? = nil) {
    (self.routes, self.caution, self.obstacle) = (routes, caution, obstacle)
  }
}

/// Address of this machine.
package nonisolated struct LocalAddress: Hashable, Sendable {
  /// Numeric address.
  package let host: String
  /// Name of the network interface, such as `wlan0`.
  package let interface: String
  /// Whether it is an address for other devices: not loopback, nor of containers, bridges and VPNs.
  package let isLikely: Bool

  package init(host: String, interface: String, isLikely: Bool) {
    (self.host, self.interface, self.isLikely) = (host, interface, isLikely)
  }
}

/// Open page: its events end when it is closed.
package nonisolated struct PhotoReception: Sendable {
  package let events: AsyncStream<ReceiverEvent>
  package let send: @Sendable (ReceiverCommand) -> Void
  package let close: @Sendable () -> Void

  package init(
    events: AsyncStream<ReceiverEvent>, send: @escaping @Sendable (ReceiverCommand) -> Void,
    close: @escaping @Sendable () -> Void
  ) {
    (self.events, self.send, self.close) = (events, send, close)
  }
}
