import MarketModel

/// One turn of bringing the names of renamed sellers into the search index.
///
/// Who renames waits for no more than a few products, however many there are: the others follow in turns,
/// from the newest to the oldest. The tables know what is left, so that anybody may go on.
package enum SellerRenameBackfill: Sendable {
  /// The seller's newest products, which are found by the name once the renaming is answered.
  package static let productsAtOnce = 50

  /// All products are found by their sellers' names.
  case done
  /// Some products of a seller were renewed.
  case renewed(Seller.ID, isLast: Bool)
  /// Another server is at what is left.
  case elsewhere

  /// Time in which others come to their turn; nil where there is none after this.
  fileprivate var pause: Duration? {
    switch self {
    case .done: nil
    case .renewed: .milliseconds(5)
    case .elsewhere: .milliseconds(100)
    }
  }
}

extension StoredMarket {
  /// Brings all names into the search index, and returns when they are there, whoever did it.
  package func renewNames() async throws(RepositoryError) {
    try await repeatTurns { () throws(RepositoryError) in try await renewSomeNames().pause }
  }

  /// Does turns until one says no time in which others come to theirs.
  func repeatTurns(
    _ turn: () async throws(RepositoryError) -> Duration?
  ) async throws(RepositoryError) {
    while let pause = try await turn() {
      do { try await Task.sleep(for: pause) } catch { throw .cancelled }
    }
  }

  /// The same with nobody waiting for it, for as long as the store is there.
  package func followNames() {
    Task.detached(priority: .utility) { [weak self] in
      while let pause = await self?.pauseAfterNames() { try? await Task.sleep(for: pause) }
    }
  }

  /// Does one turn; nil where none is to follow.
  private func pauseAfterNames() async -> Duration? {
    do throws(RepositoryError) {
      return try await renewSomeNames().pause
    } catch {
      // Where the tables cannot be written to, the next renaming or start goes on.
      return error.isTransient && error != .cancelled ? .seconds(1) : nil
    }
  }

  private func renewSomeNames() async throws(RepositoryError) -> SellerRenameBackfill {
    let tokenizer = tokenizer
    return try await write(isRepeatable: true) { database throws(StoreError) in
      let renewal = try database.renewNames(tokenizer)
      // Whoever remembers what was found by the old name forgets it.
      if case .renewed(let seller, isLast: true) = renewal { try database.log(renamed: seller) }
      return .success(renewal)
    }
  }
}
