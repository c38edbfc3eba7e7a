// Programs that measure use this module too, and are built where there is no Testing.
#if canImport(Testing)
  /// How long a wait in memory lasts: so many turns of the main actor, each of which becomes long with all else on
  /// a busy machine.
  package enum Turns {
    /// More than half a minute on an idle machine.
    package static let most = 16_000

    /// Lets the main actor do what was there for it.
    package static func pass() async throws {
      try await Task.sleep(for: .milliseconds(2))
      await MainActor.run {}
    }

    /// Calls `giveUp` after so many turns, unless it is cancelled before.
    package static func watch(
      _ turns: Int, giveUp: @escaping @MainActor () -> Void
    ) -> Task<Void, any Error> {
      Task {
        // Most waits are over by then, and nothing has woken for them.
        try await Task.sleep(for: .milliseconds(250))
        for _ in 0..<turns { try await pass() }
        await giveUp()
      }
    }
  }
#endif
