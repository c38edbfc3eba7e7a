import Glibc

/// Open files, pipes and terminals, as the system numbers them.
package enum Descriptor {
  /// Writes all bytes, however few of them the system takes at a time (write(2)).
  ///
  /// - Parameters:
  ///   - bytes: what is written.
  ///   - descriptor: where to.
  ///   - write: writes some of the bytes as write(2) does.
  /// - Returns: nil, or the system's number of what is in the way.
  package static func writeAll(
    _ bytes: [UInt8], to descriptor: Int32,
    by write: (Int32, UnsafeRawBufferPointer) -> Int = { Glibc.write($0, $1.baseAddress, $1.count) }
  ) -> Int32? {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest))
        if count < 0, errno == EINTR { continue }
        // Nothing taken and nothing wrong would be tried for ever.
        guard count > 0 else { return count < 0 ? errno : EIO }
        rest = rest.dropFirst(count)
      }
      return nil
    }
  }
}
