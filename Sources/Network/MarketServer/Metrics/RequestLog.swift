import Dispatch
import Glibc
import MarketAPI
import Posix
import Synchronization

/// Access log: one line for each request, written to a descriptor.
///
/// Requests never wait for the log: lines are buffered and written 50 ms later on a queue. When the
/// reader stalls or the disk is full, lines are lost and counted, and a line in the log says how many
/// as soon as it can be written again.
package final class RequestLog: Sendable {
  /// Maximum bytes of the buffer; beyond it lines are lost.
  private static let byteLimit = 1 << 20
  private static let delay = DispatchTimeInterval.milliseconds(50)

  fileprivate struct State {
    var bytes: [UInt8] = []
    var isWriting = false
    /// Lost lines that the log has not reported yet.
    var unreportedCount = 0
    /// Lost lines in total.
    var lostCount = 0
    var stamp = LogTimestamp()
  }

  private let descriptor: Int32
  private let format: LogFormat
  private let queue = DispatchQueue(label: "market.server.log", qos: .utility)
  private let state = Mutex(State())

  package init(descriptor: Int32 = STDERR_FILENO, as format: LogFormat = .text) {
    self.descriptor = descriptor
    self.format = format
  }

  /// Adds a line for a request to the buffer; never blocks on the descriptor.
  package func add(_ request: FinishedRequest) {
    let begins = state.withLock { state in
      guard state.bytes.count < Self.byteLimit else {
        state.lose(1)
        return false
      }
      let stamp = state.stamp.text(at: time(nil))
      switch format {
      case .text:
        state.bytes += stamp
        state.bytes.append(0x20)
        request.appendLine(to: &state.bytes)
      case .json:
        state.bytes += request.jsonLine(at: String(decoding: stamp, as: UTF8.self))
      }
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if begins { queue.asyncAfter(deadline: .now() + Self.delay) { self.write() } }
  }

  /// Number of requests whose lines were lost.
  package var lostCount: Int { state.withLock { $0.lostCount } }

  /// Writes the buffered lines; waits at most one second.
  package func flush() {
    let end = DispatchSemaphore(value: 0)
    queue.async {
      self.write()
      end.signal()
    }
    _ = end.wait(timeout: .now() + 1)
  }

  private func lossLine(_ count: Int) -> [UInt8] {
    guard format == .json else { return Array("\(count) lines lost\n".utf8) }
    var line = JSONWriter()
    line.beginObject()
    line.member("time", ISOTime.text(of: Int64(time(nil))))
    line.member("lost", Int64(count))
    line.endObject()
    return line.bytes + [0x0A]
  }

  /// Writes the buffered lines; called on `queue`.
  private func write() {
    let (bytes, reported) = state.withLock { state in
      let reported = state.unreportedCount
      if reported > 0 { state.bytes += lossLine(reported) }
      let bytes = state.bytes
      (state.bytes, state.unreportedCount, state.isWriting) = ([], 0, false)
      return (bytes, reported)
    }
    var rest = bytes[...]
    // Unwritten lines are lost; the log reports their number later.
    try? FileDescriptorIO.writeAll(from: &rest, to: descriptor)
    let lines = rest.count { $0 == UInt8(ascii: "\n") }
    guard lines > 0 else { return }
    state.withLock { state in
      // The last line reports earlier losses and belongs to no request.
      state.lose(lines - (reported > 0 ? 1 : 0))
      state.unreportedCount += reported
    }
  }
}

extension RequestLog.State {
  fileprivate mutating func lose(_ count: Int) {
    unreportedCount += count
    lostCount += count
  }
}

/// Timestamp of log lines, formatted once a second.
private struct LogTimestamp {
  private var second: time_t = 0
  private var bytes: [UInt8] = []

  /// Timestamp as a line begins: `2026-11-21T01:10:32Z`.
  mutating func text(at now: time_t) -> [UInt8] {
    guard now != second || bytes.isEmpty else { return bytes }
    second = now
    bytes = Array(ISOTime.text(of: Int64(now)).utf8)
    return bytes
  }
}

/// Format of log lines.
package enum LogFormat: String, CaseIterable, Sendable {
  /// Text for people.
  case text
  /// One JSON object a line, for log collectors.
  case json
}
