internal import CMicrohttpd
import Glibc

/// The address of a client as text.
enum PeerAddress {
  static func text(of connection: OpaquePointer) -> String {
    guard let address = CMicrohttpd_peer(connection) else { return "unknown" }
    let isIPv4 = address.pointee.sa_family == sa_family_t(AF_INET)
    let size = isIPv4 ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard
      getnameinfo(
        address, socklen_t(size), &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0
    else { return "unknown" }
    let text = String(decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    // An IPv4 client of an IPv6 socket.
    return text.hasPrefix("::ffff:") ? String(text.dropFirst(7)) : text
  }
}
