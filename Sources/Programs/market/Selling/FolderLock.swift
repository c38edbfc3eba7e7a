import DispatchBridge
import Glibc
import Posix

/// The right of one run at a time to change the program's files in a folder.
nonisolated enum FolderLock {
  private static let name = ".lock"
  /// How long the lock is tried for where nothing else is said.
  static let timeout = Duration.seconds(5)
  /// Time between two attempts.
  ///
  /// Attempts are counted, so that a run that was stopped in between prolongs nothing.
  private static let pause = Duration.milliseconds(10)
  /// Attempts after which it is told that somebody waits: three tenths of a second.
  private static let quietAttempts = 30

  /// Does something to the files of a folder, which exists, while no other run holds the lock; blocks
  /// for up to five seconds.
  ///
  /// - Throws: `EWOULDBLOCK` where another run held the lock all the time, else why there is none.
  static func holding<Value>(_ folder: String, _ body: () -> Value) throws(SystemError) -> Value {
    let lock = try Held(folder, timeout) {}
    return withExtendedLifetime(lock, body)
  }

  /// The same lock, waited for on a queue of its own; held as long as the result lives.
  ///
  /// `tell` is called where it takes long.
  static func held(
    _ folder: String, for timeout: Duration, whenWaiting tell: @escaping @Sendable () -> Void
  ) async throws(SystemError) -> Held {
    try await Waiter.shared.lock(folder, timeout, tell)
  }

  private actor Waiter {
    static let shared = Waiter()
    private let executor = QueueExecutor(label: "lock")

    nonisolated var unownedExecutor: UnownedSerialExecutor {
      executor.asUnownedSerialExecutor()
    }

    func lock(
      _ folder: String, _ timeout: Duration, _ tell: @Sendable () -> Void
    ) throws(SystemError) -> Held { try Held(folder, timeout, whenWaiting: tell) }
  }

  /// Lock that is held until it is let go of.
  final class Held: Sendable {
    private let file: Int32

    fileprivate init(
      _ folder: String, _ timeout: Duration, whenWaiting tell: () -> Void
    ) throws(SystemError) {
      file = try FolderLock.lock(folder, timeout, tell)
    }

    // Closing it gives the lock back, as the end of the program does.
    deinit { close(file) }
  }

  private static func lock(
    _ folder: String, _ timeout: Duration, _ tell: () -> Void
  ) throws(SystemError) -> Int32 {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let file = open(folder + "/" + name, flags, 0o600)
    guard file >= 0 else { throw .last }
    for attempt in 0..<Int(timeout / pause) {
      if flock(file, LOCK_EX | LOCK_NB) == 0 { return file }
      switch errno {
      case EWOULDBLOCK: usleep(UInt32(pause / .microseconds(1)))
      case EINTR: continue
      // Some network file systems have no locks; the files are whole there all the same.
      case ENOLCK, ENOTSUP, ENOSYS: return file
      default:
        let error = SystemError.last
        close(file)
        throw error
      }
      if attempt == quietAttempts { tell() }
    }
    close(file)
    throw SystemError(number: EWOULDBLOCK)
  }
}
