internal import CMicrohttpd

/// The functions that libmicrohttpd calls, on its own threads: pointers to objects and back.
enum ServerCallbacks {
  static let begin:
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
    ) -> UnsafeMutableRawPointer? = { context, target, connection in
      guard let target, let connection, let context = CMicrohttpd_socket_context(connection) else {
        return nil
      }
      let peer = Unmanaged<Peer>.fromOpaque(context).takeUnretainedValue()
      let exchange = Exchange(target: String(cString: target), peer: peer)
      return Unmanaged.passRetained(exchange).toOpaque()
    }

  static let handle: MHD_AccessHandlerCallback = {
    context, connection, _, method, _, data, count, request in
    guard let context, let connection, let method, let count, let request = request?.pointee else {
      return .NO
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(request).takeUnretainedValue()
    let piece = UnsafeRawBufferPointer(start: data, count: count.pointee)
    count.pointee = 0
    return core(context).handle(
      exchange, on: connection, method: String(cString: method), piece: piece)
  }

  static let end: MHD_RequestCompletedCallback = { context, _, request, _ in
    guard let context, let pointer = request?.pointee else { return }
    request?.pointee = nil
    core(context).end(Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue())
  }

  static let notice: MHD_NotifyConnectionCallback = { context, connection, place, change in
    guard let context, let connection, let place else { return }
    if change == .CONNECTION_NOTIFY_STARTED {
      let peer = Peer(
        address: PeerAddress.text(of: connection),
        descriptor: CMicrohttpd_descriptor(connection),
        idleSeconds: core(context).limits.idleSeconds)
      core(context).connect(peer)
      place.pointee = Unmanaged.passRetained(peer).toOpaque()
    } else if let pointer = place.pointee {
      place.pointee = nil
      core(context).disconnect(Unmanaged<Peer>.fromOpaque(pointer).takeRetainedValue())
    }
  }

  private static func core(_ context: UnsafeMutableRawPointer) -> ServerCore {
    Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
  }
}
