import MarketModel

extension StoredMarket {
  /// Adds believable products for trials, the same ones for the same seed.
  ///
  /// They come in portions; a run that is cut short leaves whole portions.
  ///
  /// - Parameters:
  ///   - count: how many.
  ///   - seed: another one is another market.
  ///   - pictures: what the products share, fit to be kept.
  ///   - passwordHash: of the one password of all these products.
  ///   - progress: told how many products there are after each portion.
  /// - Throws: as any writing; `.cancelled` between two portions.
  package func generate(
    _ count: Int, seed: UInt64 = 1, pictures: [PreparedPicture], passwordHash: String,
    progress: @Sendable (Int) -> Void
  ) async throws(RepositoryError) {
    var market = TrialMarket(
      count: count, seed: seed, now: now(), pictureCount: pictures.count)
    try await beginBulk()
    var done = 0
    while done < count {
      guard !Task.isCancelled else { throw .cancelled }
      let portion = (0..<min(20_000, count - done)).map { _ in market.next() }
      try await self.seed(
        SeedMarket(products: portion, pictures: pictures, passwordHash: passwordHash))
      done += portion.count
      progress(done)
    }
    try await endBulk()
  }
}
