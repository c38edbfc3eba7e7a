import MarketModel
import Synchronization

/// Guard of passwords, which lets them be tried as often as the rules allow.
struct PasswordGuard: Sendable {
  /// Seconds after which somebody may come back for whom too many were waiting.
  private static let crowdSeconds = 1

  let market: any ServedMarket
  let now: @Sendable () -> Int64
  private let queue = AttemptQueue()

  init(market: any ServedMarket, now: @escaping @Sendable () -> Int64) {
    self.market = market
    self.now = now
  }

  /// Runs a body that looks at a product's password before anything else.
  ///
  /// - Throws: `.tooManyAttempts` without running `body`, or what it threw.
  func trying<Answer>(
    on id: Product.ID, by origin: AttemptOrigin, _ body: () async throws(RepositoryError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    let place = AttemptQueue.Place(product: id, origin: origin)
    guard await queue.enter(place) else {
      throw .tooManyAttempts(retryAfterSeconds: Self.crowdSeconds)
    }
    defer { queue.leave(place) }
    let now = now()
    let decision = try await market.changeAttempts(on: id, by: origin) {
      AttemptRules.begin(&$0, now: now)
    }
    switch decision {
    case .wait(let seconds): throw .tooManyAttempts(retryAfterSeconds: Int(seconds))
    case .look(let made):
      queue.change(place, isTrusted: made.isBeyondDoubt)
      return try await looking(made, at: place, now, body)
    }
  }

  private func looking<Answer>(
    _ made: AttemptRules.Attempt, at place: AttemptQueue.Place, _ now: Int64,
    _ body: () async throws(RepositoryError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    do {
      let answer = try await body()
      await succeed(made, at: place, now)
      return answer
    } catch {
      switch error {
      case .wrongPassword:
        queue.change(place, isTrusted: false)
        if !made.countsAhead {
          await change(at: place) { AttemptRules.fail(&$0, after: made, now: now) }
        }
      case .invalid, .conflict: await succeed(made, at: place, now)
      default: await change(at: place) { AttemptRules.takeBack(&$0, after: made, now: now) }
      }
      throw error
    }
  }

  /// Takes note of a right password; the product itself may be gone by now.
  private func succeed(_ made: AttemptRules.Attempt, at place: AttemptQueue.Place, _ now: Int64)
    async
  {
    await change(at: place) { AttemptRules.succeed(&$0, after: made, now: now) }
    queue.change(place, isTrusted: true)
  }

  /// Corrects the count in a task of its own, since the caller's may be cancelled by now.
  ///
  /// Where the store cannot be written, the try stays counted: one too many harms less than one too
  /// few, and the caller has an answer already.
  private func change(
    at place: AttemptQueue.Place, _ change: @escaping @Sendable (inout PasswordAttempts) -> Void
  ) async {
    let market = market
    await Task {
      try? await market.changeAttempts(on: place.product, by: place.origin, change)
    }.value
  }
}

/// Queue of those who try passwords, by product and origin.
///
/// An origin that has known the password, and tried no wrong one since, has many turns at a time;
/// any other has one, so that the first right try is known before the next one is judged.
private final class AttemptQueue: Sendable {
  /// Product and origin of a try.
  struct Place: Hashable, Sendable {
    let product: Product.ID
    let origin: AttemptOrigin
  }

  private struct Line {
    var running = 0
    var width = 1
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private static let trustedWidth = 32
  private static let longestLine = 256

  private let lines = Mutex<[Place: Line]>([:])

  /// Waits for a turn, after which the caller has to `leave`; false where too many wait already.
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
