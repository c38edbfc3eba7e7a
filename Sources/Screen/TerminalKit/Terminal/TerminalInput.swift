import Dispatch
import Glibc
import Synchronization

/// Input of the terminal: reads it on the main queue and hands over events.
///
/// All that is waiting is read at once, so that a held key costs one frame. While nothing is typed,
/// nothing runs: the timer that tells Esc from a sequence exists only while it is in doubt.
@MainActor package final class TerminalInput {
  private let descriptor: Int32
  private var watch: InputWatch?
  private var timer: (any DispatchSourceTimer)?
  private var decoder: KeyDecoder
  private var isPaused = false
  private var isCancelled = false
  /// Whether the watch has seen input, and waits for it to be read.
  private var isWatchDue = false
  private var buffer = [UInt8](repeating: 0, count: 65_536)
  /// Bytes behind which more may wait: nobody types as many at once.
  private static let burst = 1_024
  private let didReceive: ([InputEvent]) -> Void
  private let didEnd: () -> Void

  /// Begins to read keys of a table among others; `didReceive` gets what was waiting, in order and
  /// never an empty list, and `didEnd` is called when the terminal is gone.
  package init(
    descriptor: Int32 = STDIN_FILENO, keys table: KeyTable = KeyTable(),
    didReceive: @escaping ([InputEvent]) -> Void,
    didEnd: @escaping () -> Void
  ) {
    self.descriptor = descriptor
    decoder = KeyDecoder(table)
    self.didReceive = didReceive
    self.didEnd = didEnd
    watch = InputWatch(of: descriptor) { [weak self] in self?.didArrive() }
  }

  /// Leaves what is typed to another program, until `resume()`.
  package func pause() {
    isPaused = true
  }

  package func resume() {
    guard isPaused else { return }
    isPaused = false
    if isWatchDue { didArrive() }
  }

  /// Stops reading for good.
  package func cancel() {
    isCancelled = true
    timer?.cancel()
    watch?.end()
    watch = nil
  }

  private func didArrive() {
    isWatchDue = isPaused
    guard !isPaused, !isCancelled else { return }
    read()
    if !isCancelled { watch?.lookAgain() }
  }

  private func read() {
    // What was there may be gone since: a stop drops what was typed, and a read would wait for more.
    guard isReadable else { return }
    timer?.cancel()
    timer = nil
    var events: [InputEvent] = []
    var count = 0
    repeat {
      count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else {
        if count < 0, errno == EINTR || errno == EAGAIN { break }
        deliver(events)
        cancel()
        return didEnd()
      }
      events += decoder.feed(Array(buffer[..<count]))
    } while count >= Self.burst && isMoreWaiting
    if let timeout = decoder.timeout { startTimer(timeout) }
    deliver(events)
  }

  private func deliver(_ events: [InputEvent]) {
    if !events.isEmpty { didReceive(events) }
  }

  private var isReadable: Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 0) > 0
  }

  private var isMoreWaiting: Bool {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 && count > 0
  }

  private func startTimer(_ timeout: Duration) {
    let timer = DispatchSource.makeTimerSource(queue: .main)
    let milliseconds = Int(timeout / .milliseconds(1))
    timer.schedule(
      deadline: .now() + .milliseconds(milliseconds), leeway: .milliseconds(1))
    timer.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.didTimeOut(after: timeout) }
    }
    timer.activate()
    self.timer = timer
  }

  private func didTimeOut(after timeout: Duration) {
    timer?.cancel()
    timer = nil
    deliver(decoder.timeout(after: timeout))
  }
}

/// Watch for input that looks on a thread of its own: a source of Dispatch would have the system called
/// eight times more for each key.
///
/// After `end()` the thread goes at the next input, or with the descriptor.
private final class InputWatch: Sendable {
  private let queue = DispatchQueue(label: "market.input")
  private let mayLook = DispatchSemaphore(value: 0)
  private let isOver = Mutex(false)

  /// Looks for ever; `didArrive` is called once for each time that it may look, as soon as something can
  /// be read.
  init(of descriptor: Int32, didArrive: @escaping @MainActor @Sendable () -> Void) {
    queue.async { [self] in
      while true {
        mayLook.wait()
        guard !isOver.withLock({ $0 }) else { return }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&waiting, 1, -1) < 0, errno == EINTR {}
        DispatchQueue.main.async { MainActor.assumeIsolated { didArrive() } }
      }
    }
    mayLook.signal()
  }

  func lookAgain() { mayLook.signal() }

  func end() {
    isOver.withLock { $0 = true }
    mayLook.signal()
  }
}
