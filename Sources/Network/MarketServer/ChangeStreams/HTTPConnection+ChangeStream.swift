import Glibc
import MarketAPI
import MarketModel

// Connection with a change subscription.
extension HTTPConnection {
  /// Size of the send buffer of a stream in bytes.
  private static let sendBuffer: Int32 = 16 << 10
  /// Milliseconds after which an unacknowledged stream is closed (`TCP_USER_TIMEOUT`).
  private static let lostClientMilliseconds: UInt32 = 60_000
  /// Maximum number of heartbeats that are due while a stream is blocked; beyond it the stream is
  /// closed.
  private static let maxMissedHeartbeats = 4

  private var scheduler: WatcherScheduler { loop.scheduler }

  /// Whether the connection has an event stream, the last response on it.
  var isStreaming: Bool {
    if case .watching = phase, case .stream = watch?.form { true } else { false }
  }

  /// Begins a subscription, or answers 503 if the limit is reached or the server is draining.
  func beginWatching(_ watch: ChangeSubscription, with response: ServerResponse) {
    guard let request = exchange?.request else { return }
    if case .stream = watch.request.form, hasFurtherInput {
      // The input would stay unread and use memory as long as the stream.
      return respond(
        with: .refusal(.badRequest, because: "more came behind the request"), isLast: true)
    }
    let client = request.client.network
    let limiter = loop.server.limiter
    guard !limiter.isDraining, limiter.beginWatching(client, from: network) else {
      return respond(with: Self.refusal)
    }
    exchange?.request.headers = [:]
    exchange?.sent = response
    dropUsedInput()
    let form: WatcherState.Form =
      switch watch.request.form {
      case .stream: .stream(isChunked: exchange?.isHTTP10 == false)
      case .poll(let seconds):
        .poll(end: MonotonicClock.nanoseconds() + UInt64(seconds) * 1_000_000_000)
      }
    var state = WatcherState(
      scheduler.add(self, of: watch.broadcaster), form, of: client, watch.request)
    if case .stream(let isChunked) = form {
      limitBuffers()
      addHead(of: response, isChunked: isChunked, to: &state)
      // Shows the client that no proxy holds the stream back.
      if watch.request.cursor != nil { state.addContent(ChangeCoding.comment) }
    }
    self.watch = state
    phase = .watching
    setDeadline()
    scheduler.seek(state.number, after: watch.request.cursor)
    flush()
  }

  /// Continues at the position that the broadcaster found.
  func didSeek(_ position: ChangeBroadcaster.WatcherPosition) {
    guard watch?.isEnding == false else { return }
    switch position {
    case .failed: endWatching(refusing: Self.refusal)
    case .missed(let frame): sendMissed(frame)
    case .joined(let next, let cursor):
      watch?.cursor = cursor
      // Frames were dropped since the position was found.
      guard !scheduler.hasDropped(next) else {
        return scheduler.seek(watch?.number ?? 0, after: cursor)
      }
      watch?.next = next
      sendCursor(at: cursor)
      sendPending()
    }
  }

  /// Sends the frames that are new to this watcher, or answers its poll.
  func sendPending() {
    guard case .watching = phase, let state = watch, let next = state.next else { return }
    if scheduler.hasDropped(next) { return dropWatcher() }
    switch state.form {
    case .stream: if !state.isBlocked { flush() }
    case .poll(let end):
      if let answer = scheduler.answer(from: next) {
        answerPoll(answer)
      } else if end <= MonotonicClock.nanoseconds(), let cursor = state.cursor {
        answerPoll(answer(ChangeBatch(changes: [], cursor: cursor)))
      }
    }
  }

  /// Sends a heartbeat, answers a poll whose time has passed, or closes a stalled stream.
  func didReachWatchDeadline() {
    guard let state = watch else { return close() }
    switch state.form {
    case .poll:
      if state.next != nil { sendPending() } else { endWatching(refusing: Self.refusal) }
    case .stream where state.isEnding: close()
    case .stream where state.isBlocked:
      watch?.missedHeartbeats += 1
      if state.missedHeartbeats >= Self.maxMissedHeartbeats { dropWatcher() } else { setDeadline() }
    case .stream:
      watch?.addContent(ChangeCoding.comment)
      setDeadline()
      flush()
    }
  }

  /// Sends the bytes of a stream, those of this watcher first.
  func flushWatch() {
    while case .watching = phase, let progress = sendNext() {
      switch progress {
      case .done: didProgress()
      case .broken: return close()
      case .blocked:
        watch?.isBlocked = true
        return setInterest(interest.union(.output))
      }
    }
  }

  /// Closes the stream of a client that sends another request.
  func closeUnexpectedInput() {
    exchange?.endReason = "the client sent more behind its request"
    endSubscription(isDropped: true)
    close()
  }

