import Glibc

/// Network address of a client as text.
enum PeerAddress {
  static func text(of storage: sockaddr_storage) -> String {
    var storage = storage
    let isIPv4 = storage.ss_family == sa_family_t(AF_INET)
    let size = isIPv4 ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let code = withUnsafePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        getnameinfo(
          pointer, socklen_t(size), &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST)
      }
    }
    guard code == 0 else { return "unknown" }
    let text = String(decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    // An IPv4 client of an IPv6 socket.
    return text.hasPrefix("::ffff:") ? String(text.dropFirst(7)) : text
  }
}
