import Glibc
import MarketAPI

/// Connection of one client: requests in, answers out, one after the other.
///
/// Belongs to the thread of its loop. While a request is answered nothing of the next one is read
/// beyond a bound, but the end of the connection is noticed whatever it was doing.
final class Connection {
  /// Phase of the connection.
  enum Phase {
    /// Waiting for a request, or in the middle of its head.
    case head(HeadScanner)
    case body(BodyReader, Pace)
    /// A task is finding the answer.
    case answering
    case sending(Outgoing, Pace, isLast: Bool)
    /// The client is told what changes, as `watch` says.
    case watching
    /// The last answer is out; what still comes is thrown away, so that the client can read it.
    case leaving(Pace, rest: Int)
    case closed
  }

  /// Step that follows from bytes of a body.
  private enum BodyStep {
    case waitForMore
    case find
    case refuse(RequestRefusal)
  }

  /// Request whose answer is not out yet: what its head said, and what is counted for it.
  struct Exchange {
    var request: ServerRequest
    /// The target as it stood in the request line.
    let target: String
    let isKeptAlive: Bool
    let asksToKeepAlive: Bool
    let isHTTP10: Bool
    let began: UInt64
    /// Bytes of the body that are counted for its sender.
    var heldBytes = 0
    /// Address whose turn lasts until the answer is out; nil where none does.
    var turn: String?
    var sent: ServerResponse?
    /// Whether the client watched, however long.
    var isWatch = false
    /// Bytes of a stream; nil where the answer has a length.
    var streamedBytes: Int?
    /// Reason why the server ended it; nil where it did not.
    var endReason: String?
  }

  static let firstInterest: Readiness.Events = [.input, .inputEnd]
  /// Bytes of further requests that are read while one is answered.
  private static let aheadBytes = 64 << 10
  /// Room for requests that a connection without one keeps.
  private static let keptBytes = 4 << 10
  /// Bodies of the largest size that are thrown away after a refusal.
  private static let discardedBodies = 8
  /// Seconds in which a client that was answered for the last time has to end, while it is silent.
  private static let leavingSeconds = 5

  let descriptor: Int32
  let address: String
  /// The number of the request for the task that answers.
  var requestNumber: UInt64?
  /// Time at which the connection ends unless something happens, in nanoseconds of the monotonic
  /// clock.
  var deadline: UInt64

  unowned let loop: EventLoop
  var phase = Phase.head(HeadScanner())
  var exchange: Exchange?
  /// Set while the client watches.
  var watch: WatchState?
  private var input: [UInt8] = []
  /// Bytes at the beginning of `input` that were used.
  private var used = 0
  private var hasInputEnded = false
  private(set) var interest = firstInterest

  init(_ descriptor: Int32, from address: String, in loop: EventLoop) {
    self.descriptor = descriptor
    self.address = address
    self.loop = loop
    deadline = MonotonicClock.nanoseconds() + loop.server.limits.idleNanoseconds
  }

  /// Takes note of what has happened to the socket.
  func didBecomeReady(_ events: Readiness.Events) {
    if !events.isDisjoint(with: .broken) { return breakOff() }
    if events.contains(.output) {
      flush()
      advance()
    }
    // Its descriptor may belong to somebody else by now.
    if case .closed = phase { return }
    if events.contains(.input) {
      receive()
    } else if events.contains(.inputEnd) {
      // What came before the end is read when there is time for it.
      show(interest.subtracting(.inputEnd))
    }
  }

  /// Sends the answer that was found in the turn of an address, which ends with it; nil where no
  /// turn does.
  func answer(_ response: ServerResponse, inTurnOf address: String?) {
    guard case .answering = phase else {
      if let address { loop.endTurn(address) }
      return
    }
    requestNumber = nil
    if response.message.body.count > loop.server.limits.largeAnswer {
      exchange?.turn = address
    } else if let address {
      loop.endTurn(address)
    }
    respond(with: response)
    advance()
  }

