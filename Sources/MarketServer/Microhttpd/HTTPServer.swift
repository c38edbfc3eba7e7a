internal import CMicrohttpd
import Dispatch
import Glibc
import MarketAPI

/// An HTTP server on libmicrohttpd: threads of its own wait for sockets, answers come from tasks.
package final class HTTPServer: Sendable {
  // One core is left to what finds answers out: on two cores a second thread answered no more requests,
  // and the slowest hundredth of them waited half as long again. The connections are divided among the
  // threads, so that there are not to be many.
  private static let threadCount = UInt32(min(4, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1)))
  /// What libmicrohttpd keeps for one connection: twice the headers, as it reads ahead.
  private static let headerRoom = 2
  /// How long a client may take to receive that the server is leaving.
  private static let lastWordSeconds = 0.5

  package let address: HostAndPort
  private let core: ServerCore
  private let machinery: Machinery
  /// Where what is due by the time happens.
  private let clock = DispatchQueue(label: "market.server.clock", qos: .utility)

  /// Serves until it is stopped, even if nobody holds the server any more.
  ///
  /// - Parameters:
  ///   - socket: where to listen.
  ///   - responder: what answers.
  ///   - limits: what one client may use.
  ///   - trustsProxy: whether there is a proxy in front whose word on its clients counts.
  ///   - observe: told what happens, on a thread of the server.
  /// - Throws: where libmicrohttpd cannot start.
  package init(
    on socket: consuming ListeningSocket, answering responder: any HTTPResponder,
    limits: ServerLimits = ServerLimits(), trustsProxy: Bool = false,
    observe: @escaping @Sendable (ServerEvent) -> Void = { _ in }
  ) throws(ListeningSocket.Failure) {
    address = socket.address
    let core = ServerCore(responder, limits: limits, trustsProxy: trustsProxy, observe: observe)
    let flags = MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
    let pointer = CMicrohttpd_start(
      flags, socket.descriptor, Self.threadCount, UInt32(limits.connections),
      UInt32(limits.idleSeconds), limits.header * Self.headerRoom,
      Unmanaged.passRetained(core).toOpaque(), ServerCallbacks.handle, ServerCallbacks.begin,
      ServerCallbacks.end, ServerCallbacks.notice)
    guard let pointer else {
      throw ListeningSocket.Failure(reason: String(cString: strerror(errno)))
    }
    _ = socket.release()  // `stop` closes it
    self.core = core
    let watch = DispatchSource.makeTimerSource(queue: clock)
    watch.setEventHandler { core.traffic.endSlowPeers(at: MonotonicClock.nanoseconds()) }
    watch.schedule(deadline: .now() + 1, repeating: 1, leeway: .milliseconds(500))
    watch.activate()
    machinery = Machinery(daemon: pointer, watch: watch)
  }

  /// Tells each client with its next answer that the connection ends, while new ones are still
  /// accepted.
  package func beginDraining() { core.traffic.beginDraining() }

  /// Accepts nobody any more, lets the requests that run come to their end, and ends.
  ///
  /// - Parameter seconds: how long requests may take; then they are answered by 503.
  package func stop(after seconds: Double) async {
    let listener = MHD_quiesce_daemon(machinery.daemon)
    let core = core
    let giveUp = DispatchWorkItem {
      let answer = ServerResponse.refusal(
        .serviceUnavailable, because: "the server ends and cannot wait any longer")
      for exchange in core.traffic.exchanges { exchange.resume(with: answer) }
    }
    let breakOff = DispatchWorkItem { core.traffic.endPeers() }
    clock.asyncAfter(deadline: .now() + seconds, execute: giveUp)
    clock.asyncAfter(deadline: .now() + seconds + Self.lastWordSeconds, execute: breakOff)
    await core.traffic.drain()
    giveUp.cancel()
    breakOff.cancel()
    machinery.watch.cancel()
    // Nobody is suspended now: libmicrohttpd would end the whole process.
    MHD_stop_daemon(machinery.daemon)
    Unmanaged.passUnretained(core).release()
    if listener != MHD_INVALID_SOCKET { close(listener) }
  }
}

/// What belongs to libraries.
///
/// Unchecked: libmicrohttpd's functions and a source's `cancel` may be called from any thread.
private struct Machinery: @unchecked Sendable {
  let daemon: OpaquePointer
  let watch: any DispatchSourceTimer
}
