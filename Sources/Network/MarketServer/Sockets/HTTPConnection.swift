import Glibc
import MarketAPI
import MarketModel

/// Connection of one client: receives requests and sends responses, one after the other.
///
/// Confined to the thread of its loop. While a request is answered, at most `aheadBytes` of further
/// requests are read; the end of the connection is noticed in any phase.
final class HTTPConnection {
  /// Phase of the connection, with the state that belongs to it.
  enum Phase {
    /// Waiting for a request, or receiving its head.
    case head(HeadScanner)
    case body(BodyReader, MinimumRateTimer)
    /// A task computes the response.
    case answering
    case sending(OutgoingResponse, MinimumRateTimer, isLast: Bool)
    /// Streaming changes; `watch` holds the state.
    case watching
    /// The last response is sent; further input is discarded, so that the client can read it.
    case lingering(MinimumRateTimer, rest: Int)
    case closed
  }

  /// Next step after bytes of a body.
  private enum BodyStep {
    case waitForMore
    case answer
    case refuse(RequestRejection)
  }

  static let firstInterest: EpollPoller.Events = [.input, .inputEnd]
  /// Maximum number of bytes of further requests that are read while a request is answered.
  private static let aheadBytes = 64 << 10
  /// Maximum input that is discarded after the last response, in multiples of the largest body.
  private static let discardedBodies = 8
  /// Seconds after the last response in which the client must close; input extends it.
  private static let lingerSeconds = 5
  /// Time without a byte after which a body or a response counts as stalled.
  private static let stillNanoseconds: UInt64 = 1_000_000_000

  let descriptor: Int32
  let address: String
  /// Network by which limits count the peer.
  let network: ClientNetwork
  /// Number of the request being answered; nil if there is none.
  var requestNumber: UInt64?
  /// Time at which the connection times out, in nanoseconds of the monotonic clock.
  var deadline: UInt64

  // The loop closes every connection before it ends; a checked reference would cost time with each use.
  unowned(unsafe) let loop: EventLoop
  var phase = Phase.head(HeadScanner())
  var exchange: Exchange?
  /// State of the change subscription; nil without one.
  var watch: WatcherState?
  private var received = ReceiveBuffer()
  private var hasInputEnded = false
  private(set) var interest = firstInterest

  init(_ descriptor: Int32, from address: String, in loop: EventLoop) {
    self.descriptor = descriptor
    self.address = address
    network = ClientNetwork(of: address)
    self.loop = loop
    deadline = MonotonicClock.nanoseconds() + loop.server.limits.idleNanoseconds
  }

  /// Handles events of the socket.
  func didBecomeReady(_ events: EpollPoller.Events) {
    if !events.isDisjoint(with: .broken) { return close() }
    if events.contains(.output) {
      flush()
      advance()
    }
    // The descriptor may be reused by now.
    if case .closed = phase { return }
    if events.contains(.input) {
      receive()
    } else if events.contains(.inputEnd) {
      // Input before the end is read when the connection is ready for it.
      setInterest(interest.subtracting(.inputEnd))
    }
  }

  /// Sends the response that the task computed; ignored in other phases.
  func didCompute(_ response: ServerResponse) {
    guard case .answering = phase else { return }
    requestNumber = nil
    respond(with: response)
    advance()
  }

  /// Called by the event loop when the deadline has passed; closes the connection.
  func didReachDeadline() {
    if case .watching = phase { didReachWatchDeadline() } else { close() }
  }

  /// Closes the connection; the loop closes the socket.
  func close() {
    if case .closed = phase { return }
    phase = .closed
    endSubscription()
    finishExchange()
    loop.forget(self)
  }

  /// Rank of this connection for closing on a full server, the lowest first; nil if it may not be
  /// closed.
  ///
  /// Connections between requests come first, the longest idle before all others; then those whose body
  /// or response is stalled.
  func evictionRank(at now: UInt64) -> UInt64? {
    let idle = loop.server.limits.idleNanoseconds
    switch phase {
    case .head, .lingering: return deadline
    case .body, .sending:
      return deadline + Self.stillNanoseconds < now + idle ? deadline + idle : nil
    case .answering, .watching, .closed: return nil
    }
  }

  /// Closes the connection because its unsent response exceeds a limit.
  func dropResponse() {
    exchange?.endReason = "answers that clients do not take use up their room"
    close()
  }

