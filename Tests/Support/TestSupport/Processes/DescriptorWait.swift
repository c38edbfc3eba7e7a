import Glibc

/// Waits for descriptors, each with its limit of time.
package enum DescriptorWait {
  /// Whether there is something to read, or the end, before a time.
  package static func untilReadable(
    _ descriptor: Int32, before deadline: ContinuousClock.Instant
  ) -> Bool {
    while true {
      var interest = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let answer = poll(&interest, 1, milliseconds(until: deadline))
      // A signal ends a wait early.
      if answer < 0, errno == EINTR { continue }
      if answer != 0 { return answer > 0 }
      if ContinuousClock.now >= deadline { return false }
    }
  }

  /// What is left as `poll` takes it, rounded up: a wait of no time at all would spin.
  package static func milliseconds(until deadline: ContinuousClock.Instant) -> Int32 {
    let left = ContinuousClock.now.duration(to: deadline)
    return left <= .zero ? 0 : Int32(min(left / .milliseconds(1) + 1, 1_000_000))
  }
}

/// Lines of a pipe, which come when they like.
package struct LinesOfPipe {
  private let descriptor: Int32
  private var rest: [UInt8] = []

  package init(from descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// The next line without its end; nil at the end of the pipe, and what has no line feed before it
  /// counts as a line.
  ///
  /// - Throws: where it does not come in time.
  package mutating func next(within timeout: Duration) throws(UnexpectedError) -> String? {
    let deadline = ContinuousClock.now + timeout
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest.removeFirst(end + 1) }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      guard DescriptorWait.untilReadable(descriptor, before: deadline) else {
        let start = String(decoding: rest, as: UTF8.self)
        throw UnexpectedError(description: "no line in \(timeout), after “\(start)”")
      }
      let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
      }
      if piece.isEmpty {
        defer { rest = [] }
        return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
      }
      rest += piece
    }
  }
}
