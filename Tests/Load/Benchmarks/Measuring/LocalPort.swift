import Glibc

/// A port of the loopback address that was free a moment ago, for programs that cannot say which one
/// they took.
enum LocalPort {
  static func free() throws(BenchError) -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in(loopbackPort: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, size) == 0 ? getsockname(descriptor, pointer, &size) : -1
      }
    }
    guard code == 0 else { throw .noAnswer("a free port") }
    return UInt16(bigEndian: address.sin_port)
  }
}
