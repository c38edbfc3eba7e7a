internal import CNcurses
import Glibc

/// A file in memory that ncurses takes for its terminal.
///
/// ncurses writes a frame in many small pieces. Gathered here, the whole frame reaches the terminal
/// in one write, between the marks of synchronized output, and nothing flickers over a slow line.
final class MemoryFile {
  let stream: UnsafeMutablePointer<FILE>
  private let descriptor: Int32

  /// Nil where the system has no memory or descriptors left.
  init?() {
    descriptor = memfd_create("frame", 1)
    guard descriptor >= 0, let stream = fdopen(descriptor, "w") else { return nil }
    self.stream = stream
  }

  deinit { fclose(stream) }

  /// Takes out what was written since the last time.
  func drain() -> [UInt8] {
    fflush(stream)
    let count = Int(lseek(descriptor, 0, SEEK_CUR))
    guard count > 0 else { return [] }
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, pread(descriptor, buffer.baseAddress, count, 0))
    }
    lseek(descriptor, 0, SEEK_SET)
    return bytes
  }
}
