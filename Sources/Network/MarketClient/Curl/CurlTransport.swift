import DispatchBridge
import MarketAPI
import Synchronization

/// HTTP transport by libcurl: keep-alive connections, HTTP/2 where offered, compression.
///
/// libcurl is loaded by the first request.
package final class CurlTransport: HTTPTransport {
  private let library: String
  private let authorities: String?
  private let engine = Mutex<CurlEngine?>(nil)

  /// - Parameters:
  ///   - library: file name of libcurl, as the dynamic loader looks it up.
  ///   - authorities: file of trusted certificates (PEM); nil uses the system's.
  package init(library: String = "libcurl.so.4", authorities: String? = nil) {
    self.library = library
    self.authorities = authorities
  }

  deinit {
    // Requests retain the transport, so none is running here.
    engine.withLock { $0?.stop() }
  }

  package func answer(to hop: HTTPHop) async throws(TransportError) -> HTTPHopResponse {
    guard hop.headers.allSatisfy(\.isPrintable) else { throw .malformed }
    let engine = try openedEngine()
    let transfer = CurlTransfer(hop)
    let outcome = await withTaskCancellationHandler {
      engine.start(transfer)
      return await transfer.outcome.value
    } onCancel: {
      engine.cancel(transfer)
    }
    return try outcome.get()
  }

  private func openedEngine() throws(TransportError) -> CurlEngine {
    let opened = engine.withLock { engine in
      Result { () throws(TransportError) in
        if let engine { return engine }
        let made = try CurlEngine(CurlLibrary(named: library), trusting: authorities)
        engine = made
        return made
      }
    }
    return try opened.get()
  }
}

extension HTTPHeaders.Field {
  /// Whether the field is free of control characters, which could inject another header.
  fileprivate var isPrintable: Bool {
    [name, value].allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
  }
}
