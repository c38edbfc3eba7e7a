/// Asks again and again until something is so that tells no observer.
///
/// Where the test is cancelled, as at its time limit, it returns.
package func poll(
  isolation: isolated (any Actor)? = #isolation, until condition: () async throws -> Bool
) async rethrows {
  while try await !condition(), !Task.isCancelled { await Task.yield() }
}
