internal import CEpoll
import Glibc
import MarketAPI
import MarketModel
import Posix
import Synchronization

/// Event loop: a thread with its share of the server's connections.
///
/// Unchecked: the state is confined to the thread of `run()`; other threads use the lock of `inbox` and
/// `readiness.ring()`, which is safe on any thread.
final class EventLoop: @unchecked Sendable {
  /// Message from another thread to the event loop.
  enum Message {
    /// Response to the request with this number.
    case answer(UInt64, ServerResponse)
    /// Changes for all subscriptions.
    case changes(ChangeFrame)
    /// Position at which the subscription with this number continues.
    case found(UInt64, ChangeBroadcaster.WatcherPosition)
    /// End all subscriptions; the response is for those that have not begun.
    case endWatching(ServerResponse)
    /// Stop accepting connections.
    case stopListening
    /// Answer all waiting requests with this response.
    case giveUp(ServerResponse)
    /// Close all connections and end the thread.
    case end
  }

  /// Request in the fair queue.
  private struct PendingRequest {
    let request: ServerRequest
    /// Counted bytes of its body.
    let reservedBytes: Int
    let arrival = ContinuousClock.now
  }

  /// Request whose response a task computes.
  private struct RunningRequest {
    let network: ClientNetwork
    /// Whether the request is a GET or HEAD, which may be cancelled.
    let isReading: Bool
    let task: Task<Void, Never>
  }

  private struct Inbox {
    var messages: [Message] = []
    var hasEnded = false
    var waiters: [CheckedContinuation<Void, Never>] = []

    mutating func takeMessages() -> [Message] {
      guard !messages.isEmpty else { return [] }
      defer { messages = [] }
      return messages
    }
  }

  /// Milliseconds between two checks of timeouts, and between two checks of a full server for room.
  private static let tickMilliseconds: Int32 = 500
  private static let fullMilliseconds: Int32 = 20
  /// Maximum number of connections accepted before other events are handled.
  private static let acceptedAtOnce = 32
  /// Maximum bytes of one read from a socket.
  private static let scratchBytes = 64 << 10

  let server: ServerCore
  private let inbox = Mutex(Inbox())
  private let readiness: EpollPoller
  private var listeners: [Int32]
  /// Whether new connections stay in the system's queue for now.
  private var isFull = false
  /// Time of the next check for room, in nanoseconds of the monotonic clock.
  private var nextLook: UInt64 = 0
  private var isOver = false
  private var connections: [Int32: HTTPConnection] = [:]
  /// Connections that wait for a response, by request number.
  private var waiting: [UInt64: HTTPConnection] = [:]
  /// Their requests while they are in the fair queue.
  private var queued: [UInt64: PendingRequest] = [:]
  /// Running requests by number.
  private var running: [UInt64: RunningRequest] = [:]
  /// Numbers of requests; the next one is of the network with the fewest running.
  private var turns: SlotQueue<ClientNetwork, UInt64>
  /// Response bytes that clients have not received yet.
  var pendingOutput: PendingOutput
  /// Sockets of closed connections.
  ///
  /// They are closed after the current events, so that their numbers are not reused before.
  private var closedDescriptors: [Int32] = []
  private var lastNumber: UInt64 = 0
  private var nextTick: UInt64 = 0
  private var clock = ResponseClock()
  private var traces = TraceIDGenerator()
  /// Cache of parsed request heads.
  var heads = RequestHeadCache()
  /// Scheduler of the change subscriptions.
  private(set) lazy var scheduler = WatcherScheduler(self)
  private let scratch = UnsafeMutableRawBufferPointer.allocate(
    byteCount: scratchBytes, alignment: 16)

  /// Creates a loop that accepts from `listeners`; the caller closes them after the loop has ended.
  /// - Throws: `Failure` with the system's reason, such as too many open descriptors.
  init(on listeners: [Int32], for server: ServerCore) throws(ListeningSocket.Failure) {
    do throws(SystemError) {
      readiness = try EpollPoller()
    } catch {
      throw ListeningSocket.Failure(reason: error.description)
    }
    self.listeners = listeners
    self.server = server
    let limits = server.limits
    turns = SlotQueue(
      limit: limits.answersOfAddress, order: .fewestRunning(total: limits.answers))
    pendingOutput = PendingOutput(limit: limits.unsentBytes, ofNetwork: limits.unsentBytesOfAddress)
  }

  deinit { scratch.deallocate() }

  /// Starts the thread, which retains the loop until it ends.
  /// - Throws: `Failure` if no thread can be created.
  func start() throws(ListeningSocket.Failure) {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(self).toOpaque()
    let code = pthread_create(
      &thread, nil,
      { box in
        if let box { Unmanaged<EventLoop>.fromOpaque(box).takeRetainedValue().run() }
        return nil
      }, box)
    guard code == 0 else {
      Unmanaged<EventLoop>.fromOpaque(box).release()
      throw ListeningSocket.Failure(reason: SystemError(number: code).description)
    }
    pthread_detach(thread)
  }

