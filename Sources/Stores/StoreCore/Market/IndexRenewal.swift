import MarketModel

/// One turn of bringing products that were indexed by the folding of before into the search index by
/// the folding of today, from the newest to the oldest.
///
/// Searches ask for both meanwhile. The tables know what is left, so that anybody may go on.
package enum IndexRenewal: Sendable {
  /// No product is left.
  case done
  /// Products were indexed, none below this number; `share` is that of all that are done.
  case renewed(below: Int64, share: Double)
  /// Another server is at what is left.
  case elsewhere
}

extension StoredMarket {
  /// Brings all products into the search index by the folding of today, and returns when they are there,
  /// whoever did it.
  package func renewIndex() async throws(RepositoryError) {
    var lowest = Int64.max
    try await repeatTurns { () throws(RepositoryError) in
      try await renewSomeProducts(below: &lowest)
    }
  }

  /// The same with nobody waiting for it, for as long as the store is there; `indexing` says how much is
  /// done, beginning with `share`.
  package func followIndex(from share: Double) {
    indexing.set(to: share)
    Task.detached(priority: .utility) { [weak self] in
      var lowest = Int64.max
      while let pause = await self?.pauseAfterProducts(below: &lowest) {
        try? await Task.sleep(for: pause)
      }
    }
  }

  /// Does one turn; nil where none is to follow.
  private func pauseAfterProducts(below lowest: inout Int64) async -> Duration? {
    do throws(RepositoryError) {
      if let pause = try await renewSomeProducts(below: &lowest) { return pause }
    } catch {
      // Where the tables cannot be written to, the next start goes on.
      if error.isTransient, error != .cancelled { return .seconds(1) }
    }
    indexing.set(to: nil)
    return nil
  }

  /// Does one turn, and gives the time in which others come to theirs; nil where nothing is left.
  ///
  /// `lowest` is the number below which products are left, as far as the run knows.
  private func renewSomeProducts(
    below lowest: inout Int64
  ) async throws(RepositoryError) -> Duration? {
    let (tokenizer, below) = (tokenizer, lowest)
    let renewal = try await write(isRepeatable: true) { database throws(StoreError) in
      .success(try database.renewIndex(below: below, tokenizer))
    }
    switch renewal {
    case .done: return nil
    case .renewed(let below, let share):
      lowest = below
      if indexing.present != nil { indexing.set(to: share) }
      return .milliseconds(5)
    case .elsewhere:
      lowest = .max
      return .seconds(1)
    }
  }
}