  /// Network that the unsent bytes of the response count for; nil if there are none.
  var networkOfUnsentBytes: ClientNetwork? {
    guard let exchange, exchange.pendingOutput > 0 else { return nil }
    return exchange.request.client.network
  }
}

// Input.
extension HTTPConnection {
  private func receive() {
    let (count, bytes) = loop.receive(from: descriptor)
    if count > 0 {
      take(bytes)
    } else if count == 0 {
      didEndInput()
    } else if errno != EAGAIN, errno != EINTR {
      close()
    }
  }

  private func take(_ bytes: UnsafeRawBufferPointer) {
    var bytes = bytes
    if case .lingering = phase { return discard(bytes.count) }
    if isStreaming { return closeUnexpectedInput() }
    if case .body = phase, received.isEmpty {
      let (count, step) = readBody(bytes)
      bytes = UnsafeRawBufferPointer(rebasing: bytes[count...])
      proceed(after: step)
    }
    if case .lingering = phase { return discard(bytes.count) }
    if isBetweenRequests, let head = loop.heads.head(of: bytes) { return beginCached(head) }
    received.append(bytes)
    advance()
    if received.count >= Self.aheadBytes, isBusy { setInterest(interest.subtracting(.input)) }
  }

  /// Whether the next byte begins a request.
  private var isBetweenRequests: Bool {
    guard received.isEmpty, case .head(let scanner) = phase else { return false }
    return scanner.scanned == 0
  }

  /// Begins a request whose cached head is all the input.
  private func beginCached(_ head: RequestHead) {
    do throws(RequestRejection) {
      try begin(head)
    } catch {
      refuse(error)
    }
  }

  /// Parses the input as far as the phase allows.
  func advance() {
    while !received.isEmpty {
      let before = received.count
      switch phase {
      case .head(var scanner): takeHead(&scanner)
      case .body:
        let (count, step) = received.withUnused { readBody($0) }
        received.use(count)
        proceed(after: step)
      case .answering, .sending, .watching, .lingering, .closed: return
      }
      if case .head = phase, received.count == before { break }
    }
    if received.isEmpty { received.forget() }
    if hasInputEnded, !isBusy { close() }
  }

  /// Whether there is input after the request being answered.
  var hasFurtherInput: Bool { !received.isEmpty }

  /// Frees the memory of used input, before a long time without requests.
  func dropUsedInput() { received.dropUsed() }

  /// Whether a request is being answered.
  private var isBusy: Bool {
    switch phase {
    case .answering, .sending, .watching: true
    case .head, .body, .lingering, .closed: false
    }
  }

  /// Handles the end of input.
  ///
  /// In the middle of a request the client has gone; after a complete one it may wait for the response.
  private func didEndInput() {
    hasInputEnded = true
    // The loss of a subscriber would stay unnoticed for a long time.
    if case .watching = phase { return close() }
    if isBusy { setInterest(interest.intersection(.output)) } else { close() }
  }

  private func discard(_ count: Int) {
    guard case .lingering(var timer, let rest) = phase else { return }
    guard rest > count else { return close() }
    timer.didMove(count, at: MonotonicClock.nanoseconds())
    phase = .lingering(timer, rest: rest - count)
    deadline = timer.deadline
  }

  private func takeHead(_ scanner: inout HeadScanner) {
    if scanner.scanned == 0, !received.skipEmptyLines() { return }
    let limits = loop.server.limits
    let isFirst = scanner.scanned == 0
    do throws(RequestRejection) {
      let head = try readHead(&scanner)
      guard let head else {
        guard received.count <= limits.header else { throw .headersTooLarge }
        phase = .head(scanner)
        if isFirst, scanner.scanned > 0 {
          deadline = MonotonicClock.nanoseconds() + limits.idleNanoseconds
        }
        return
      }
      try begin(head)
    } catch {
      refuse(error)
    }
  }

  /// Parses the head of a request; nil if it is incomplete.
  /// - Throws: `.headersTooLarge` beyond the limit, else what `HeadScanner` and `RequestHead` throw.
  private func readHead(_ scanner: inout HeadScanner) throws(RequestRejection) -> RequestHead? {
    var length = 0
    defer { received.use(length) }
    return try received.withUnused { bytes throws(RequestRejection) -> RequestHead? in
      guard let end = try scanner.end(in: bytes) else { return nil }
      guard end <= loop.server.limits.header else { throw .headersTooLarge }
      length = end
      let bytes = UnsafeRawBufferPointer(rebasing: bytes[..<end])
      let head = try RequestHead(parsing: bytes)
      loop.heads.store(head, of: bytes)
      return head
    }
  }
}

