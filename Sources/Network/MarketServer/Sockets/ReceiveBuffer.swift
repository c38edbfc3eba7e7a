/// Bytes that a client sent and that were not used yet, in room that does not grow with time.
struct ReceiveBuffer {
  private var bytes: [UInt8] = []
  /// Bytes at the beginning that were used.
  private var used = 0

  /// Room that is kept while nothing is there.
  private static let keptBytes = 4 << 10

  /// How many were not used.
  var count: Int { bytes.count - used }
  var isEmpty: Bool { used == bytes.count }

  mutating func append(_ more: UnsafeRawBufferPointer) {
    if used > Self.keptBytes {
      // Somebody who always has half a request under way must not make this grow.
      bytes.removeFirst(used)
      used = 0
    }
    bytes.append(contentsOf: more)
  }

  /// Reads what was not used; nothing may be used meanwhile.
  func withUnused<Answer, Failure: Error>(
    _ read: (UnsafeRawBufferPointer) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    try bytes.withBytes { all throws(Failure) in
      try read(UnsafeRawBufferPointer(rebasing: all[used...]))
    }
  }

  mutating func use(_ count: Int) { used += count }

  /// Passes over empty lines before a request, which older clients send after a body (RFC 9112,
  /// section 2.2); true where a request begins here, else more has to come.
  mutating func skipEmptyLines() -> Bool {
    while used < bytes.count, bytes[used] == UInt8(ascii: "\r") {
      guard used + 1 < bytes.count else { return false }
      guard bytes[used + 1] == UInt8(ascii: "\n") else { return true }
      used += 2
    }
    return used < bytes.count
  }

  /// Leaves off all of it.
  mutating func forget() {
    bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptBytes)
    used = 0
  }

  /// Gives the room of what was used back.
  mutating func forgetUsed() {
    bytes = Array(bytes[used...])
    used = 0
  }
}
