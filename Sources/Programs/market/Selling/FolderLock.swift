import Glibc

/// The right of one run at a time to change the program's files in a folder.
nonisolated enum FolderLock {
  private static let name = ".lock"
  /// How often, and how long apart in microseconds, the lock is tried: five seconds in all, which a
  /// run that was stopped in between cannot prolong.
  private static let attempts = 500
  private static let pause: UInt32 = 10_000

  /// Does something to the files of a folder, which exists, while no other run holds the lock; nil
  /// where that was not to be had.
  static func holding<Value>(_ folder: String, _ body: () -> Value) -> Value? {
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let file = open(folder + "/" + name, flags, 0o600)
    guard file >= 0 else { return nil }
    // Closing it gives the lock back, as the end of the program does.
    defer { close(file) }
    for _ in 0..<attempts {
      if flock(file, LOCK_EX | LOCK_NB) == 0 { return body() }
      switch errno {
      case EWOULDBLOCK: usleep(pause)
      case EINTR: continue
      // Some network file systems have no locks; the files are whole there all the same.
      case ENOLCK, ENOTSUP, ENOSYS: return body()
      default: return nil
      }
    }
    return nil
  }
}
