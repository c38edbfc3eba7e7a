internal import CCurl
import Dispatch
import DispatchBridge
import Glibc
import MarketAPI
import MarketModel

/// libcurl's multi interface on one Dispatch queue, without a thread of its own.
///
/// libcurl names its sockets and its timeout; an epoll descriptor holds all sockets, and one Dispatch
/// source watches that. So a socket leaves the set before libcurl closes it, while sources of single
/// sockets would still be cancelling when its number is used again; and a timeout is set without waking
/// a thread, which a Dispatch timer does each time. An idle engine never wakes.
///
/// All state is confined to `queue`; libcurl's callbacks run there too.
final class CurlEngine: @unchecked Sendable {
  /// Maximum number of connections to one host; further transfers wait.
  static let connectionsPerHost = 6
  /// Maximum number of idle handles kept for reuse.
  private static let spareLimit = 8

  private let queue = DispatchQueue(label: "market.client.http", qos: .userInitiated)
  private let library: CurlLibrary
  private let authorities: String?
  private let multi: CurlLibrary.Handle
  private let epoll: Int32
  private let timer: Int32
  private let readiness: any DispatchSourceRead
  private var transfers: [CurlLibrary.Handle: CurlTransfer] = [:]
  private var idleHandles: [CurlLibrary.Handle] = []
  /// Whether libcurl asked to be called again at once.
  private var isDue = false

  /// Creates the multi handle and its descriptors.
  /// - Throws: `.exhausted` if memory or descriptors are used up.
  init(_ library: CurlLibrary, trusting authorities: String?) throws(TransportError) {
    guard let multi = library.makeMulti() else { throw .exhausted }
    let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    let timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
    guard epoll >= 0, timer >= 0 else {
      for descriptor in [epoll, timer] where descriptor >= 0 { close(descriptor) }
      _ = library.freeMulti(multi)
      throw .exhausted
    }
    self.library = library
    self.authorities = authorities
    self.multi = multi
    self.epoll = epoll
    self.timer = timer
    readiness = DispatchSource.makeReadSource(fileDescriptor: epoll, queue: queue)
    readiness.setEventHandler { [weak self] in self?.didBecomeReady() }
    readiness.setCancelHandler {
      close(timer)
      close(epoll)
    }
    configure()
    readiness.activate()
  }

  /// Starts a transfer that was not cancelled.
  func start(_ transfer: CurlTransfer) {
    queue.async { [self] in
      guard !transfer.outcome.isSet else { return }
      guard let easy = idleHandles.popLast() ?? library.makeEasy() else {
        transfer.outcome.set(.failure(.exhausted))
        return
      }
      transfer.handle = easy
      transfers[easy] = transfer
      let options = CurlOptions(library, easy, trusting: authorities)
      guard options.apply(transfer), library.add(multi, easy) == CURLM_OK else {
        return end(transfer, .failure(.libraryMissing))
      }
      runPendingWork()
    }
  }

  /// Cancels a transfer, also one that has not started.
  func cancel(_ transfer: CurlTransfer) {
    queue.async { [self] in
      end(transfer, .failure(.cancelled))
      runPendingWork()
    }
  }

  /// Closes all connections; running transfers end with `.cancelled`.
  func stop() {
    queue.async { [self] in
      for transfer in transfers.values { end(transfer, .failure(.cancelled)) }
      for easy in idleHandles { library.freeEasy(easy) }
      idleHandles = []
      _ = library.freeMulti(multi)
      readiness.cancel()
    }
  }
}

// Requests of libcurl's callbacks.
extension CurlEngine {
  func watch(_ descriptor: Int32, for interest: Int32) {
    guard interest != CURL_POLL_REMOVE else {
      epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
      return
    }
    var event = epoll_event()
    event.data.fd = descriptor
    if interest & CURL_POLL_IN != 0 { event.events |= EPOLLIN.rawValue }
    if interest & CURL_POLL_OUT != 0 { event.events |= EPOLLOUT.rawValue }
    if epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event) != 0 {
      epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event)
    }
  }

  /// Sets the timeout; 0 is at once, a negative number never.
  func schedule(inMilliseconds milliseconds: Int) {
    // libcurl may not be called from its own callback, so `runPendingWork` calls it later.
    isDue = milliseconds == 0
    var time = itimerspec()
    if milliseconds > 0 {
      time.it_value = timespec(
        tv_sec: milliseconds / 1_000, tv_nsec: milliseconds % 1_000 * 1_000_000)
    }
    timerfd_settime(timer, 0, &time, nil)
  }
}