  /// Sends a message to the loop; may be called from any thread.
  func post(_ message: Message) {
    let isFirst = inbox.withLock { inbox in
      inbox.messages.append(message)
      return inbox.messages.count == 1
    }
    if isFirst { readiness.ring() }
  }

  /// Waits until the thread has ended.
  func ended() async {
    await withCheckedContinuation { continuation in
      let hasEnded = inbox.withLock { inbox in
        if !inbox.hasEnded { inbox.waiters.append(continuation) }
        return inbox.hasEnded
      }
      if hasEnded { continuation.resume() }
    }
  }
}

// The thread.
extension EventLoop {
  private func run() {
    for listener in listeners { readiness.watch(listener, for: [.input, .exclusive]) }
    while !isOver {
      closeDescriptors()
      let timeout =
        scheduler.isDue
        ? 0 : isFull ? Self.fullMilliseconds : connections.isEmpty ? -1 : Self.tickMilliseconds
      for index in 0..<readiness.wait(milliseconds: timeout) {
        guard let (descriptor, events) = readiness.event(at: index) else { continue }
        if let connection = connections[descriptor] {
          connection.didBecomeReady(events)
        } else if listeners.contains(descriptor) {
          accept(from: descriptor)
        }
      }
      for message in inbox.withLock({ $0.takeMessages() }) { handle(message) }
      if scheduler.isDue { scheduler.send() }
      tick()
    }
    for connection in connections.values { connection.close() }
    closeDescriptors()
    let waiters = inbox.withLock { inbox in
      inbox.hasEnded = true
      return inbox.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  private func handle(_ message: Message) {
    switch message {
    case .answer(let number, let response):
      guard let network = running.removeValue(forKey: number)?.network else { return }
      endRequest(network)
      waiting.removeValue(forKey: number)?.didCompute(response)
    case .changes(let frame): scheduler.append(frame)
    case .found(let number, let position): scheduler.didSeek(number, position)
    case .endWatching(let refusal): scheduler.end(with: refusal)
    case .stopListening:
      for listener in listeners where !isFull { readiness.forget(listener) }
      listeners = []
      isFull = false
    case .giveUp(let response):
      let connections = waiting.values
      waiting = [:]
      for number in queued.keys { dropQueued(number) }
      for connection in connections { connection.didCompute(response) }
    case .end: isOver = true
    }
  }

  private func tick() {
    let now = MonotonicClock.nanoseconds()
    // If descriptors have run out, only the next connection shows whether there are any again.
    if isFull, now >= nextLook, server.limiter.hasRoom || connectionToEvict() != nil {
      isFull = false
      for listener in listeners { readiness.watch(listener, for: [.input, .exclusive]) }
    }
    guard now >= nextTick else { return }
    nextTick = now + UInt64(Self.tickMilliseconds) * 1_000_000
    for connection in connections.values where connection.deadline < now {
      connection.didReachDeadline()
    }
  }

  private func accept(from listener: Int32) {
    for _ in 0..<Self.acceptedAtOnce {
      guard server.limiter.hasRoom || connectionToEvict() != nil else { return becomeFull() }
      var storage = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
      let descriptor = CEpoll_accept(listener, &storage, &length, flags)
      if descriptor >= 0 {
        accept(descriptor, from: PeerAddress.text(of: storage))
      } else if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) {
        connectionToEvict()?.close()
        return becomeFull()
      } else if errno != ECONNABORTED, errno != EINTR {
        return
      }
    }
  }

  /// Stops watching the listeners, since each wait would report them again.
  private func becomeFull() {
    isFull = true
    nextLook = MonotonicClock.nanoseconds() + UInt64(Self.fullMilliseconds) * 1_000_000
    for listener in listeners { readiness.forget(listener) }
  }

  private func accept(_ descriptor: Int32, from address: String) {
    var yes: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    let hadRoom = server.limiter.hasRoom
    guard case .accepted = server.limiter.connect(from: ClientNetwork(of: address)) else {
      reject(descriptor)
      return
    }
    if !hadRoom { connectionToEvict()?.close() }
    connections[descriptor] = HTTPConnection(descriptor, from: address, in: self)
    readiness.watch(descriptor, for: HTTPConnection.firstInterest)
    server.observe(.connected)
  }

  /// Connection to close first on a full server; nil if none may be closed.
  private func connectionToEvict() -> HTTPConnection? {
    let now = MonotonicClock.nanoseconds()
    let ends = connections.values.lazy.compactMap { connection in
      connection.evictionRank(at: now).map { (end: $0, connection) }
    }
    return ends.min { $0.end < $1.end }?.1
  }

  private func closeDescriptors() {
    for descriptor in closedDescriptors { close(descriptor) }
    closedDescriptors = []
  }

  /// Answers 503 to a client whose network has too many connections.
  private func reject(_ descriptor: Int32) {
    let response = ServerResponse.refusal(.serviceUnavailable)
    let bytes = response.head + Array("Connection: close\r\n\r\n".utf8) + response.message.body
    _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    close(descriptor)
  }
}

// Requests of connections to their loop, on its thread.
extension EventLoop {
  /// Reads once from a socket.
  ///
  /// The bytes are valid until the next call; `count` is the result of `recv`, 0 at the end of input.
  func receive(from descriptor: Int32) -> (count: Int, bytes: UnsafeRawBufferPointer) {
    let count = recv(descriptor, scratch.baseAddress, scratch.count, 0)
    return (count, UnsafeRawBufferPointer(rebasing: scratch[..<max(0, count)]))
  }

