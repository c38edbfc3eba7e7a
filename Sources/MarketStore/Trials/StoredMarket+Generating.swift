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
    try await write { connection throws(DatabaseError) in try connection.endBulk() }
  }
}

extension Connection {
  /// Gives the writing of many products the memory that keeps the indexes at hand.
  func beginBulk() throws(DatabaseError) {
    try execute("PRAGMA cache_size = -262144; PRAGMA wal_autocheckpoint = 32768")
    try run("INSERT INTO product_search (product_search, rank) VALUES ('automerge', 8)")
  }

  /// Gives it back, and makes one segment of the search index.
  func endBulk() throws(DatabaseError) {
    try run("INSERT INTO product_search (product_search) VALUES ('optimize')")
    try run("INSERT INTO product_search (product_search, rank) VALUES ('automerge', 4)")
    try execute(
      """
      PRAGMA wal_checkpoint(TRUNCATE); PRAGMA cache_size = -2000;
      PRAGMA wal_autocheckpoint = 1000;
      """)
  }
}
