import Glibc
import MarketModel
import Posix
import SafeTextKit
import Synchronization

/// Log file for support: one line for each event, readable by its owner only.
///
/// At a megabyte it is renamed to `FILE.1`, replacing an older one. Lines that cannot be written are
/// dropped, so that logging never makes anything else fail.
nonisolated final class LogFile: Sendable {
  private let path: String
  private let limit: Int
  private let now: @Sendable () -> Int64
  private let descriptor: Mutex<Int32>

  /// Maximum number of characters of a line; longer ones are cut.
  private static let maxLineLength = 1_000

  /// - Parameters:
  ///   - path: path of the file, which is created if it is missing; a symbolic link is refused.
  ///   - limit: size in bytes at which a new file is started.
  ///   - now: clock, in seconds since 1970.
  /// - Throws: the error of open(2) or fchmod(2), `EINVAL` if it is no regular file.
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

  /// Writes a timestamped line; untrusted text in it is made safe.
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

  /// Renames the full file, unless another process has done so already.
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