  func change(_ descriptor: Int32, to interest: EpollPoller.Events) {
    readiness.change(descriptor, to: interest)
  }

  /// Starts the computation of a response, or queues it.
  func computeResponse(
    to request: ServerRequest, for connection: HTTPConnection, reserving bytes: Int
  ) {
    lastNumber += 1
    let number = lastNumber
    waiting[number] = connection
    connection.requestNumber = number
    queued[number] = PendingRequest(request: request, reservedBytes: bytes)
    if turns.enter(request.client.network, number) == .begins { start(number) }
  }

  /// Counts the unsent bytes of a response; beyond a limit, closes the connections with the earliest
  /// deadlines.
  func countUnsentBytes(of connection: HTTPConnection) {
    guard let exchange = connection.exchange else { return }
    let network = exchange.request.client.network
    pendingOutput.add(exchange.pendingOutput, of: network)
    while let crowded = pendingOutput.crowded(after: network) {
      let others = connections.values.filter {
        $0 !== connection && $0.networkOfUnsentBytes == crowded
      }
      guard let slowest = others.min(by: { $0.deadline < $1.deadline }) else { return }
      slowest.dropResponse()
    }
  }

  /// Ends a request and starts the next one.
  private func endRequest(_ network: ClientNetwork) {
    if let number = turns.leave(network) { start(number) }
  }

  /// Starts the task that computes a response.
  private func start(_ number: UInt64) {
    guard let pending = queued.removeValue(forKey: number) else { return }
    let server = server
    let network = pending.request.client.network
    let task = Task {
      // The time in the queue counts.
      let rest = RequestDeadline.standard - (.now - pending.arrival)
      let response = await RequestDeadline.limited(to: rest) {
        await server.responder.response(to: pending.request)
      }
      server.limiter.release(pending.reservedBytes, of: network)
      self.post(.answer(number, response))
    }
    running[number] = RunningRequest(
      network: network, isReading: pending.request.isReading, task: task)
  }

  /// Removes a request from the queue.
  private func dropQueued(_ number: UInt64) {
    guard let pending = queued.removeValue(forKey: number) else { return }
    turns.remove(of: pending.request.client.network) { $0 == number }
    server.limiter.release(pending.reservedBytes, of: pending.request.client.network)
  }

  /// `Date` header line of a response.
  func dateLine() -> [UInt8] { clock.line() }

  /// New trace id for a request without one.
  func newTrace() -> TraceID { traces.next() }

  /// Removes a connection; its socket is closed after the current events.
  func forget(_ connection: HTTPConnection) {
    connections[connection.descriptor] = nil
    closedDescriptors.append(connection.descriptor)
    if let number = connection.requestNumber {
      waiting[number] = nil
      dropQueued(number)
      // A read without a client need not be finished.
      if let run = running[number], run.isReading { run.task.cancel() }
    }
    server.limiter.disconnect(from: connection.network)
    server.observe(.disconnected)
  }
}

/// `Date` header line, formatted once a second (RFC 9110, section 6.6.1).
private struct ResponseClock {
  private var second: time_t = -1
  private var bytes: [UInt8] = []

  mutating func line() -> [UInt8] {
    let now = time(nil)
    guard now != second else { return bytes }
    second = now
    bytes = Array("Date: \(HTTPDate.text(Int64(now)))\r\n".utf8)
    return bytes
  }
}

/// Network address of a client as text; "unknown" if the system cannot format it.
private enum PeerAddress {
  static func text(of storage: sockaddr_storage) -> String {
    var storage = storage
    let isIPv4 = storage.ss_family == sa_family_t(AF_INET)
    let size = isIPv4 ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let code = withUnsafePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        getnameinfo(
          pointer, socklen_t(size), &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
      }
    }
    guard code == 0 else { return "unknown" }
    let text = String(decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    // An IPv4 client of an IPv6 socket.
    return text.hasPrefix("::ffff:") ? String(text.dropFirst(7)) : text
  }
}
