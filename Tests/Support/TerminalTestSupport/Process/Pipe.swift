import Dispatch
import Glibc
import TestSupport

/// A pipe whose ends are closed with it and are not inherited.
final class Pipe {
  let reader: Int32
  private(set) var writer: Int32

  init() throws(TerminalSessionError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .cannotStart(errno: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reader, writer) = (ends[0], ends[1])
  }

  deinit {
    close(reader)
    closeWriter()
  }

  func closeWriter() {
    if writer >= 0 { close(writer) }
    writer = -1
  }

  /// Writes a text while its reader runs, and ends the pipe behind it.
  func write(_ text: String) {
    let (bytes, end) = (Array(text.utf8), writer)
    writer = -1
    DispatchQueue(label: "pipe").async {
      _ = Glibc.write(end, bytes, bytes.count)
      _ = Glibc.close(end)
    }
  }

  /// Reads both to their ends, whichever has something first.
  ///
  /// - Throws: `TerminalSessionError.timedOut` where that takes longer than until the deadline.
  static func drain(
    _ first: Pipe, _ second: Pipe, until deadline: ContinuousClock.Instant
  ) throws(TerminalSessionError) -> (String, String) {
    var descriptors = [first, second].map {
      pollfd(fd: $0.reader, events: Int16(POLLIN), revents: 0)
    }
    var bytes: [[UInt8]] = [[], []]
    while descriptors.contains(where: { $0.fd >= 0 }) {
      guard ContinuousClock.now < deadline else {
        throw .timedOut(
          waitingFor: "the end of its output",
          screen: bytes.map { String(decoding: $0, as: UTF8.self) })
      }
      poll(&descriptors, 2, DescriptorWait.milliseconds(until: deadline))
      for index in 0..<2 where descriptors[index].revents != 0 {
        let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
          count = max(0, read(descriptors[index].fd, buffer.baseAddress, buffer.count))
        }
        bytes[index] += piece
        if piece.isEmpty { descriptors[index].fd = -1 }
      }
    }
    return (String(decoding: bytes[0], as: UTF8.self), String(decoding: bytes[1], as: UTF8.self))
  }
}