extension CurlEngine {
  private func configure() {
    let set = library.setMultiOption.address
    let me = Unmanaged.passUnretained(self).toOpaque()
    ccurl_multi_set_long(set, multi, CURLMOPT_MAX_HOST_CONNECTIONS, Self.connectionsPerHost)
    ccurl_multi_set_socket_callback(set, multi, CurlCallbacks.watch)
    ccurl_multi_set_pointer(set, multi, CURLMOPT_SOCKETDATA, me)
    ccurl_multi_set_timer_callback(set, multi, CurlCallbacks.schedule)
    ccurl_multi_set_pointer(set, multi, CURLMOPT_TIMERDATA, me)
    watch(timer, for: CURL_POLL_IN)
  }

  private func didBecomeReady() {
    var events = [epoll_event](repeating: epoll_event(), count: 16)
    let count = epoll_wait(epoll, &events, Int32(events.count), 0)
    for event in events.prefix(max(0, Int(count))) {
      if event.data.fd == timer {
        didReachTime()
      } else {
        act(on: event.data.fd, Self.readiness(of: event))
      }
    }
    runPendingWork()
  }

  private func didReachTime() {
    var expirations: UInt64 = 0
    read(timer, &expirations, MemoryLayout<UInt64>.size)
    isDue = true
  }

  /// Calls libcurl while it is due and delivers the outcomes, until neither is left.
  private func runPendingWork() {
    repeat {
      if isDue {
        isDue = false
        act(on: -1, 0)
      }
      deliver()
    } while isDue
  }

  private func act(on descriptor: Int32, _ readiness: Int32) {
    var running: Int32 = 0
    _ = library.act(multi, descriptor, readiness, &running)
  }

  private func deliver() {
    var waiting: Int32 = 0
    while let message = library.nextMessage(multi, &waiting)?.pointee {
      guard message.msg == CURLMSG_DONE, let easy = message.easy_handle,
        let transfer = transfers[easy]
      else { continue }
      end(transfer, transfer.outcome(message.data.result, by: library.getEasyInfo.address, easy))
    }
  }

  private func end(_ transfer: CurlTransfer, _ outcome: Result<HTTPHopResponse, TransportError>) {
    if let easy = transfer.handle {
      transfers[easy] = nil
      _ = library.remove(multi, easy)
      library.resetEasy(easy)
      if idleHandles.count < Self.spareLimit {
        idleHandles.append(easy)
      } else {
        library.freeEasy(easy)
      }
    }
    transfer.releaseBuffers(library)
    transfer.outcome.set(outcome)
  }

  private static func readiness(of event: epoll_event) -> Int32 {
    var mask: Int32 = 0
    if event.events & EPOLLIN.rawValue != 0 { mask |= CURL_CSELECT_IN }
    if event.events & EPOLLOUT.rawValue != 0 { mask |= CURL_CSELECT_OUT }
    if event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { mask |= CURL_CSELECT_ERR }
    return mask
  }
}

/// C functions that libcurl calls on the engine's queue.
///
/// The type has no isolation, since closures in an isolated context would check for it.
enum CurlCallbacks {
  static let header: curl_write_callback = { bytes, size, count, context in
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return CurlCallbacks.transfer(context)?.didReceiveHeader(line) == true ? size * count : 0
  }

  static let body: curl_write_callback = { bytes, size, count, context in
    let data = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return CurlCallbacks.transfer(context)?.didReceive(data) == true ? size * count : 0
  }

  static let progress: curl_xferinfo_callback = { context, _, _, total, sent in
    if total > 0 {
      CurlCallbacks.transfer(context)?.hop.onUpload?(Int(sent), Int(total))
    }
    return 0
  }

  /// Opens a socket only if the address policy admits the resolved address.
  static let open: curl_opensocket_callback = { context, _, address in
    guard let address, let transfer = CurlCallbacks.transfer(context) else { return -1 }
    let zone = withUnsafePointer(to: &address.pointee.addr) {
      NetworkZone(socketAddress: $0, family: address.pointee.family)
    }
    guard transfer.admits(zone) else { return -1 }
    return socket(
      address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
      address.pointee.protocol)
  }

  static let watch: curl_socket_callback = { _, descriptor, interest, context, _ in
    CurlCallbacks.engine(context)?.watch(descriptor, for: interest)
    return 0
  }

  static let schedule: curl_multi_timer_callback = { _, milliseconds, context in
    CurlCallbacks.engine(context)?.schedule(inMilliseconds: milliseconds)
    return 0
  }

  private static func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
    context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func engine(_ context: UnsafeMutableRawPointer?) -> CurlEngine? {
    context.map { Unmanaged<CurlEngine>.fromOpaque($0).takeUnretainedValue() }
  }
}
