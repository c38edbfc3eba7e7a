import Glibc

/// Response being sent to a client.
struct OutgoingResponse {
  /// Outcome of an attempt to send.
  enum Progress {
    case done
    /// The socket's send buffer is full.
    case blocked
    case broken
  }

  private let head: [UInt8]
  private let body: [UInt8]
  private var sent = 0

  /// Bytes of the whole response, which stay in memory until the last one is sent.
  var count: Int { head.count + body.count }

  /// Creates a response from `head`, up to and including the empty line, and `body`, which is shared,
  /// not copied.
  init(head: [UInt8], body: [UInt8]) {
    self.head = head
    self.body = body
  }

  /// Sends as much as the non-blocking socket accepts, and sets `bytes` to the number sent.
  mutating func send(on descriptor: Int32, moving bytes: inout Int) -> Progress {
    bytes = 0
    while sent < count {
      let moved = piece(on: descriptor)
      if moved > 0 {
        sent += moved
        bytes += moved
      } else if errno == EAGAIN {
        return .blocked
      } else if errno != EINTR {
        return .broken
      }
    }
    return .done
  }

  /// Sends head and body in one system call; returns its result.
  private func piece(on descriptor: Int32) -> Int {
    let first = min(sent, head.count)
    return head.withUnsafeBytes { head in
      body.withUnsafeBytes { body in
        let rest = sent - first
        let head = UnsafeMutableRawPointer(mutating: head.baseAddress)?.advanced(by: first)
        let tail = UnsafeMutableRawPointer(mutating: body.baseAddress)?.advanced(by: rest)
        return withUnsafeTemporaryAllocation(of: iovec.self, capacity: 2) { parts in
          parts.initializeElement(
            at: 0, to: iovec(iov_base: head, iov_len: self.head.count - first))
          parts.initializeElement(at: 1, to: iovec(iov_base: tail, iov_len: self.body.count - rest))
          var message = msghdr()
          message.msg_iov = parts.baseAddress
          message.msg_iovlen = parts.count
          return sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL))
        }
      }
    }
  }
}