  /// It is past the deadline.
  func didReachDeadline() {
    if case .watching = phase { didReachWatchDeadline() } else { breakOff() }
  }

  /// Ends the connection at once.
  func breakOff() {
    if case .closed = phase { return }
    phase = .closed
    leaveDesk()
    finishExchange()
    loop.forget(self)
    close(descriptor)
  }
}

// Bytes that come in.
extension Connection {
  private func receive() {
    let (count, bytes) = loop.receive(from: descriptor)
    if count > 0 {
      take(bytes)
    } else if count == 0 {
      didEndInput()
    } else if errno != EAGAIN, errno != EINTR {
      breakOff()
    }
  }

  private func take(_ bytes: UnsafeRawBufferPointer) {
    var bytes = bytes
    if case .leaving = phase { return discard(bytes.count) }
    if case .body = phase, used == input.count {
      let (count, step) = readBody(bytes)
      bytes = UnsafeRawBufferPointer(rebasing: bytes[count...])
      proceed(after: step)
    }
    if case .leaving = phase { return discard(bytes.count) }
    if used > Self.keptBytes {
      // Somebody who always has half a request under way must not make this grow.
      input.removeFirst(used)
      used = 0
    }
    input.append(contentsOf: bytes)
    advance()
    if input.count - used >= Self.aheadBytes, isBusy { show(interest.subtracting(.input)) }
  }

  /// Goes on with what has arrived, as far as it goes.
  func advance() {
    while used < input.count {
      let before = used
      switch phase {
      case .head(var scanner): takeHead(&scanner)
      case .body:
        let (count, step) = input.withUnsafeBytes { bytes in
          readBody(UnsafeRawBufferPointer(rebasing: bytes[used...]))
        }
        used += count
        proceed(after: step)
      case .answering, .sending, .watching, .leaving, .closed: return
      }
      if case .head = phase, used == before { break }
    }
    if used == input.count { forgetInput() }
    if hasInputEnded, !isBusy { breakOff() }
  }

  /// Gives the room of what was used back, before a long time without requests.
  func forgetUsedInput() {
    input = Array(input[used...])
    used = 0
  }

  private func forgetInput() {
    input.removeAll(keepingCapacity: input.capacity <= Self.keptBytes)
    used = 0
  }

  /// Whether a request is being answered.
  private var isBusy: Bool {
    switch phase {
    case .answering, .sending, .watching: true
    case .head, .body, .leaving, .closed: false
    }
  }

  /// The client will send nothing more.
  ///
  /// In the middle of a request it has gone; after a whole one it may wait for its answer.
  private func didEndInput() {
    hasInputEnded = true
    // Nobody would notice for a long time that a watcher has gone.
    if case .watching = phase { return breakOff() }
    if isBusy { show(interest.intersection(.output)) } else { breakOff() }
  }

  private func discard(_ count: Int) {
    guard case .leaving(var pace, let rest) = phase else { return }
    guard rest > count else { return breakOff() }
    pace.didMove(count, at: MonotonicClock.nanoseconds())
    phase = .leaving(pace, rest: rest - count)
    deadline = pace.deadline
  }

