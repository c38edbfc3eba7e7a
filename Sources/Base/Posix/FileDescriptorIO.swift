import Glibc

/// Reading and writing of open files, pipes, sockets and terminals, as the system numbers them.
///
/// Whatever a signal interrupts is tried again, so that no caller sees EINTR.
package enum FileDescriptorIO {
  /// Writes some bytes as write(2) does, whose failure stands in `errno`.
  package typealias Write = (Int32, UnsafeRawBufferPointer) -> Int

  private static let pieceSize = 1 << 16

  /// Writes all bytes, however few of them the system takes at a time by its call `write`
  /// (write(2)).
  ///
  /// Throws `EIO` where the system takes nothing and names no failure.
  package static func writeAll(
    _ bytes: [UInt8], to descriptor: Int32,
    by write: Write = { Glibc.write($0, $1.baseAddress, $1.count) }
  ) throws(SystemError) {
    var rest = bytes[...]
    try writeAll(from: &rest, to: descriptor, by: write)
  }

  /// Writes all bytes and takes those off that were written: where it throws, the rest is left.
  package static func writeAll(
    from rest: inout ArraySlice<UInt8>, to descriptor: Int32,
    by write: Write = { Glibc.write($0, $1.baseAddress, $1.count) }
  ) throws(SystemError) {
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count == 0 {
        // Nothing taken and nothing wrong would be tried for ever.
        throw SystemError(number: EIO)
      } else if errno != EINTR {
        throw .last
      }
    }
  }

  /// Reads what is there, up to `limit` bytes (read(2)), and at least one; nothing at the end.
  ///
  /// Throws `EAGAIN` where the descriptor does not block and has nothing yet.
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

  /// Reads to the end, `limit` bytes at most.
  ///
  /// Throws `EFBIG` where there is more than the limit.
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

  /// Length of an open file in bytes; nil for what is no regular file: a pipe, a device, a folder.
  package static func fileSize(of descriptor: Int32) -> Int? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Brings a file to disk (fsync(2)).
  package static func sync(_ descriptor: Int32) throws(SystemError) {
    guard fsync(descriptor) == 0 else { throw .last }
  }
}

/// Failure of a system call, by the number that the system gave it (errno(3)).
package struct SystemError: Error, Hashable, Sendable {
  package let number: Int32

  package init(number: Int32) {
    self.number = number
  }

  /// The failure of the call that was made last on this thread.
  package static var last: SystemError { SystemError(number: errno) }

  /// Whether there is no room left, on the disk or for its user.
  package var isDiskFull: Bool { number == ENOSPC || number == EDQUOT }
}

extension SystemError: CustomStringConvertible {
  /// The failure as the system words it (strerror(3)).
  package var description: String { String(cString: strerror(number)) }
}