// Requests.
extension HTTPConnection {
  private func begin(_ head: RequestHead) throws(RequestRejection) {
    let server = loop.server
    let client =
      server.trustsProxy
      ? RemoteClient(behind: address, headers: head.headers) : RemoteClient(address: address)
    beginExchange(
      ServerRequest(head.method, head.target, headers: head.headers, from: client), head)
    guard head.framing != .none else { return answerRequest() }
    let limit =
      exchange.flatMap { server.responder.bodyLimit(for: $0.request) } ?? server.limits.body
    if case .length(let count) = head.framing, count > limit { throw .contentTooLarge }
    let timer = MinimumRateTimer(
      graceSeconds: server.limits.idleSeconds, at: MonotonicClock.nanoseconds())
    phase = .body(BodyReader(head.framing, limit: limit), timer)
    deadline = timer.deadline
    if head.expectsContinue, received.isEmpty { sendContinue() }
  }

  private func beginExchange(_ request: ServerRequest, _ head: RequestHead?) {
    let trace = head.flatMap { TraceID(of: $0.headers) } ?? loop.newTrace()
    exchange = Exchange(request, head, trace: trace, at: MonotonicClock.nanoseconds())
    loop.server.limiter.beginRequest()
  }

  private func finishExchange(at now: UInt64 = MonotonicClock.nanoseconds()) {
    guard let exchange = exchange.take() else { return }
    // Few requests hold bytes, and computing the network takes longer than the check.
    if exchange.reservedBytes > 0 {
      loop.server.limiter.release(exchange.reservedBytes, of: exchange.request.client.network)
    }
    loop.server.limiter.endRequest()
    loop.pendingOutput.remove(exchange.pendingOutput, of: exchange.request.client.network)
    loop.server.observe(.finished(exchange.finished(at: now)))
  }

  /// Sends `100 Continue`; a client that does not receive it sends the body after a while all the same.
  private func sendContinue() {
    let line = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
    _ = send(descriptor, line, line.count, Int32(MSG_NOSIGNAL))
  }

  /// Consumes bytes of the body; returns their number and the next step.
  private func readBody(_ bytes: UnsafeRawBufferPointer) -> (count: Int, step: BodyStep) {
    guard case .body(var reader, var timer) = phase, let network = exchange?.request.client.network
    else { return (0, .waitForMore) }
    // The local reader is the only owner of its bytes, so that changing it does not copy them.
    phase = .answering
    let before = reader.body.count
    do throws(RequestRejection) {
      let count = try reader.take(from: bytes)
      let more = reader.body.count - before
      guard loop.server.limiter.reserve(more, for: network) else { throw .unavailable }
      exchange?.reservedBytes += more
      timer.didMove(count, at: MonotonicClock.nanoseconds())
      deadline = timer.deadline
      if let exchange {
        loop.server.responder.didReceive(
          reader.body.count, of: reader.expected, as: exchange.trace, exchange.request)
      }
      guard reader.isDone else {
        phase = .body(reader, timer)
        return (count, .waitForMore)
      }
      exchange?.request.body = reader.body
      return (count, .answer)
    } catch {
      return (bytes.count, .refuse(error))
    }
  }

  private func proceed(after step: BodyStep) {
    switch step {
    case .waitForMore: break
    case .answer: answerRequest()
    case .refuse(let refusal): refuse(refusal)
    }
  }

  /// Responds from the cache, or starts the computation of the response.
  private func answerRequest() {
    guard let exchange else { return }
    let request = exchange.request
    if !request.body.isEmpty { self.exchange?.request.body = [] }
    if let known = loop.server.responder.immediateResponse(to: request) {
      return respond(with: known)
    }
    phase = .answering
    deadline = .max
    self.exchange?.reservedBytes = 0
    loop.computeResponse(to: request, for: self, reserving: exchange.reservedBytes)
  }