  private func takeHead(_ scanner: inout HeadScanner) {
    guard skipEmptyLines(scanner) else { return }
    let limits = loop.server.limits
    let isFirst = scanner.scanned == 0
    do throws(RequestRefusal) {
      let head = try input.withBytes { bytes throws(RequestRefusal) -> RequestHead? in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[used...])
        guard let length = try scanner.end(in: rest) else { return nil }
        guard length <= limits.header else { throw .headersTooLarge }
        used += length
        return try RequestHead(parsing: UnsafeRawBufferPointer(rebasing: rest[..<length]))
      }
      guard let head else {
        guard input.count - used <= limits.header else { throw .headersTooLarge }
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

  /// Passes over empty lines before a request, which older clients send after a body (RFC 9112,
  /// section 2.2); true where a request begins here, else more has to come.
  private func skipEmptyLines(_ scanner: HeadScanner) -> Bool {
    guard scanner.scanned == 0 else { return true }
    while used < input.count, input[used] == UInt8(ascii: "\r") {
      guard used + 1 < input.count else { return false }
      guard input[used + 1] == UInt8(ascii: "\n") else { return true }
      used += 2
    }
    return used < input.count
  }
}

// Requests.
extension Connection {
  private func begin(_ head: RequestHead) throws(RequestRefusal) {
    let server = loop.server
    let client =
      server.trustsProxy
      ? RemoteClient(behind: address, headers: head.headers) : RemoteClient(address: address)
    beginExchange(
      ServerRequest(head.method, head.target, headers: head.headers, from: client), head)
    if case .length(let count) = head.framing, count > server.limits.body {
      throw .contentTooLarge
    }
    guard head.framing != .none else { return find() }
    let pace = Pace(
      graceSeconds: server.limits.idleSeconds, at: MonotonicClock.nanoseconds())
    phase = .body(BodyReader(head.framing, limit: server.limits.body), pace)
    deadline = pace.deadline
    if head.expectsContinue, used == input.count { invite() }
  }

  private func beginExchange(_ request: ServerRequest, _ head: RequestHead?) {
    exchange = Exchange(
      request: request, target: head?.target ?? request.target,
      isKeptAlive: head?.isKeptAlive ?? false, asksToKeepAlive: head?.asksToKeepAlive ?? false,
      isHTTP10: head?.isHTTP10 ?? false,
      began: MonotonicClock.nanoseconds())
    loop.server.traffic.beginRequest()
  }

  private func finishExchange() {
    guard let exchange else { return }
    self.exchange = nil
    let request = exchange.request
    loop.server.traffic.release(exchange.heldBytes, of: request.client.address)
    loop.server.traffic.endRequest()
    if let turn = exchange.turn { loop.endTurn(turn) }
    loop.server.observe(
      .finished(
        FinishedRequest(
          client: request.client, method: request.method, target: exchange.target,
          status: exchange.sent?.message.status,
          byteCount: exchange.streamedBytes ?? exchange.sent?.message.body.count ?? 0,
          nanoseconds: MonotonicClock.nanoseconds() - exchange.began,
          reason: exchange.endReason ?? exchange.sent?.reason, isWatch: exchange.isWatch)))
  }

  /// Asks for the body; a client that does not hear it sends it after a while all the same.
  private func invite() {
    let line = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
    _ = send(descriptor, line, line.count, Int32(MSG_NOSIGNAL))
  }

  /// Takes what belongs to the body: how many bytes that were, and what follows from them.
  private func readBody(_ bytes: UnsafeRawBufferPointer) -> (count: Int, step: BodyStep) {
    guard case .body(var reader, var pace) = phase, let address = exchange?.request.client.address
    else { return (0, .waitForMore) }
    // The reader is the only holder of its bytes, so that they are not copied when it changes.
    phase = .answering
    let before = reader.body.count
    do throws(RequestRefusal) {
      let count = try reader.take(from: bytes)
      let more = reader.body.count - before
      guard loop.server.traffic.hold(more, for: address) else { throw .unavailable }
      exchange?.heldBytes += more
      pace.didMove(count, at: MonotonicClock.nanoseconds())
      deadline = pace.deadline
      guard reader.isDone else {
        phase = .body(reader, pace)
        return (count, .waitForMore)
      }
      exchange?.request.body = reader.body
      return (count, .find)
    } catch {
      return (bytes.count, .refuse(error))
    }
  }

  private func proceed(after step: BodyStep) {
    switch step {
    case .waitForMore: break
    case .find: find()
    case .refuse(let refusal): refuse(refusal)
    }
  }

  /// Looks for the answer, at once or in a task.
  private func find() {
    guard let exchange else { return }
    let request = exchange.request
    self.exchange?.request.body = []
    if let known = loop.server.responder.knownResponse(to: request) {
      return respond(with: known)
    }
    phase = .answering
    deadline = .max
    self.exchange?.heldBytes = 0
    loop.findAnswer(to: request, for: self, holding: exchange.heldBytes)
  }

  /// Answers what is no request, or none that is taken, and ends the connection.
  private func refuse(_ refusal: RequestRefusal) {
    if exchange == nil {
      // The log has a line for it all the same.
      let nothing = ServerRequest(
        HTTPMethod(rawValue: "-"), "-", from: RemoteClient(address: address))
      beginExchange(nothing, nil)
    }
    respond(
      with: .refusal(HTTPStatus(rawValue: refusal.status), because: refusal.reason), isLast: true)
  }
}

// Bytes that go out.
extension Connection {
  private static let closeLine = Array("Connection: close\r\n\r\n".utf8)
  private static let keepAliveLine = Array("Connection: keep-alive\r\n\r\n".utf8)
  /// Room for the date and for what is said of the connection.
  private static let lastLinesBytes = 80
  private static let emptyLine = Array("\r\n".utf8)

  func respond(with response: ServerResponse, isLast: Bool = false) {
    guard let exchange else { return }
    if let watch = response.watch { return beginWatching(watch, with: response) }
    self.exchange?.sent = response
    let server = loop.server
    let isLast = isLast || !exchange.isKeptAlive || server.traffic.isDraining
    var head: [UInt8] = []
    head.reserveCapacity(response.head.count + Self.lastLinesBytes)
    head += response.head
    head += loop.dateLine()
    head += isLast ? Self.closeLine : exchange.asksToKeepAlive ? Self.keepAliveLine : Self.emptyLine
    let hasBody =
      exchange.request.method != .head && ServerResponse.mayHaveBody(response.message.status)
    let outgoing = Outgoing(head: head, body: hasBody ? response.message.body : [])
    let pace = Pace(graceSeconds: server.limits.idleSeconds, at: MonotonicClock.nanoseconds())
    deadline = pace.deadline
    phase = .sending(outgoing, pace, isLast: isLast)
    flush()
  }

  func flush() {
    if case .watching = phase { return flushWatch() }
    guard case .sending(var outgoing, var pace, let isLast) = phase else { return }
    var moved = 0
    switch outgoing.send(on: descriptor, moving: &moved) {
    case .done: didSend(isLast: isLast)
    case .broken: breakOff()
    case .blocked:
      pace.didMove(moved, at: MonotonicClock.nanoseconds())
      deadline = pace.deadline
      phase = .sending(outgoing, pace, isLast: isLast)
      show(interest.union(.output))
    }
  }

  func didSend(isLast: Bool) {
    finishExchange()
    if !isLast {
      phase = .head(HeadScanner())
      deadline = MonotonicClock.nanoseconds() + loop.server.limits.idleNanoseconds
      show(hasInputEnded ? [] : Self.firstInterest)
    } else if hasInputEnded {
      breakOff()
    } else {
      leave()
    }
  }

  /// Ends this direction, and waits for the client to end its own: a connection that is closed with
  /// bytes unread takes the answer away from the client (RFC 9112, section 9.6).
  private func leave() {
    shutdown(descriptor, Int32(SHUT_WR))
    forgetInput()
    let pace = Pace(graceSeconds: Self.leavingSeconds, at: MonotonicClock.nanoseconds())
    phase = .leaving(pace, rest: Self.discardedBodies * loop.server.limits.body)
    deadline = pace.deadline
    show(Self.firstInterest)
  }

  /// Asks to be told of these events from now on.
  func show(_ events: Readiness.Events) {
    guard events != interest else { return }
    interest = events
    loop.change(descriptor, to: events)
  }
}
