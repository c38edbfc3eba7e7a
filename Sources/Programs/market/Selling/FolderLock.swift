import DispatchBridge
import Glibc
import Posix

/// The right of one run at a time to change the program's files in a folder.
nonisolated enum FolderLock {
  private static let name = ".lock"
  /// How often, and how long apart in microseconds, the lock is tried: five seconds in all, which a
  /// run that was stopped in between cannot prolong.
  private static let attempts = 500
  private static let pause: UInt32 = 10_000
  /// Attempts after which it is told that somebody waits: three tenths of a second.
  private static let quietAttempts = 30

  /// Does something to the files of a folder, which exists, while no other run holds the lock; blocks
  /// for up to five seconds.
  ///
  /// - Throws: `EWOULDBLOCK` where another run held the lock all the time, else why there is none.
  static func holding<Value>(_ folder: String, _ body: () -> Value) throws(SystemError) -> Value {
    let lock = try Held(folder) {}
    return withExtendedLifetime(lock, body)
  }

  /// The same lock, waited for on a queue of its own; held as long as the result lives.
  ///
  /// `tell` is called where it takes long.
  static func held(
    _ folder: String, whenWaiting tell: @escaping @Sendable () -> Void
  ) async throws(SystemError) -> Held {
    try await Waiter.shared.lock(folder, tell)
  }

  private actor Waiter {
    static let shared = Waiter()
    private let executor = QueueExecutor(label: "lock")

    nonisolated var unownedExecutor: UnownedSerialExecutor {
      executor.asUnownedSerialExecutor()
    }

    func lock(
      _ folder: String, _ tell: @Sendable () -> Void
    ) throws(SystemError) -> Held { try Held(folder, whenWaiting: tell) }
  }

  /// Lock that is held until it is let go of.
  final class Held: Sendable {
    private let file: Int32

    fileprivate init(_ folder: String, whenWaiting tell: () -> Void) throws(SystemError) {
      file = try FolderLock.lock(folder, tell)
    }

    // Closing it gives the lock back, as the end of the program does.
    deinit { close(file) }
  }

  private static func lock(_ folder: String, _ tell: () -> Void) throws(SystemError) -> Int32 {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let file = open(folder + "/" + name, flags, 0o600)
    guard file >= 0 else { throw .last }
    for attempt in 0..<attempts {
      if flock(file, LOCK_EX | LOCK_NB) == 0 { return file }
      switch errno {
      case EWOULDBLOCK: usleep(pause)
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