  /// Responds with an error status and ends the connection.
  private func refuse(_ refusal: RequestRejection) {
    let own =
      refusal == .contentTooLarge
      ? exchange.flatMap { loop.server.responder.refusal(ofLargeBody: $0.request) } : nil
    if exchange == nil {
      // The log has a line for an unreadable request, too.
      let nothing = ServerRequest(
        HTTPMethod(rawValue: "-"), "-", from: RemoteClient(address: address))
      beginExchange(nothing, nil)
    }
    respond(
      with: own ?? .refusal(HTTPStatus(rawValue: refusal.status), because: refusal.reason),
      isLast: true)
  }
}

// Output.
extension HTTPConnection {
  private static let closeLine = Array("Connection: close\r\n\r\n".utf8)
  private static let keepAliveLine = Array("Connection: keep-alive\r\n\r\n".utf8)
  /// Capacity for the lines of date, trace and connection.
  private static let lastLinesBytes = 128

  /// Trace header line, which identifies a failed request.
  private static func traceLine(_ trace: TraceID) -> [UInt8] {
    Array("\(TraceID.responseName): ".utf8) + trace.bytes + [0x0D, 0x0A]
  }

  private static let emptyLine = Array("\r\n".utf8)

  func respond(with response: ServerResponse, isLast: Bool = false) {
    guard let exchange else { return }
    if let watch = response.watch { return beginWatching(watch, with: response) }
    self.exchange?.sent = response
    let server = loop.server
    let isLast = isLast || !exchange.isKeptAlive || server.limiter.isDraining
    var head: [UInt8] = []
    head.reserveCapacity(response.head.count + Self.lastLinesBytes)
    head += response.head
    head += loop.dateLine()
    if response.message.status.rawValue >= 400 { head += Self.traceLine(exchange.trace) }
    head += isLast ? Self.closeLine : exchange.asksToKeepAlive ? Self.keepAliveLine : Self.emptyLine
    let hasBody =
      exchange.request.method != .head && ServerResponse.mayHaveBody(response.message.status)
    startSending(
      OutgoingResponse(head: head, body: hasBody ? response.message.body : []), isLast: isLast)
  }

  /// Starts sending a response; most are sent at once.
  private func startSending(_ answer: consuming OutgoingResponse, isLast: Bool) {
    var outgoing = answer
    var moved = 0
    switch outgoing.send(on: descriptor, moving: &moved) {
    case .done: didSend(isLast: isLast)
    case .broken: close()
    case .blocked:
      let limits = loop.server.limits
      let timer = MinimumRateTimer(
        graceSeconds: limits.idleSeconds, at: MonotonicClock.nanoseconds())
      deadline = timer.deadline
      exchange?.pendingOutput = outgoing.count
      phase = .sending(outgoing, timer, isLast: isLast)
      setInterest(interest.union(.output))
      loop.countUnsentBytes(of: self)
    }
  }

  func flush() {
    if case .watching = phase { return flushWatch() }
    guard case .sending(var outgoing, var timer, let isLast) = phase else { return }
    var moved = 0
    switch outgoing.send(on: descriptor, moving: &moved) {
    case .done: didSend(isLast: isLast)
    case .broken: close()
    case .blocked:
      timer.didMove(moved, at: MonotonicClock.nanoseconds())
      deadline = timer.deadline
      phase = .sending(outgoing, timer, isLast: isLast)
      setInterest(interest.union(.output))
    }
  }

  func didSend(isLast: Bool) {
    let now = MonotonicClock.nanoseconds()
    finishExchange(at: now)
    if !isLast {
      phase = .head(HeadScanner())
      deadline = now + loop.server.limits.idleNanoseconds
      setInterest(hasInputEnded ? [] : Self.firstInterest)
    } else if hasInputEnded {
      close()
    } else {
      linger()
    }
  }

  /// Shuts down sending and waits for the client to close: closing with unread input could discard the
  /// response (RFC 9112, section 9.6).
  private func linger() {
    shutdown(descriptor, Int32(SHUT_WR))
    received.forget()
    let timer = MinimumRateTimer(graceSeconds: Self.lingerSeconds, at: MonotonicClock.nanoseconds())
    phase = .lingering(timer, rest: Self.discardedBodies * loop.server.limits.body)
    deadline = timer.deadline
    setInterest(Self.firstInterest)
  }

  /// Changes the events that the connection is woken for.
  func setInterest(_ events: EpollPoller.Events) {
    guard events != interest else { return }
    interest = events
    loop.change(descriptor, to: events)
  }
}
