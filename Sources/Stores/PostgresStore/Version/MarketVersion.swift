import Synchronization

/// Version of a market's data in a database, which others may change.
///
/// Numbers are another one after any change, never go back, and are known at once for a moment after
/// one was asked for.
final class MarketVersion: Sendable {
  private let state = Mutex(VersionPoller())
  private let ask: @Sendable () async -> VersionPoller.Answer

  /// Takes what asks the database; it has to come to an end by itself.
  init(asking ask: @escaping @Sendable () async -> VersionPoller.Answer) {
    self.ask = ask
  }

  /// The version by an answer that still counts, on any thread; nil where it would have to be waited
  /// for.
  func known() -> Int64? {
    let (version, begins) = state.withLock { $0.known(at: .now) }
    if begins { begin() }
    return version
  }

  /// The version by a question that is asked after this call; nil where the database does not tell.
  func asked() async -> Int64? {
    await withCheckedContinuation { continuation in
      let begins = state.withLock { state in
        state.take({ continuation.resume(returning: $0) }, at: .now)
      }
      switch begins {
      case true?: begin()
      case false?: break
      case nil: continuation.resume(returning: nil)
      }
    }
  }

  /// From now on no answer counts that was asked for before.
  func forget() { state.withLock { $0.forget() } }

  /// Asks until nobody waits; detached, since it belongs to no request and has no request's deadline.
  private func begin() {
    Task.detached {
      while true {
        let answer = await self.ask()
        let (readers, version, begins) = self.state.withLock { $0.didReceive(answer, at: .now) }
        for reader in readers { reader(version) }
        guard begins else { return }
      }
    }
  }
}
