import Glibc
import HTTPTestSupport
import Synchronization
import TestSupport

/// A port of the loopback interface that leads to a cluster's socket, and may fall silent: what was
/// sent then is taken and goes nowhere, as behind a firewall that has forgotten its connections.
package final class DatabaseRelay: Sendable {
  private struct State {
    var isSilent = false
    var descriptors: [Int32] = []
    var isOver = false
  }

  private let listener: Int32
  private let target: String
  /// How long what was read waits before it is passed on.
  private let delayMicroseconds: UInt32
  private let state = Mutex(State())
  /// As addresses have it: `127.0.0.1:49152`.
  package let address: String

  /// - Parameters:
  ///   - cluster: what is behind it.
  ///   - port: which of its servers.
  ///   - delayMilliseconds: how far away it seems, in each direction. What comes while something waits
  ///     goes along with the next piece, so that the way may take twice as long.
  /// - Throws: where it cannot listen.
  package init(
    before cluster: TestCluster, port: Int = TestCluster.port, delayMilliseconds: UInt32 = 0
  ) throws {
    delayMicroseconds = delayMilliseconds * 1_000
    target = "\(cluster.folder)/.s.PGSQL.\(port)"
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard let port = Self.listen(on: listener) else {
      throw UnexpectedError(description: "no port")
    }
    address = "127.0.0.1:\(port)"
    runOnDetachedThread { [weak self, listener] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0, let self else { return }
        self.serve(client)
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    state.withLock { state in
      for descriptor in state.descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  /// From now on nothing passes; new connections are taken, and get no answer either.
  package func fallSilent() { state.withLock { $0.isSilent = true } }

  /// What comes from now on passes again; old connections stay silent.
  package func speak() {
    state.withLock { state in
      state.isSilent = false
      state.descriptors = []
    }
  }

  private func serve(_ client: Int32) {
    let server = Self.connect(to: target)
    state.withLock { $0.descriptors += [client, server] }
    for (from, to) in [(client, server), (server, client)] {
      runOnDetachedThread { [weak self] in
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = recv(from, &piece, piece.count, 0), count > 0 {
          guard let self, self.passes(client) else { continue }
          if self.delayMicroseconds > 0 { usleep(self.delayMicroseconds) }
          _ = send(to, piece, count, Int32(MSG_NOSIGNAL))
        }
        shutdown(to, Int32(SHUT_RDWR))
      }
    }
  }

  private func passes(_ client: Int32) -> Bool {
    state.withLock { !$0.isSilent && $0.descriptors.contains(client) }
  }

  private static func listen(on descriptor: Int32) -> UInt16? {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listens = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && Glibc.listen(descriptor, 64) == 0
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    return listens ? UInt16(bigEndian: address.sin_port) : nil
  }

  private static func connect(to path: String) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      for (position, byte) in zip(bytes.indices.dropLast(), path.utf8) { bytes[position] = byte }
    }
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    return descriptor
  }
}
