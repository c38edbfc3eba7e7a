import MarketModel

/// Lets passwords be tried as often as the rules allow.
struct PasswordGuard: Sendable {
  let market: any ServedMarket
  let now: @Sendable () -> Int64

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
    let now = now()
    let wait = try await market.changeTries(on: id, by: origin) { TryRules.begin(&$0, now: now) }
    if let wait { throw .tooManyAttempts(retryAfterSeconds: Int(wait)) }
    do {
      let answer = try await body()
      await succeed(on: id, by: origin, now)
      return answer
    } catch {
      switch error {
      case .wrongPassword: break
      case .invalid, .conflict: await succeed(on: id, by: origin, now)
      default: await takeBack(on: id, by: origin)
      }
      throw error
    }
  }

  /// Takes note of a right password; the product itself may be gone by now.
  private func succeed(on id: Product.ID, by origin: TryOrigin, _ now: Int64) async {
    await change(on: id, by: origin) { TryRules.succeed(&$0, now: now) }
  }

  /// Forgets a try in which no password was looked at.
  private func takeBack(on id: Product.ID, by origin: TryOrigin) async {
    await change(on: id, by: origin) { TryRules.takeBack(&$0) }
  }

  /// Corrects the count in a task of its own, since the caller's may be cancelled by now.
  ///
  /// Where the store cannot be written, the try stays counted: one too many harms less than one too
  /// few, and the caller has an answer already.
  private func change(
    on id: Product.ID, by origin: TryOrigin,
    _ change: @escaping @Sendable (inout PasswordTries) -> Void
  ) async {
    let market = market
    await Task { try? await market.changeTries(on: id, by: origin, change) }.value
  }
}
