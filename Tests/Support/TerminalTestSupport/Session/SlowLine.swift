/// A line to a terminal that carries few bytes a second, before which buffers take any number: what
/// writing to sshd over a slow network looks like.
///
/// It never carries more: where the machine was busy with other things, what the line could have
/// carried meanwhile is lost to it, so that no reader takes it for a fast one.
package struct SlowLine {
  private let bytesPerSecond: Int
  private var queue: ArraySlice<UInt8> = []
  private var last: ContinuousClock.Instant?

  package init(bytesPerSecond: Int) { self.bytesPerSecond = bytesPerSecond }

  var isEmpty: Bool { queue.isEmpty }

  /// As often the line hands on what it has carried.
  static let beat = Duration.milliseconds(4)

  mutating func take(_ bytes: [UInt8], at now: ContinuousClock.Instant) {
    if queue.isEmpty { last = now }
    queue += bytes
  }

  /// What has arrived by now.
  mutating func arrived(at now: ContinuousClock.Instant) -> [UInt8] {
    guard let last, !queue.isEmpty else { return [] }
    let time = min(last.duration(to: now), Self.beat * 2)
    let count = Int(Double(bytesPerSecond) * (time / .seconds(1)))
    guard count > 0 else { return [] }
    self.last = now
    let bytes = Array(queue.prefix(count))
    queue = queue.dropFirst(count)
    return bytes
  }

  /// All that is on its way, as when the program has ended.
  mutating func rest() -> [UInt8] {
    defer { queue = [] }
    return Array(queue)
  }
}
