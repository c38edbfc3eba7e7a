import Dispatch
import Glibc
import Synchronization

/// Writer of frames: one at a time, without blocking keys or signals while the terminal takes no
/// output.
///
/// A small frame is written at once as far as the terminal takes it, because waking another thread
/// takes longer; the rest is written on the writer's own queue.
///
/// Each frame is a difference to the one before, so no frame may be dropped. Therefore none is queued:
/// the caller checks `isBusy` first, and draws from the current state once the terminal has taken the
/// last frame.
final class TerminalWriter: Sendable {
  private struct Frame: Sendable {
    var rest: ArraySlice<UInt8>
    let began: ContinuousClock.Instant
    let didEnd: @MainActor @Sendable (Duration) -> Void
  }

  private enum Step: Sendable {
    case wrote
    /// The terminal takes no more bytes at present.
    case full
    case ended(Frame)
    case nothing
  }

  private let descriptor: Int32
  private let isOwn: Bool
  private let queue = DispatchQueue(label: "market.terminal", qos: .userInteractive)
  private let frame = Mutex<Frame?>(nil)
  /// Group that is entered while there is a frame.
  private let work = DispatchGroup()
  /// Maximum bytes of a frame that is written directly.
  private static let small = 16 << 10

  /// - Parameters:
  ///   - descriptor: the terminal, preferably non-blocking; a blocking write cannot be cut off.
  ///   - isOwn: whether the descriptor was opened here as non-blocking and is not shared.
  init(descriptor: Int32, isOwn: Bool = false) {
    self.descriptor = descriptor
    self.isOwn = isOwn
  }

  /// Whether a write may block; checked each time for an inherited descriptor, whose flags other
  /// processes may change.
  private var blocks: Bool { !isOwn && fcntl(descriptor, F_GETFL) & O_NONBLOCK == 0 }

  /// Whether the terminal has not yet taken the whole frame.
  var isBusy: Bool { frame.withLock { $0 != nil } }

  /// Starts writing a frame.
  ///
  /// - Parameters:
  ///   - bytes: the frame, at least one byte; the writer must not be busy.
  ///   - didEnd: receives the duration of the write; not called for a frame that is cut off.
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

  /// Waits for the end of the frame while the terminal takes bytes, then cuts it off.
  ///
  /// - Parameter milliseconds: maximum time without progress; the whole wait lasts at most three times
  ///   as long.
  /// - Returns: true where the frame was cut off, perhaps within an escape sequence.
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

  /// Writes until the terminal takes no more.
  ///
  /// - Returns: true where nothing of the frame is left.
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

  /// Writes once, under the lock, so that no byte follows a frame that is cut off.
  private func step(_ frame: inout Frame?) -> Step {
    guard let rest = frame?.rest else { return .nothing }
    let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EAGAIN { return .full }
    if count < 0, errno == EINTR { return .wrote }
    // A lost terminal discards the frame.
    frame?.rest = count < 0 ? [] : rest.dropFirst(count)
    guard let ended = frame, ended.rest.isEmpty else { return .wrote }
    frame = nil
    return .ended(ended)
  }
}
