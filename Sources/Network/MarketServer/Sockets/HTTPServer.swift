import Dispatch
import Glibc
import MarketAPI

/// HTTP/1.1 server: its threads wait for sockets, tasks compute the responses.
package final class HTTPServer: Sendable {
  // One core is left for computing responses: on two cores a second thread answered no more requests,
  // and the slowest hundredth took half as long again. The connections are divided among the threads,
  // so there must not be many.
  private static let threadCount = min(4, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1))
  /// Seconds between the 503 responses of `stop(after:)` and the end of all connections.
  private static let closeDelay = 0.5

  /// Address that the server listens at.
  package let address: HostAndPort
  private let core: ServerCore
  private let loops: [EventLoop]
  private let listeners: [Int32]
  /// Queue on which timers fire.
  private let clock = DispatchQueue(label: "market.server.clock", qos: .utility)

  /// Starts serving until `stop(after:)`, even if the server is released.
  ///
  /// `trustsProxy` takes client addresses from the proxy's headers. `observe` is called on a thread of
  /// the server.
  /// - Throws: `Failure` if the system has no threads or descriptors left.
  package init(
    on socket: consuming ListeningSocket, answering responder: any HTTPResponder,
    limits: ServerLimits = ServerLimits(), trustsProxy: Bool = false,
    observe: @escaping @Sendable (ServerEvent) -> Void = { _ in }
  ) throws(ListeningSocket.Failure) {
    address = socket.address
    let core = ServerCore(
      responder: responder, limits: limits, trustsProxy: trustsProxy,
      limiter: ConnectionLimiter(limits, knowsClients: !trustsProxy), observe: observe)
    var loops: [EventLoop] = []
    for _ in 0..<Self.threadCount {
      loops.append(try EventLoop(on: socket.descriptors, for: core))
    }
    do throws(ListeningSocket.Failure) {
      for loop in loops { try loop.start() }
    } catch {
      for loop in loops { loop.post(.end) }
      throw error
    }
    listeners = socket.release()  // `stop` closes them
    self.core = core
    self.loops = loops
  }

  /// Ends each connection with its next response, while new ones are still accepted.
  ///
  /// Change subscriptions end; their clients reconnect elsewhere.
  package func beginDraining() {
    core.limiter.beginDraining()
    endWatching()
  }

  /// Stops accepting, waits at most `seconds` for running requests, answers the rest with 503, and
  /// ends.
  package func stop(after seconds: Double) async {
    // New connections are refused from here on; the descriptors stay open until no thread uses them.
    for listener in listeners { shutdown(listener, Int32(SHUT_RDWR)) }
    core.limiter.beginDraining()
    post(.stopListening)
    endWatching()
    let giveUp = DispatchWorkItem { [self] in
      post(
        .giveUp(
          .refusal(
            .serviceUnavailable, because: "the server ends and cannot wait any longer")))
    }
    let forceStop = DispatchWorkItem { [self] in post(.end) }
    clock.asyncAfter(deadline: .now() + seconds, execute: giveUp)
    clock.asyncAfter(deadline: .now() + seconds + Self.closeDelay, execute: forceStop)
    await core.limiter.drain()
    giveUp.cancel()
    forceStop.cancel()
    post(.end)
    for loop in loops { await loop.ended() }
    for listener in listeners { close(listener) }
  }

  private func endWatching() {
    post(.endWatching(.refusal(.serviceUnavailable)))
  }

  private func post(_ message: EventLoop.Message) {
    for loop in loops { loop.post(message) }
  }
}

/// State shared by all connections of a server.
final class ServerCore: Sendable {
  let responder: any HTTPResponder
  let limits: ServerLimits
  let trustsProxy: Bool
  let limiter: ConnectionLimiter
  /// Receives events on a thread of the server.
  let observe: @Sendable (ServerEvent) -> Void

  init(
    responder: any HTTPResponder, limits: ServerLimits, trustsProxy: Bool,
    limiter: ConnectionLimiter,
    observe: @escaping @Sendable (ServerEvent) -> Void
  ) {
    self.responder = responder
    self.limits = limits
    self.trustsProxy = trustsProxy
    self.limiter = limiter
    self.observe = observe
  }
}

/// Limits on the use of a server by one client and by all clients together.
package struct ServerLimits: Hashable, Sendable {
  /// Maximum bytes of one body; beyond it the request is refused with 413.
  package var body = 6 << 20
  /// Maximum bytes of all bodies being received or processed; beyond it requests are refused with 503.
  package var allBodies = 24 << 20
  /// Maximum of `allBodies` from one network; beyond it requests are refused with 503.
  package var bodiesOfAddress = 12 << 20
  /// Maximum bytes of the request line and headers; beyond it the request is refused with 431.
  package var header = 16 << 10
  /// Maximum number of connections; beyond it the longest idle one is closed, else new ones wait in the
  /// system's queue.
  package var connections = 1_000
  /// Maximum number of connections from one network, not applied behind a proxy: enough for an office
  /// behind one router, and for five such networks before `connections` is reached.
  ///
  /// Beyond it a connection is answered with 503.
  package var connectionsOfAddress = 200
  /// Maximum number of requests that one thread has computed at a time; further ones wait in the fair
  /// queue.
  package var answers = 32
  /// Maximum of `answers` for one network.
  package var answersOfAddress = 8
  /// Maximum unsent response bytes of one thread; beyond it the slowest connection of the network with
  /// most of them is closed.
  package var unsentBytes = 64 << 20
  /// Maximum of `unsentBytes` for one network; beyond it its slowest connection is closed.
  package var unsentBytesOfAddress = 24 << 20
  /// Maximum seconds without a byte in either direction, and maximum delay of a body or response behind
  /// the minimum rate; beyond it the connection is closed.
  package var idleSeconds = 15

  package init() {}

  /// Maximum number of change subscriptions, in addition to `connections`.
  package var watchers = 5_000
  /// Maximum of `watchers` from one network, that of the client if behind a proxy.
  package var watchersOfAddress = 16
  /// Maximum unsent bytes of a change stream; beyond it the stream is ended.
  package var watcherBytes = 64 << 10
  /// Seconds of silence after which a change stream gets a comment as heartbeat.
  package var commentSeconds = 15
  /// Number of descriptors reserved for files, databases and listening sockets.
  private static let reservedDescriptors = 128

  /// Number of descriptors that all limits together need.
  package var descriptors: Int { connections + watchers + Self.reservedDescriptors }

  /// Returns the limits for a process with `descriptors`: only `watchers` is reduced.
  package func fitting(descriptors: Int) -> ServerLimits {
    var limits = self
    let left = descriptors - connections - Self.reservedDescriptors
    limits.watchers = min(watchers, max(0, left))
    return limits
  }

  var idleNanoseconds: UInt64 { UInt64(idleSeconds) * 1_000_000_000 }
}
