import Dispatch
import Glibc

/// Input of the terminal: reads it on the main queue and hands over events.
///
/// All that is waiting is read at once, so that a held key costs one frame. While nothing is typed,
/// nothing runs: the timer that tells Esc from a sequence exists only while it is in doubt.
@MainActor package final class TerminalInput {
  private let descriptor: Int32
  private let source: any DispatchSourceRead
  private var timer: (any DispatchSourceTimer)?
  private var decoder: KeyDecoder
  private var isPaused = false
  private var buffer = [UInt8](repeating: 0, count: 65_536)
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
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.read() }
    }
    source.activate()
  }

  /// Leaves what is typed to another program, until `resume()`.
  package func pause() {
    guard !isPaused, !source.isCancelled else { return }
    isPaused = true
    source.suspend()
  }

  package func resume() {
    guard isPaused else { return }
    isPaused = false
    source.resume()
  }

  /// Stops reading for good.
  package func cancel() {
    source.cancel()
    timer?.cancel()
    // Dispatch ends the process where a source goes that is suspended.
    resume()
  }

  private func read() {
    timer?.cancel()
    timer = nil
    var events: [InputEvent] = []
    // What was there may be gone since: a stop drops what was typed, and a read would wait for more.
    guard !isPaused, isReadable else { return }
    repeat {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else {
        if count < 0, errno == EINTR || errno == EAGAIN { break }
        deliver(events)
        cancel()
        return didEnd()
      }
      events += decoder.feed(Array(buffer[..<count]))
    } while isMoreWaiting
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
