import Synchronization

/// Version of a market's data in a database that several servers change.
///
/// The number changes with any change, never decreases, and is cached for a moment.
final class MarketVersion: Sendable {
  private let state = Mutex(VersionPoller())
  private let ask: @Sendable () async -> VersionPoller.Answer

  /// `ask` reads the version from the database; it must have a timeout of its own.
  init(asking ask: @escaping @Sendable () async -> VersionPoller.Answer) {
    self.ask = ask
  }

  /// The cached version, on any thread; nil where it would have to be read.
  func known() -> Int64? {
    let (version, begins) = state.withLock { $0.known(at: .now) }
    if begins { begin() }
    return version
  }

  /// The version read after this call; nil where the database cannot tell.
  func asked() async -> Int64? {
    await withCheckedContinuation { continuation in
      let begins = state.withLock { state in
        state.add({ continuation.resume(returning: $0) }, at: .now)
      }
      switch begins {
      case true?: begin()
      case false?: break
      case nil: continuation.resume(returning: nil)
      }
    }
  }

  /// Invalidates the cached version, and any read under way.
  func forget() { state.withLock { $0.forget() } }

  /// Reads until no caller waits; detached from the request, and from its deadline.
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