  /// Ends a stream with its last chunk, or answers a poll with its cursor, else with `refusal`.
  func endWatching(refusing refusal: ServerResponse) {
    guard let state = watch, !state.isEnding else { return }
    switch state.form {
    case .poll:
      let cursor = state.next == nil ? nil : state.cursor
      answerPoll(cursor.map { answer(ChangeBatch(changes: [], cursor: $0)) } ?? refusal)
    case .stream(let isChunked):
      watch?.isEnding = true
      // A partly sent frame cannot be followed by the last chunk.
      if isChunked, state.offset == 0 { watch?.add(ChangeFrame.lastChunk) }
      setDeadline(seconds: loop.server.limits.idleSeconds)
      flush()
    }
  }

  /// Ends the subscription in all counters, and records the sent bytes for the log.
  func endSubscription(isDropped: Bool = false) {
    guard let state = watch else { return }
    exchange?.isWatch = true
    if case .stream = state.form { exchange?.streamedBytes = state.sentBytes }
    watch = nil
    scheduler.remove(state.number, isDropped: isDropped)
    loop.server.limiter.endWatching(state.client, from: network)
  }
}

extension HTTPConnection {
  private static let refusal: ServerResponse = {
    var response = HTTPResponse.failure(
      .serviceUnavailable, "Too many watch, or nothing can be read")
    response.headers[HeaderName.retryAfter] = "5"
    return ServerResponse(response)
  }()

  private func answer(_ batch: ChangeBatch) -> ServerResponse {
    ServerResponse(ChangeCoding.answer(batch))
  }

  /// Adds changes that only this watcher has missed, after which it seeks again.
  private func sendMissed(_ frame: ChangeFrame) {
    guard let state = watch, case .stream(let isChunked) = state.form else {
      return answerPoll(answer(frame.batch))
    }
    watch?.cursor = frame.batch.cursor
    watch?.seeksAgain = true
    watch?.add(frame.bytes(isChunked: isChunked))
    scheduler.didSend(frame)
    flush()
  }

  private func sendCursor(at cursor: ChangeCursor) {
    guard let state = watch, !state.clientHasCursor else { return }
    watch?.clientHasCursor = true
    switch state.form {
    case .stream:
      watch?.addContent(ChangeCoding.hello(at: cursor))
      flush()
    case .poll: answerPoll(answer(ChangeBatch(changes: [], cursor: cursor)))
    }
  }

  /// Sends the next bytes; nil if there is nothing to send now.
  private func sendNext() -> OutgoingResponse.Progress? {
    guard let state = watch else { return nil }
    if state.hasOwn { return watch?.sendOwn(on: descriptor) }
    if state.isEnding {
      endStream()
      return nil
    }
    if state.seeksAgain {
      watch?.seeksAgain = false
      scheduler.seek(state.number, after: state.cursor)
      return nil
    }
    guard let next = state.next, let frame = scheduler.frame(next) else { return nil }
    let progress = watch?.send(frame, on: descriptor)
    if case .done = progress { scheduler.didSend(frame) }
    return progress
  }

  private func didProgress() {
    watch?.missedHeartbeats = 0
    guard watch?.isBlocked == true else { return setDeadline() }
    watch?.isBlocked = false
    setInterest(interest.subtracting(.output))
    setDeadline()
  }

  private func setDeadline() {
    switch watch?.form {
    case .poll(let end): deadline = end
    case .stream, nil:
      setDeadline(
        seconds: watch?.isEnding == true
          ? loop.server.limits.idleSeconds : loop.server.limits.commentSeconds)
    }
  }

  private func setDeadline(seconds: Int) {
    deadline = MonotonicClock.nanoseconds() + UInt64(seconds) * 1_000_000_000
  }

  private func answerPoll(_ response: ServerResponse) {
    endSubscription()
    phase = .answering
    respond(with: response)
    advance()
  }

  private func endStream() {
    endSubscription()
    didSend(isLast: true)
  }

  private func dropWatcher() {
    exchange?.endReason = "the client did not take its events"
    endSubscription(isDropped: true)
    close()
  }

  private func addHead(of response: ServerResponse, isChunked: Bool, to state: inout WatcherState) {
    state.add(response.head)
    if isChunked { state.add("Transfer-Encoding: chunked\r\n".utf8) }
    state.add(loop.dateLine())
    state.add("Connection: close\r\n\r\n".utf8)
  }

  /// Limits the system's send buffer, since a stream is slow, and the time until a lost client is
  /// noticed.
  private func limitBuffers() {
    var bytes = Self.sendBuffer
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    var milliseconds = Self.lostClientMilliseconds
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds,
      socklen_t(MemoryLayout<UInt32>.size))
  }
}
