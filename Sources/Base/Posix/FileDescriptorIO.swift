import Glibc

/// Reads and writes of file descriptors: files, pipes, sockets and terminals.
///
/// Interrupted calls are repeated, so that callers never see `EINTR`.
package enum FileDescriptorIO {
  /// Call like write(2), which reports errors in `errno`.
  package typealias Write = (Int32, UnsafeRawBufferPointer) -> Int

  private static let pieceSize = 1 << 16

  /// Writes all bytes, with repeated calls of `write` where needed.
  ///
  /// - Throws: the error of `write`; `EIO` where it writes nothing without an error.
  package static func writeAll(
    _ bytes: [UInt8], to descriptor: Int32,
    by write: Write = { Glibc.write($0, $1.baseAddress, $1.count) }
  ) throws(SystemError) {
    var rest = bytes[...]
    try writeAll(from: &rest, to: descriptor, by: write)
  }

  /// Writes all bytes and removes the written ones from `rest`, which holds the unwritten ones after
  /// an error.
  ///
  /// - Throws: what `writeAll(_:to:by:)` throws.
  package static func writeAll(
    from rest: inout ArraySlice<UInt8>, to descriptor: Int32,
    by write: Write = { Glibc.write($0, $1.baseAddress, $1.count) }
  ) throws(SystemError) {
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count == 0 {
        // Without this the loop would not end.
        throw SystemError(number: EIO)
      } else if errno != EINTR {
        throw .last
      }
    }
  }

  /// Reads at least one and at most `limit` bytes (read(2)); empty at the end.
  ///
  /// - Throws: the error of read(2), such as `EAGAIN` where a non-blocking descriptor has no data.
  package static func read(
    upTo limit: Int, from descriptor: Int32
  ) throws(SystemError) -> [UInt8] {
    while true {
      var failure: Int32?
      let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
        let read = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if read < 0 { failure = errno }
        count = max(0, read)
      }
      guard let failure else { return bytes }
      guard failure == EINTR else { throw SystemError(number: failure) }
    }
  }

  /// Reads to the end.
  ///
  /// - Throws: the error of read(2); `EFBIG` where there are more than `limit` bytes.
  package static func readAll(
    from descriptor: Int32, limit: Int
  ) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let piece = try read(upTo: pieceSize, from: descriptor)
      guard !piece.isEmpty else { return bytes }
      guard bytes.count + piece.count <= limit else { throw SystemError(number: EFBIG) }
      bytes += piece
    }
  }

  /// Returns the length of an open file in bytes; nil for a pipe, device or folder.
  package static func fileSize(of descriptor: Int32) -> Int? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Flushes a file to disk (fsync(2)).
  ///
  /// - Throws: the error of fsync(2).
  package static func sync(_ descriptor: Int32) throws(SystemError) {
    guard fsync(descriptor) == 0 else { throw .last }
  }
}

/// Error of a system call (errno(3)).
package struct SystemError: Error, Hashable, Sendable {
  package let number: Int32

  package init(number: Int32) { self.number = number }

  /// Error of the last call on this thread.
  package static var last: SystemError { SystemError(number: errno) }

  /// Whether the disk or the user's quota is full.
  package var isDiskFull: Bool { number == ENOSPC || number == EDQUOT }
}

extension SystemError: CustomStringConvertible {
  /// Message of strerror(3).
  package var description: String { String(cString: strerror(number)) }
}
