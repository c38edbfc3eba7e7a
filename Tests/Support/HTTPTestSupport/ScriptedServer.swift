import Glibc
import Synchronization

/// A server on the loopback interface that answers each request by a script, however wrong.
///
/// Each connection blocks a thread of its own; tests make few. It stops when it is released
/// or told to.
package final class ScriptedServer: Sendable {
  /// - Parameters: the request, and how many came before it.
  package typealias Script = @Sendable (ReceivedRequest, Int) -> [ServerStep]

  package let port: UInt16
  private let listener: Int32
  private let script: Script
  private let received = Mutex<[ReceivedRequest]>([])
  private let open = Mutex<Set<Int32>>([])

  package init(_ script: @escaping Script) throws {
    self.script = script
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard let port = bindToLoopback(listener), listen(listener, 64) == 0 else {
      throw ScriptedServerError.cannotListen(errno)
    }
    self.port = port
    accept(from: listener)
  }

  deinit { stop() }

  package var base: String { "http://127.0.0.1:\(port)" }

  /// What has been asked so far, in order.
  package var requests: [ReceivedRequest] { received.withLock { $0 } }

  /// Stops listening and drops all connections.
  package func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    open.withLock { open in for descriptor in open { shutdown(descriptor, Int32(SHUT_RDWR)) } }
  }
}

package enum ScriptedServerError: Error {
  case cannotListen(Int32)
}

extension ScriptedServer {
  private func accept(from listener: Int32) {
    runOnDetachedThread { [weak self] in
      while true {
        let descriptor = Glibc.accept(listener, nil, nil)
        guard descriptor >= 0 else { break }
        guard let self else {
          Glibc.close(descriptor)
          break
        }
        serve(descriptor)
      }
      Glibc.close(listener)
    }
  }

  private func serve(_ descriptor: Int32) {
    open.withLock { _ = $0.insert(descriptor) }
    runOnDetachedThread { [weak self] in
      let connection = ScriptedConnection(descriptor)
      while let request = connection.nextRequest(), let steps = self?.steps(for: request) {
        guard connection.perform(steps) else { break }
      }
      self?.open.withLock { _ = $0.remove(descriptor) }
      Glibc.close(descriptor)
    }
  }

  private func steps(for request: ReceivedRequest) -> [ServerStep] {
    let count = received.withLock { received in
      received.append(request)
      return received.count - 1
    }
    return script(request, count)
  }
}
