import MarketAPI
import Synchronization

/// HTTP by libcurl: kept-alive connections, HTTP/2 where it is offered, compression.
///
/// libcurl is opened when the first request is made.
package final class CurlTransport: HTTPTransport {
  private let library: String
  private let authorities: String?
  private let engine = Mutex<CurlEngine?>(nil)

  /// - Parameters:
  ///   - library: libcurl's name, as the dynamic loader looks it up.
  ///   - authorities: a file of certificates (PEM) that servers are trusted by; nil is the system's.
  package init(library: String = "libcurl.so.4", authorities: String? = nil) {
    self.library = library
    self.authorities = authorities
  }

  deinit {
    // Requests hold the transport, so that none is running here.
    engine.withLock { $0?.stop() }
  }

  package func answer(to hop: HTTPHop) async throws(TransportError) -> HTTPHopResponse {
    guard hop.headers.allSatisfy(\.isPrintable) else { throw .malformed }
    let engine = try openedEngine()
    let transfer = CurlTransfer(hop)
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { engine.start(transfer, $0) }
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
  /// Whether it is free of control characters, which would begin another header.
  fileprivate var isPrintable: Bool {
    [name, value].allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
  }
}
