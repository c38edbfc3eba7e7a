internal import CCurl
import Glibc

/// The C functions that libcurl calls; all on the engine's queue.
///
/// They stand in a type without isolation, since closures of an isolated place would check for it.
enum CurlCallbacks {
  static let header: curl_write_callback = { bytes, size, count, context in
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return CurlCallbacks.transfer(context)?.didReceiveHeader(line) == true ? size * count : 0
  }

  static let body: curl_write_callback = { bytes, size, count, context in
    let data = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return CurlCallbacks.transfer(context)?.didReceive(data) == true ? size * count : 0
  }

  static let progress: curl_xferinfo_callback = { context, _, _, total, sent in
    if total > 0 {
      CurlCallbacks.transfer(context)?.hop.onUpload?(Int(sent), Int(total))
    }
    return 0
  }

  /// Opens the socket only where the fence admits the address that was looked up.
  static let open: curl_opensocket_callback = { context, _, address in
    guard let address, let transfer = CurlCallbacks.transfer(context) else { return -1 }
    let zone = withUnsafePointer(to: &address.pointee.addr) {
      NetworkZone(socketAddress: $0, family: address.pointee.family)
    }
    guard transfer.admits(zone) else { return -1 }
    return socket(
      address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
      address.pointee.protocol)
  }

  static let watch: curl_socket_callback = { _, descriptor, interest, context, _ in
    CurlCallbacks.engine(context)?.watch(descriptor, for: interest)
    return 0
  }

  static let schedule: curl_multi_timer_callback = { _, milliseconds, context in
    CurlCallbacks.engine(context)?.schedule(inMilliseconds: milliseconds)
    return 0
  }

  private static func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
    context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func engine(_ context: UnsafeMutableRawPointer?) -> CurlEngine? {
    context.map { Unmanaged<CurlEngine>.fromOpaque($0).takeUnretainedValue() }
  }
}

extension NetworkZone {
  /// The zone of a socket address whose storage is as long as its family needs.
  init(socketAddress: UnsafePointer<sockaddr>, family: Int32) {
    let raw = UnsafeRawPointer(socketAddress)
    let bytes: UnsafeRawBufferPointer
    switch family {
    case AF_INET:
      bytes = UnsafeRawBufferPointer(
        start: raw + (MemoryLayout<sockaddr_in>.offset(of: \.sin_addr) ?? 0), count: 4)
    case AF_INET6:
      bytes = UnsafeRawBufferPointer(
        start: raw + (MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr) ?? 0), count: 16)
    default: bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    }
    self.init(Array(bytes))
  }

  /// The zone of an address in digits, as libcurl reports it; nil where it is none.
  init?(digits: String) {
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, digits, &four) == 1 {
      self.init(withUnsafeBytes(of: four) { Array($0) })
    } else if inet_pton(AF_INET6, digits, &six) == 1 {
      self.init(withUnsafeBytes(of: six) { Array($0) })
    } else {
      return nil
    }
  }
}
