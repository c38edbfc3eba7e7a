import Dispatch
import Glibc
import Synchronization

/// Writer of frames: brings one at a time to the terminal, so that a terminal that takes no output
/// holds up neither keys nor signals.
///
/// What the terminal takes at once of a small frame is written at once, since another thread would have
/// to wake up first; the rest goes from a queue of its own.
///
/// The bytes of a frame change what the frame before has left on the terminal, so no frame may be left
/// out once it was made. Therefore none wait here: whoever draws asks `isBusy` first, and draws things
/// as they are when the terminal has taken all of the frame before.
final class TerminalWriter: Sendable {
  private struct Frame: Sendable {
    var rest: ArraySlice<UInt8>
    let began: ContinuousClock.Instant
    let didEnd: @MainActor @Sendable (Duration) -> Void
  }

  private enum Step: Sendable {
    case wrote
    /// The terminal takes no more for now.
    case full
    case ended(Frame)
    case nothing
  }

  private let descriptor: Int32
  private let isOwn: Bool
  private let queue = DispatchQueue(label: "market.terminal", qos: .userInteractive)
  private let frame = Mutex<Frame?>(nil)
  /// Entered as long as there is a frame.
  private let work = DispatchGroup()
  /// Bytes of a frame that take no longer to write than another thread to wake up.
  private static let small = 16 << 10

  /// - Parameters:
  ///   - descriptor: the terminal, which should not block: what is being written cannot be cut off
  ///     else.
  ///   - isOwn: whether it was opened here not to block, and nobody else has it.
  init(descriptor: Int32, isOwn: Bool = false) {
    self.descriptor = descriptor
    self.isOwn = isOwn
  }

  /// Whether writing may wait for the terminal; asked anew each time where the descriptor was inherited,
  /// since others may change that.
  private var blocks: Bool { !isOwn && fcntl(descriptor, F_GETFL) & O_NONBLOCK == 0 }

  /// Whether the terminal has not taken all of a frame yet.
  var isBusy: Bool { frame.withLock { $0 != nil } }

  /// Begins to write a frame.
  ///
  /// - Parameters:
  ///   - bytes: the frame, of at least one byte; there must be no other one.
  ///   - didEnd: gets how long the terminal took; not called for a frame that is cut off.
  func write(_ bytes: [UInt8], didEnd: @escaping @MainActor @Sendable (Duration) -> Void) {
    frame.withLock { frame in
      precondition(frame == nil && !bytes.isEmpty, "frames are written one after the other")
      frame = Frame(rest: bytes[...], began: ContinuousClock.now, didEnd: didEnd)
    }
    work.enter()
    let isSmall = bytes.count <= Self.small
    if isSmall, !blocks, writeTaken() { return }
    queue.async { self.writeAll() }
  }

  /// Waits for the end of the frame while the terminal takes some of it, up to three times as long as
  /// it may take nothing, then cuts it off.
  ///
  /// - Parameter milliseconds: how long the terminal may take nothing.
  /// - Returns: whether the frame was cut off, perhaps within an escape sequence.
  func end(timeout milliseconds: Int32) -> Bool {
    let last = ContinuousClock.now + .milliseconds(3 * Int(milliseconds))
    var rest = frame.withLock { $0?.rest.count }
    while work.wait(timeout: .now() + .milliseconds(Int(milliseconds))) == .timedOut {
      let before = rest
      rest = frame.withLock { $0?.rest.count }
      if rest == before || ContinuousClock.now > last { return cutOff() }
    }
    return false
  }

  private func cutOff() -> Bool {
    guard frame.withLock({ $0.take() }) != nil else { return false }
    work.leave()
    return true
  }

  private func writeAll() {
    while !writeTaken() {
      var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&room, 1, -1)
    }
  }

  /// Writes while the terminal takes some.
  ///
  /// - Returns: whether nothing of the frame is left.
  private func writeTaken() -> Bool {
    while true {
      switch frame.withLock({ step(&$0) }) {
      case .wrote: continue
      case .full: return false
      case .ended(let frame):
        work.leave()
        let duration = frame.began.duration(to: ContinuousClock.now)
        DispatchQueue.main.async {
          MainActor.assumeIsolated { frame.didEnd(duration) }
        }
        return true
      case .nothing: return true
      }
    }
  }

  /// Writes what the terminal takes; under the lock, so that nothing follows what is cut off.
  private func step(_ frame: inout Frame?) -> Step {
    guard let rest = frame?.rest else { return .nothing }
    let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EAGAIN { return .full }
    if count < 0, errno == EINTR { return .wrote }
    // A lost terminal takes anything.
    frame?.rest = count < 0 ? [] : rest.dropFirst(count)
    guard let ended = frame, ended.rest.isEmpty else { return .wrote }
    frame = nil
    return .ended(ended)
  }
}
