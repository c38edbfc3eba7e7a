import DispatchBridge
import Glibc
import Posix

/// Lock on the program's files in a folder, held by one run at a time (flock(2)).
nonisolated enum FolderLock {
  private static let name = ".lock"
  /// Default maximum time to wait for the lock.
  static let timeout = Duration.seconds(5)
  /// Time between two attempts.
  ///
  /// Attempts are counted, so that a stopped process does not prolong the wait.
  private static let pause = Duration.milliseconds(10)
  /// Number of attempts before the wait is reported: three tenths of a second.
  private static let quietAttempts = 30

  /// Runs `body` under the lock of an existing folder; blocks for up to five seconds.
  ///
  /// - Throws: `EWOULDBLOCK` if another run held the lock all the time, else the error of opening or
  ///   locking the file.
  static func holding<Value>(_ folder: String, _ body: () -> Value) throws(SystemError) -> Value {
    let lock = try Held(folder, timeout) {}
    return withExtendedLifetime(lock, body)
  }

  /// Acquires the lock on a queue of its own; the lock is held as long as the result lives.
  ///
  /// `announce` is called once if the wait takes longer than `quietAttempts`.
  /// - Throws: `EWOULDBLOCK` after `timeout`, else the error of opening or locking the file.
  static func held(
    _ folder: String, for timeout: Duration, whenWaiting announce: @escaping @Sendable () -> Void
  ) async throws(SystemError) -> Held {
    try await Waiter.shared.lock(folder, timeout, announce)
  }

  private actor Waiter {
    static let shared = Waiter()
    private let executor = QueueExecutor(label: "lock")

    nonisolated var unownedExecutor: UnownedSerialExecutor {
      executor.asUnownedSerialExecutor()
    }

    func lock(
      _ folder: String, _ timeout: Duration, _ announce: @Sendable () -> Void
    ) throws(SystemError) -> Held { try Held(folder, timeout, whenWaiting: announce) }
  }

  /// Held lock; released with the object.
  final class Held: Sendable {
    private let file: Int32

    fileprivate init(
      _ folder: String, _ timeout: Duration, whenWaiting announce: () -> Void
    ) throws(SystemError) {
      file = try FolderLock.lock(folder, timeout, announce)
    }

    // Closing the file releases the lock, as does the end of the process.
    deinit { close(file) }
  }

  private static func lock(
    _ folder: String, _ timeout: Duration, _ announce: () -> Void
  ) throws(SystemError) -> Int32 {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let file = open(folder + "/" + name, flags, 0o600)
    guard file >= 0 else { throw .last }
    for attempt in 0..<Int(timeout / pause) {
      if flock(file, LOCK_EX | LOCK_NB) == 0 { return file }
      switch errno {
      case EWOULDBLOCK: usleep(UInt32(pause / .microseconds(1)))
      case EINTR: continue
      // Some network file systems have no locks; files are written atomically in any case.
      case ENOLCK, ENOTSUP, ENOSYS: return file
      default:
        let error = SystemError.last
        close(file)
        throw error
      }
      if attempt == quietAttempts { announce() }
    }
    close(file)
    throw SystemError(number: EWOULDBLOCK)
  }
}
