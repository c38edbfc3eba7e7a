/// The port to a market's log of changes, which is asked.
package protocol ChangeLog: Sendable {
  /// The changes after a place, the oldest first, at most so many; without a place there are none,
  /// and following begins now.
  func changes(
    after cursor: ChangeCursor?, atMost limit: Int
  ) async throws(RepositoryError) -> ChangeBatch

  /// A number that may be another one after a change of the market, read in microseconds; nil where
  /// only `changes(after:atMost:)` can tell.
  func dataVersion() -> Int64?
}
