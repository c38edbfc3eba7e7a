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
  private let listener: Listener
  private let script: Script
  private let received = Mutex<[ReceivedRequest]>([])
  private let open = Mutex<Set<Int32>>([])

  package init(_ script: @escaping Script) throws {
    self.script = script
    (listener, port) = try Listener.start()
    accept(from: listener)
  }

  deinit { stop() }

  package var base: String { "http://127.0.0.1:\(port)" }

  /// What has been asked so far, in order.
  package var requests: [ReceivedRequest] { received.withLock { $0 } }

  /// Stops listening and drops all connections.
  package func stop() {
    listener.stop()
    open.withLock { open in for descriptor in open { shutdown(descriptor, Int32(SHUT_RDWR)) } }
  }
}

package enum ScriptedServerError: Error {
  case cannotListen(Int32)
}

extension ScriptedServer {
  private func accept(from listener: Listener) {
    runOnDetachedThread { [weak self] in
      while let descriptor = listener.next() {
        guard let self else {
          Glibc.close(descriptor)
          break
        }
        serve(descriptor)
      }
      listener.close()
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

/// A socket that listens: one thread accepts at it and closes it in the end, any may stop it before.
private final class Listener: Sendable {
  private let descriptor: Int32
  /// Once it is closed, its number may be that of another test's connection.
  private let isOpen = Mutex(true)

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  static func start() throws(ScriptedServerError) -> (Listener, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard let port = bindToLoopback(descriptor), listen(descriptor, 64) == 0 else {
      throw .cannotListen(errno)
    }
    return (Listener(descriptor), port)
  }

  /// The next connection; nil once it is stopped.
  func next() -> Int32? {
    let connection = accept(descriptor, nil, nil)
    return connection >= 0 ? connection : nil
  }

  func stop() { isOpen.withLock { if $0 { shutdown(descriptor, Int32(SHUT_RDWR)) } } }

  func close() {
    isOpen.withLock { isOpen in
      if isOpen { Glibc.close(descriptor) }
      isOpen = false
    }
  }
}
