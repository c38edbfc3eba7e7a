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

/// Turns of one run.
package struct IndexingBatches: Sendable {
  /// Number below which products are left, as far as the run knows.
  fileprivate var below = Int64.max

  package init() {}
}

extension StoredMarket {
  /// Brings all products into the search index by the folding of today, and returns when they are there,
  /// whoever did it.
  package func renewIndex() async throws(RepositoryError) {
    var turns = IndexingBatches()
    while let pause = try await renewSomeProducts(&turns) {
      do {
        try await Task.sleep(for: pause)
      } catch {
        throw .cancelled
      }
    }
  }

  /// The same with nobody waiting for it, for as long as the store is there; `indexing` says how much is
  /// done, beginning with `share`.
  package func followIndex(from share: Double) {
    indexing.set(to: share)
    Task.detached(priority: .utility) { [weak self] in
      var turns = IndexingBatches()
      while let pause = await self?.pauseAfterProducts(&turns) {
        try? await Task.sleep(for: pause)
      }
    }
  }

  /// Does one turn; nil where none is to follow.
  private func pauseAfterProducts(_ turns: inout IndexingBatches) async -> Duration? {
    do throws(RepositoryError) {
      if let pause = try await renewSomeProducts(&turns) { return pause }
    } catch {
      // Where the tables cannot be written to, the next start goes on.
      if error.isTransient, error != .cancelled { return .seconds(1) }
    }
    indexing.set(to: nil)
    return nil
  }

  /// Does one turn, and gives the time in which others come to theirs; nil where nothing is left.
  package func renewSomeProducts(
    _ turns: inout IndexingBatches
  ) async throws(RepositoryError) -> Duration? {
    let (tokenizer, below) = (tokenizer, turns.below)
    let renewal = try await write(isRepeatable: true) { database throws(StoreError) in
      .success(try database.renewIndex(below: below, tokenizer))
    }
    switch renewal {
    case .done: return nil
    case .renewed(let lowest, let share):
      turns.below = lowest
      if indexing.present != nil { indexing.set(to: share) }
      return .milliseconds(5)
    case .elsewhere:
      turns.below = .max
      return .seconds(1)
    }
  }
}
