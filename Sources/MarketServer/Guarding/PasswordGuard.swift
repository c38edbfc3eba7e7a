import MarketModel

/// Lets passwords be tried as often as the rules allow.
struct PasswordGuard: Sendable {
  /// Seconds after which somebody may come back for whom too many were waiting.
  private static let crowdSeconds = 1

  let market: any ServedMarket
  let now: @Sendable () -> Int64
  private let queue = TryQueue()

  init(market: any ServedMarket, now: @escaping @Sendable () -> Int64) {
    self.market = market
    self.now = now
  }

  /// Runs what looks at a product's password.
  ///
  /// - Parameters:
  ///   - id: the product.
  ///   - origin: who tries.
  ///   - body: what looks at the password before anything else.
  /// - Returns: what `body` returned.
  /// - Throws: `.tooManyAttempts` without running `body`, or what it threw.
  func trying<Answer>(
    on id: Product.ID, by origin: TryOrigin, _ body: () async throws(RepositoryError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    let place = TryQueue.Place(product: id, origin: origin)
    guard await queue.enter(place) else {
      throw .tooManyAttempts(retryAfterSeconds: Self.crowdSeconds)
    }
    defer { queue.leave(place) }
    let now = now()
    let decision = try await market.changeTries(on: id, by: origin) {
      TryRules.begin(&$0, now: now)
    }
    switch decision {
    case .wait(let seconds): throw .tooManyAttempts(retryAfterSeconds: Int(seconds))
    case .look(let made):
      queue.change(place, isTrusted: made.isBeyondDoubt)
      return try await looking(made, at: place, now, body)
    }
  }

  private func looking<Answer>(
    _ made: TryRules.Try, at place: TryQueue.Place, _ now: Int64,
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
          await change(at: place) { TryRules.fail(&$0, after: made, now: now) }
        }
      case .invalid, .conflict: await succeed(made, at: place, now)
      default: await change(at: place) { TryRules.takeBack(&$0, after: made, now: now) }
      }
      throw error
    }
  }

  /// Takes note of a right password; the product itself may be gone by now.
  private func succeed(_ made: TryRules.Try, at place: TryQueue.Place, _ now: Int64) async {
    await change(at: place) { TryRules.succeed(&$0, after: made, now: now) }
    queue.change(place, isTrusted: true)
  }

  /// Corrects the count in a task of its own, since the caller's may be cancelled by now.
  ///
  /// Where the store cannot be written, the try stays counted: one too many harms less than one too
  /// few, and the caller has an answer already.
  private func change(
    at place: TryQueue.Place, _ change: @escaping @Sendable (inout PasswordTries) -> Void
  ) async {
    let market = market
    await Task {
      try? await market.changeTries(on: place.product, by: place.origin, change)
    }.value
  }
}
