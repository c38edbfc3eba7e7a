import Glibc

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

  /// Writes a short text, and ends the pipe behind it.
  func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.write(writer, bytes, bytes.count)
    closeWriter()
  }

  /// Reads up to the first line break; nil where there is none.
  func readLine() -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(reader, &byte, 1) == 1 {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return nil
  }

  /// Reads both to their ends, whichever has something first.
  static func drain(_ first: Pipe, _ second: Pipe) -> (String, String) {
    var descriptors = [first, second].map {
      pollfd(fd: $0.reader, events: Int16(POLLIN), revents: 0)
    }
    var bytes: [[UInt8]] = [[], []]
    while descriptors.contains(where: { $0.fd >= 0 }) {
      poll(&descriptors, 2, -1)
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
