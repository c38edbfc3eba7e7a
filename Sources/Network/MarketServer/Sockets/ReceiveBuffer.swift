/// Received bytes that are not used yet, in a buffer that does not grow over time.
struct ReceiveBuffer {
  private var bytes: [UInt8] = []
  /// Number of used bytes at the beginning.
  private var used = 0

  /// Capacity that an empty buffer keeps, in bytes.
  private static let keptBytes = 4 << 10

  /// Number of unused bytes.
  var count: Int { bytes.count - used }
  var isEmpty: Bool { used == bytes.count }

  mutating func append(_ more: UnsafeRawBufferPointer) {
    if used > Self.keptBytes {
      // A client that always has half a request under way must not make the buffer grow.
      bytes.removeFirst(used)
      used = 0
    }
    bytes.append(contentsOf: more)
  }

  /// Passes the unused bytes to `read`, which must not call `use(_:)`.
  /// - Throws: what `read` throws.
  func withUnused<Answer, Failure: Error>(
    _ read: (UnsafeRawBufferPointer) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    try bytes.withBytes { all throws(Failure) in
      try read(UnsafeRawBufferPointer(rebasing: all[used...]))
    }
  }

  mutating func use(_ count: Int) { used += count }

  /// Skips empty lines before a request, which some clients send after a body (RFC 9112, section 2.2);
  /// false if more input is needed.
  mutating func skipEmptyLines() -> Bool {
    while used < bytes.count, bytes[used] == UInt8(ascii: "\r") {
      guard used + 1 < bytes.count else { return false }
      guard bytes[used + 1] == UInt8(ascii: "\n") else { return true }
      used += 2
    }
    return used < bytes.count
  }

  /// Drops all bytes.
  mutating func forget() {
    bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptBytes)
    used = 0
  }

  /// Frees the memory of used bytes.
  mutating func dropUsed() {
    bytes = Array(bytes[used...])
    used = 0
  }
}
