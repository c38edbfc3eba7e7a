import Dispatch
import Glibc
import MarketAPI

/// HTTP/1.1 server: threads of its own wait for sockets, answers come from tasks.
package final class HTTPServer: Sendable {
  // One core is left to what finds answers out: on two cores a second thread answered no more requests,
  // and the slowest hundredth of them waited half as long again. The connections are divided among the
  // threads, so that there are not to be many.
  private static let threadCount = min(4, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1))
  /// Seconds that a client gets to receive that the server is leaving.
  private static let lastWordSeconds = 0.5

  package let address: HostAndPort
  private let core: ServerCore
  private let loops: [EventLoop]
  private let listeners: [Int32]
  /// Queue of what is due by the time.
  private let clock = DispatchQueue(label: "market.server.clock", qos: .utility)

  /// Serves until it is stopped, even if nobody holds the server any more.
  ///
  /// With `trustsProxy` there is a proxy in front whose word on its clients counts. `observe` is
  /// called on a thread of the server. Throws where the system gives no threads or descriptors.
  package init(
    on socket: consuming ListeningSocket, answering responder: any HTTPResponder,
    limits: ServerLimits = ServerLimits(), trustsProxy: Bool = false,
    observe: @escaping @Sendable (ServerEvent) -> Void = { _ in }
  ) throws(ListeningSocket.Failure) {
    address = socket.address
    let core = ServerCore(
      responder: responder, limits: limits, trustsProxy: trustsProxy,
      traffic: ConnectionLimiter(limits, knowsClients: !trustsProxy), observe: observe)
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

  /// Tells each client with its next answer that the connection ends, while new ones are still
  /// accepted.
  ///
  /// Who watches is told to go on elsewhere.
  package func beginDraining() {
    core.traffic.beginDraining()
    endWatching()
  }

  /// Accepts nobody any more, lets the requests that run come to their end within so many seconds,
  /// after which they are answered by 503, and ends.
  package func stop(after seconds: Double) async {
    // Newcomers are refused from here on; the descriptors stay taken until no thread knows them.
    for listener in listeners { shutdown(listener, Int32(SHUT_RDWR)) }
    core.traffic.beginDraining()
    tellLoops(.stopListening)
    endWatching()
    let giveUp = DispatchWorkItem { [self] in
      tellLoops(
        .giveUp(
          .refusal(
            .serviceUnavailable, because: "the server ends and cannot wait any longer")))
    }
    let forceStop = DispatchWorkItem { [self] in tellLoops(.end) }
    clock.asyncAfter(deadline: .now() + seconds, execute: giveUp)
    clock.asyncAfter(deadline: .now() + seconds + Self.lastWordSeconds, execute: forceStop)
    await core.traffic.drain()
    giveUp.cancel()
    forceStop.cancel()
    tellLoops(.end)
    for loop in loops { await loop.ended() }
    for listener in listeners { close(listener) }
  }

  private func endWatching() {
    tellLoops(.endWatching(.refusal(.serviceUnavailable)))
  }

  private func tellLoops(_ message: EventLoop.Message) {
    for loop in loops { loop.post(message) }
  }
}

/// Core of a server: what all its connections share.
final class ServerCore: Sendable {
  let responder: any HTTPResponder
  let limits: ServerLimits
  let trustsProxy: Bool
  let traffic: ConnectionLimiter
  /// Told what happens, on a thread of the server.
  let observe: @Sendable (ServerEvent) -> Void

  init(
    responder: any HTTPResponder, limits: ServerLimits, trustsProxy: Bool,
    traffic: ConnectionLimiter,
    observe: @escaping @Sendable (ServerEvent) -> Void
  ) {
    self.responder = responder
    self.limits = limits
    self.trustsProxy = trustsProxy
    self.traffic = traffic
    self.observe = observe
  }
}

/// Limits of how much of a server one client, or all of them together, may use.
package struct ServerLimits: Hashable, Sendable {
  /// Bytes of one body.
  package var body = 4 << 20
  /// Bytes of all bodies that are being received or worked on; above that, clients are asked to
  /// come back.
  package var allBodies = 24 << 20
  /// Bytes of those that come from one address.
  package var bodiesOfAddress = 12 << 20
  /// Bytes of a request's line and headers.
  package var header = 16 << 10
  package var connections = 1_000
  /// Connections from one address, where clients come directly: enough for an office behind one
  /// router, and for five such addresses before anybody has to wait.
  package var connectionsOfAddress = 200
  /// Requests that one thread finds answers for at a time; others wait for their turn.
  package var answers = 32
  /// Those of one address.
  package var answersOfAddress = 8
  /// Bytes of answers that clients of one thread have not taken yet; above that the slowest of the
  /// network with most of them is closed.
  package var untakenAnswers = 64 << 20
  /// Those of one address; above that its slowest is closed.
  package var untakenOfAddress = 24 << 20
  /// Seconds without a byte from a client, or to one; also how far a body or an answer may fall
  /// behind the slowest rate.
  package var idleSeconds = 15

  package init() {}

  /// Clients that watch what changes, beside all connections.
  package var watchers = 5_000
  /// Those of one address; behind a proxy, that of the client.
  package var watchersOfAddress = 16
  /// Bytes that a watcher may leave untaken.
  package var watcherBytes = 64 << 10
  /// Seconds of silence after which a watcher is told that the server is still there.
  package var commentSeconds = 15
  /// Descriptors for files, databases and listening.
  private static let reservedDescriptors = 128

  /// Descriptors that all of it takes.
  package var descriptors: Int { connections + watchers + Self.reservedDescriptors }

  /// The limits of a process with so many descriptors: watchers never take those of ordinary requests.
  package func fitting(descriptors: Int) -> ServerLimits {
    var limits = self
    let left = descriptors - connections - Self.reservedDescriptors
    limits.watchers = min(watchers, max(0, left))
    return limits
  }

  var idleNanoseconds: UInt64 { UInt64(idleSeconds) * 1_000_000_000 }
}
