import MarketModel

/// Result of one step that indexes products with the current folding in place of the former one, from the
/// newest to the oldest.
///
/// Searches look for both foldings meanwhile. The tables hold what is left, so that any server may go on.
package enum IndexRenewal: Sendable {
  /// No product is left.
  case done
  /// Products were indexed, none below this number; `share` is the indexed part of all products, 0 to 1.
  case renewed(below: Int64, share: Double)
  /// Another server is indexing what is left.
  case elsewhere
}

extension StoredMarket {
  /// Indexes all products with the current folding, and returns when this or another server has done so.
  /// - Throws: `.store` where the tables cannot be written; `.cancelled`.
  package func renewIndex() async throws(RepositoryError) {
    var lowest = Int64.max
    try await repeatTurns { () throws(RepositoryError) in
      try await renewSomeProducts(below: &lowest)
    }
  }

  /// Like `renewIndex()`, in the background until the store is released; `indexing` reports the progress,
  /// from `share` on.
  package func followIndex(from share: Double) {
    indexing.set(to: share)
    Task.detached(priority: .utility) { [weak self] in
      var lowest = Int64.max
      while let pause = await self?.pauseAfterProducts(below: &lowest) {
        try? await Task.sleep(for: pause)
      }
    }
  }

  /// Runs one step and returns the pause before the next; nil after the last.
  private func pauseAfterProducts(below lowest: inout Int64) async -> Duration? {
    do throws(RepositoryError) {
      if let pause = try await renewSomeProducts(below: &lowest) { return pause }
    } catch {
      // Where the tables cannot be written, the next start goes on.
      if error.isTransient, error != .cancelled { return .seconds(1) }
    }
    indexing.set(to: nil)
    return nil
  }

  /// Runs one step and returns the pause in which other writers get their turn; nil where nothing is
  /// left.
  ///
  /// `lowest` is the number below which products are left, as far as this run knows.
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
