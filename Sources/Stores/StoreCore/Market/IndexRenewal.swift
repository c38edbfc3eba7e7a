import MarketModel
import SQLiteKit

/// Result of one step that renews the search index after a change of the folding.
///
/// The tables hold what is left, so that any server may go on.
package enum IndexRenewal: Sendable {
  /// No product is left.
  case done
  /// Some products were renewed; `share` is the renewed part of all products, 0 to 1.
  case renewed(share: Double)
  /// Another server is renewing what is left.
  case elsewhere
}

extension StoredMarket {
  /// Renews the search index in the background until the store is released; `indexing` reports the
  /// progress, from `share` on.
  package func followIndex(from share: Double) {
    indexing.set(to: share)
    Task.detached(priority: .utility) { [weak self] in
      while let pause = await self?.pauseAfterRenewal() { try? await Task.sleep(for: pause) }
    }
  }

  /// Runs one step and returns the pause before the next, in which other writers get their turn; nil
  /// after the last.
  private func pauseAfterRenewal() async -> Duration? {
    let tokenizer = tokenizer
    do throws(RepositoryError) {
      let renewal = try await write(isRepeatable: true) { database throws(StoreError) in
        .success(try database.renewIndex(tokenizer))
      }
      switch renewal {
      case .done: break
      case .renewed(let share):
        indexing.set(to: share)
        return .milliseconds(5)
      case .elsewhere: return .seconds(1)
      }
    } catch {
      // Where the tables cannot be written, the next start goes on.
      if error.isTransient, error != .cancelled { return .seconds(1) }
    }
    indexing.set(to: nil)
    return nil
  }
}
