import Dispatch
import Glibc
import Synchronization

/// A line for each request, on a descriptor.
///
/// Requests never wait for whoever reads the log: lines are collected, and written some
/// milliseconds later on a queue; when the reader stands still, lines are lost and counted.
package final class RequestLog: Sendable {
  private static let byteLimit = 1 << 20
  private static let delay = DispatchTimeInterval.milliseconds(50)

  private struct State {
    var bytes: [UInt8] = []
    var isWriting = false
    var lostCount = 0
    var stamp = LogStamp()
  }

  private let descriptor: Int32
  private let queue = DispatchQueue(label: "market.server.log", qos: .utility)
  private let state = Mutex(State())

  package init(descriptor: Int32 = STDERR_FILENO) {
    self.descriptor = descriptor
  }

  package func add(_ request: FinishedRequest) {
    let begins = state.withLock { state in
      guard state.bytes.count < Self.byteLimit else {
        state.lostCount += 1
        return false
      }
      state.bytes.append(contentsOf: state.stamp.text(at: time(nil)))
      request.appendLine(to: &state.bytes)
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if begins { queue.asyncAfter(deadline: .now() + Self.delay) { self.write() } }
  }

  /// Writes what is collected before it returns.
  package func flush() {
    queue.sync { write() }
  }

  /// Writes what is collected; called on `queue`.
  private func write() {
    let bytes = state.withLock { state in
      if state.lostCount > 0 {
        state.bytes.append(contentsOf: "\(state.lostCount) lines lost\n".utf8)
        state.lostCount = 0
      }
      state.isWriting = false
      defer { state.bytes = [] }
      return state.bytes
    }
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Glibc.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        guard count > 0 || errno == EINTR else { return }
        rest = rest.dropFirst(max(0, count))
      }
    }
  }
}

/// The time at the start of a line, made once a second.
private struct LogStamp {
  private var second: time_t = 0
  private var bytes: [UInt8] = []

  /// The time as a line begins: `2026-11-21T01:10:32Z `.
  mutating func text(at now: time_t) -> [UInt8] {
    guard now != second || bytes.isEmpty else { return bytes }
    second = now
    var moment = now
    var parts = tm()
    gmtime_r(&moment, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ ", &parts)
    bytes = text.prefix(count).map(UInt8.init(bitPattern:))
    return bytes
  }
}
