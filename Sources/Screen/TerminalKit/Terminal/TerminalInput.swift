import Dispatch
import Glibc
import Synchronization

/// Reader of the terminal's input on the main queue.
///
/// It reads all waiting bytes at once, so that a held key costs one frame. Its timer runs only while
/// Esc may be the start of a sequence; otherwise nothing runs until the next byte.
@MainActor package final class TerminalInput {
  private let descriptor: Int32
  private var watch: InputWatch?
  private var timer: (any DispatchSourceTimer)?
  private var decoder: KeyDecoder
  private var isPaused = false
  private var isCancelled = false
  /// Whether the watch has reported input that was not read while paused.
  private var isWatchDue = false
  private var buffer = [UInt8](repeating: 0, count: 65_536)
  /// Bytes of one read from which on more may be waiting; typing never yields as many.
  private static let burst = 1_024
  /// Bytes after which what was read is delivered even if more is waiting, so that a flood that does not
  /// end neither fills the memory nor keeps the main queue.
  private static let flood = 65_536
  private let didReceive: ([InputEvent]) -> Void
  private let didEnd: () -> Void

  /// Starts reading keys, also those of `table`; `didReceive` gets the events in order, never an empty
  /// list, and `didEnd` is called when the terminal is closed.
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

  /// Leaves the input to another program, until `resume()`.
  package func pause() {
    isPaused = true
  }

  package func resume() {
    guard isPaused else { return }
    isPaused = false
    if isWatchDue { didArrive() }
  }

  /// Ends reading; it cannot be resumed.
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
    // The input may be gone: a stop discards typed bytes, and a read would block.
    guard isReadable else { return }
    timer?.cancel()
    timer = nil
    var events: [InputEvent] = []
    var (count, all) = (0, 0)
    repeat {
      count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else {
        if count < 0, errno == EINTR || errno == EAGAIN { break }
        deliver(events)
        cancel()
        return didEnd()
      }
      events += decoder.feed(Array(buffer[..<count]))
      all += count
    } while count >= Self.burst && all < Self.flood && isMoreWaiting
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

/// Watch that polls for input on its own thread; a Dispatch source needs eight times as many system
/// calls per key.
///
/// After `end()` the thread ends at the next input, or when the descriptor is closed.
private final class InputWatch: Sendable {
  private let queue = DispatchQueue(label: "market.input")
  private let mayLook = DispatchSemaphore(value: 0)
  private let isOver = Mutex(false)

  /// Starts the thread; `didArrive` is called once per `lookAgain()`, as soon as input is readable.
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
