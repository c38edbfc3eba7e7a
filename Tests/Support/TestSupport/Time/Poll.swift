// Programs that measure use this module too, and are built where there is no Testing.
#if canImport(Testing)
  import Testing

  /// Asks again and again until something is so that tells no observer; a wait without end is an issue of the test.
  package func poll(
    turns: Int = Turns.most, isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation, until condition: () async throws -> Bool
  ) async rethrows {
    // Most of what is waited for takes no time, and comes when others have had their turn.
    for _ in 0..<20 {
      if try await condition() { return }
      await Task.yield()
    }
    for _ in 0..<turns {
      if try await condition() { return }
      do { try await Turns.pass() } catch { return }
    }
    Issue.record("what is waited for did not become so", sourceLocation: sourceLocation)
  }
#endif
