import Glibc

/// A port of the loopback interface that the system gives to no other program as long as this lives, and
/// at which no program answers unless it knows the number.
///
/// It is bound here and shared (SO_REUSEADDR, socket(7)): a program that shares it may listen at it, and
/// start and end, while the system gives it neither to programs that ask for any port nor to outgoing
/// connections.
package final class ReservedPort: Sendable {
  package let number: UInt16
  private let descriptor: Int32

  /// - Throws: where the system gives none.
  package init() throws(ScriptedServerError) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var isShared: Int32 = 1
    setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &isShared, socklen_t(MemoryLayout<Int32>.size))
    guard let port = bindToLoopback(descriptor) else { throw .cannotListen(errno) }
    number = port
  }

  deinit { close(descriptor) }

  /// As options and addresses have it: `127.0.0.1:49152`.
  package var address: String { "127.0.0.1:\(number)" }
}

/// Binds a socket to a port of the loopback interface that is free.
///
/// - Parameter descriptor: the socket.
/// - Returns: the port; nil where there is none, with the reason in `errno`.
func bindToLoopback(_ descriptor: Int32) -> UInt16? {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
    }
  }
  return isBound ? UInt16(bigEndian: address.sin_port) : nil
}
