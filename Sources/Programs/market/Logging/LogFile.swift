import Glibc
import MarketModel
import Posix
import SafeTextKit
import Synchronization

/// The file of the log for support: one line an event, readable for its owner alone.
///
/// At a megabyte it becomes `FILE.1` in the place of an older one. What cannot be written is left out:
/// the log is never a reason for anything to fail.
nonisolated final class LogFile: Sendable {
  private let path: String
  private let limit: Int
  private let now: @Sendable () -> Int64
  private let descriptor: Mutex<Int32>

  /// Characters of a line at most.
  private static let maxLineLength = 1_000

  /// - Parameters:
  ///   - path: the file, which is made where there is none; a link is not followed.
  ///   - limit: bytes from which on another file is begun.
  ///   - now: the clock, in seconds since 1970.
  /// - Throws: why the system does not open it.
  init(
    _ path: String, limit: Int = 1_000_000,
    now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }
  ) throws(SystemError) {
    self.path = path
    self.limit = limit
    self.now = now
    descriptor = Mutex(try Self.open(path))
  }

  deinit { descriptor.withLock { _ = close($0) } }

  /// Writes a line with the time before it; foreign text in it is made safe.
  func write(_ line: String) {
    let text =
      ISOTime.text(of: now()) + " " + SafeText(String(line.prefix(Self.maxLineLength))).string
    descriptor.withLock { descriptor in
      if size(of: descriptor) >= limit { rotate(&descriptor) }
      try? FileDescriptorIO.writeAll(Array((text + "\n").utf8), to: descriptor)
    }
  }

  private func size(of descriptor: Int32) -> Int {
    FileDescriptorIO.fileSize(of: descriptor) ?? 0
  }

  /// Puts the full file aside; another run may have done so already.
  private func rotate(_ descriptor: inout Int32) {
    var (opened, named) = (stat(), stat())
    if fstat(descriptor, &opened) == 0, lstat(path, &named) == 0, opened.st_ino == named.st_ino {
      rename(path, path + ".1")
    }
    guard let next = try? Self.open(path) else { return }
    close(descriptor)
    descriptor = next
  }

  private static func open(_ path: String) throws(SystemError) -> Int32 {
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let descriptor = Glibc.open(path, flags, 0o600)
    guard descriptor >= 0 else { throw .last }
    guard FileDescriptorIO.fileSize(of: descriptor) != nil else {
      close(descriptor)
      throw SystemError(number: EINVAL)
    }
    guard fchmod(descriptor, 0o600) == 0 else {
      let error = SystemError.last
      close(descriptor)
      throw error
    }
    return descriptor
  }
}
