import MarketModel
import Synchronization

/// Turns of those who try passwords, by product and origin.
///
/// An origin that has known the password, and tried no wrong one since, has many turns at a time;
/// any other has one, so that the first right try is known before the next one is judged.
final class TryQueue: Sendable {
  /// Who tries what.
  struct Place: Hashable, Sendable {
    let product: Product.ID
    let origin: TryOrigin
  }

  private struct Line {
    var running = 0
    var width = 1
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private static let trustedWidth = 32
  private static let longestLine = 256

  private let lines = Mutex<[Place: Line]>([:])

  /// Waits for a turn.
  ///
  /// - Returns: false where too many wait already; else the caller has to `leave`.
  func enter(_ place: Place) async -> Bool {
    let isFull = lines.withLock { lines in
      (lines[place]?.waiting.count ?? 0) >= Self.longestLine
    }
    guard !isFull else { return false }
    await withCheckedContinuation { continuation in
      let begins = lines.withLock { lines in
        var line = lines[place] ?? Line()
        let begins = line.running < line.width
        if begins { line.running += 1 } else { line.waiting.append(continuation) }
        lines[place] = line
        return begins
      }
      if begins { continuation.resume() }
    }
    return true
  }

  /// Says whether the origin may have many turns at a time from now on.
  func change(_ place: Place, isTrusted: Bool) {
    update(place) { $0.width = isTrusted ? Self.trustedWidth : 1 }
  }

  /// Ends a turn.
  func leave(_ place: Place) { update(place) { $0.running -= 1 } }

  /// Changes a line and lets those in who have a turn now.
  private func update(_ place: Place, _ change: (inout Line) -> Void) {
    let next = lines.withLock { lines in
      guard var line = lines[place] else { return [CheckedContinuation<Void, Never>]() }
      change(&line)
      let count = min(max(0, line.width - line.running), line.waiting.count)
      let next = Array(line.waiting.prefix(count))
      line.waiting.removeFirst(count)
      line.running += count
      lines[place] = line.running == 0 ? nil : line
      return next
    }
    for continuation in next { continuation.resume() }
  }
}
