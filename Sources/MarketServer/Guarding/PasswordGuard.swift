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
    } catch .wrongPassword {
      throw .wrongPassword
    } catch .invalid(let errors) {
      await succeed(on: id, by: origin, now)
      throw .invalid(errors)
    } catch .conflict(let current) {
      await succeed(on: id, by: origin, now)
      throw .conflict(current: current)
    } catch {
      _ = try? await market.changeTries(on: id, by: origin) { TryRules.takeBack(&$0) }
      throw error
    }
  }

  /// Takes note of a right password; the product itself may be gone by now.
  private func succeed(on id: Product.ID, by origin: TryOrigin, _ now: Int64) async {
    try? await market.changeTries(on: id, by: origin) { TryRules.succeed(&$0, now: now) }
  }
}
