import Glibc
import MarketAPI
import MarketModel

// A connection whose client watches.
extension HTTPConnection {
  /// Bytes that the system keeps for a watcher.
  private static let sendBuffer: Int32 = 16 << 10
  /// Milliseconds in which a client that is gone is noticed.
  private static let goneMilliseconds: UInt32 = 60_000
  /// Comments that a client may leave untaken.
  private static let maxUntakenComments = 4

  private var scheduler: WatcherScheduler { loop.scheduler }

  /// Whether the client is told a stream, which is the last that it hears on this connection.
  var isStreaming: Bool {
    if case .watching = phase, case .stream = watch?.form { true } else { false }
  }

  /// Begins to tell a client what changes, or refuses where too many watch.
  func beginWatching(_ watch: ChangeSubscription, with response: ServerResponse) {
    guard let request = exchange?.request else { return }
    if case .stream = watch.request.form, hasFurtherInput {
      // Nobody would read it, and the room that it takes was kept as long as the stream.
      return respond(
        with: .refusal(.badRequest, because: "more came behind the request"), isLast: true)
    }
    let client = request.client.network
    let traffic = loop.server.traffic
    guard !traffic.isDraining, traffic.beginWatching(client, from: network) else {
      return respond(with: Self.refusal)
    }
    exchange?.request.headers = [:]
    exchange?.sent = response
    forgetUsedInput()
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
      // A client sees that nobody holds the stream back.
      if watch.request.cursor != nil { state.addContent(ChangeCoding.comment) }
    }
    self.watch = state
    phase = .watching
    setDeadline()
    scheduler.seek(state.number, after: watch.request.cursor)
    flush()
  }

  /// Goes on from a place that was found.
  func didFindPlace(_ placement: ChangeBroadcaster.WatcherPosition) {
    guard watch?.isEnding == false else { return }
    switch placement {
    case .failed: endWatching(refusing: Self.refusal)
    case .part(let frame): take(frame, isLevel: false)
    case .joined(let next, let cursor, let missed):
      guard !scheduler.hasLost(next) else {
        // What is between was given up while this was under way.
        scheduler.seek(watch?.number ?? 0, after: missed?.batch.cursor ?? cursor, hasLost: true)
        if let missed { take(missed, isLevel: false, seeksAgain: false) }
        return
      }
      watch?.next = next
      if let missed { return take(missed, isLevel: true) }
      watch?.cursor = cursor
      sendHello(at: cursor)
      didGetNews()
    }
  }

  /// Sends what has come for all.
  func didGetNews() {
    guard case .watching = phase, let state = watch, let next = state.next else { return }
    if scheduler.hasLost(next) { return dropWatcher() }
    switch state.form {
    case .stream: if !state.isBlocked { flush() }
    case .poll(let end):
      if let answer = scheduler.answer(from: next, hasQuestions: state.hasQuestions) {
        answerPoll(answer)
      } else if end <= MonotonicClock.nanoseconds(), let cursor = state.cursor {
        answerPoll(answer(ChangeBatch(changes: [], cursor: cursor)))
      }
    }
  }

  /// It is time for a comment, or for the answer to a poll.
  func didReachWatchDeadline() {
    guard let state = watch else { return close() }
    switch state.form {
    case .poll:
      if state.next != nil { didGetNews() } else { endWatching(refusing: Self.refusal) }
    case .stream where state.isEnding: close()
    case .stream where state.isBlocked:
      watch?.silence += 1
      if state.silence >= Self.maxUntakenComments { dropWatcher() } else { setDeadline() }
    case .stream:
      watch?.addContent(ChangeCoding.comment)
      setDeadline()
      flush()
    }
  }

  /// Sends a stream's bytes, its own first.
  func flushWatch() {
    while case .watching = phase, let progress = sendNext() {
      switch progress {
      case .done: didMove()
      case .broken: return close()
      case .blocked:
        watch?.isBlocked = true
        return show(interest.union(.output))
      }
    }
  }

  /// Ends the stream of a client that sends more, which nobody would answer.
  func closeUnexpectedInput() {
    exchange?.endReason = "the client sent more behind its request"
    endSubscription(isDropped: true)
    close()
  }

  /// Ends a stream with its last chunk; a poll is answered with where it is.
  func endWatching(refusing refusal: ServerResponse) {
    guard let state = watch, !state.isEnding else { return }
    switch state.form {
    case .poll:
      let cursor = state.next == nil ? nil : state.cursor
      answerPoll(cursor.map { answer(ChangeBatch(changes: [], cursor: $0)) } ?? refusal)
    case .stream(let isChunked):
      watch?.isEnding = true
      // Nothing follows a frame that is cut.
      if isChunked, state.offset == 0 { watch?.add(ChangeFrame.lastChunk) }
      setDeadline(seconds: loop.server.limits.idleSeconds)
      flush()
    }
  }

  /// Lets go of what is counted for a watcher, and keeps for the log what it was sent.
  func endSubscription(isDropped: Bool = false) {
    guard let state = watch else { return }
    exchange?.isWatch = true
    if case .stream = state.form { exchange?.streamedBytes = state.sentBytes }
    watch = nil
    scheduler.remove(state.number, isDropped: isDropped)
    loop.server.traffic.endWatching(state.client, from: network)
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
    ServerResponse(ChangeCoding.answer(batch, hasQuestions: watch?.hasQuestions == true))
  }

  /// Takes what this watcher alone has missed.
  private func take(_ frame: ChangeFrame, isLevel: Bool, seeksAgain: Bool = true) {
    guard let state = watch, case .stream(let isChunked) = state.form else {
      return answerPoll(answer(frame.batch))
    }
    watch?.cursor = frame.batch.cursor
    watch?.seeksAgain = seeksAgain && !isLevel
    watch?.add(frame.bytes(isChunked: isChunked, hasQuestions: state.hasQuestions))
    scheduler.didSend(frame)
    flush()
  }

  private func sendHello(at cursor: ChangeCursor) {
    guard let state = watch, !state.isGreeted else { return }
    watch?.isGreeted = true
    switch state.form {
    case .stream:
      watch?.addContent(ChangeCoding.hello(at: state.hasQuestions ? cursor : cursor.ofProducts))
      flush()
    case .poll: answerPoll(answer(ChangeBatch(changes: [], cursor: cursor)))
    }
  }

  /// One step of sending; nil where there is nothing to send now.
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

  private func didMove() {
    watch?.silence = 0
    guard watch?.isBlocked == true else { return setDeadline() }
    watch?.isBlocked = false
    show(interest.subtracting(.output))
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

  /// A watcher takes little, so that the system need not keep much for one that takes nothing.
  private func limitBuffers() {
    var bytes = Self.sendBuffer
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    var milliseconds = Self.goneMilliseconds
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds,
      socklen_t(MemoryLayout<UInt32>.size))
  }
}
