/// A repository that counts exactly, and knows when a count is out of date.
package protocol ProductCounter: Sendable {
  /// How many products match a query, whatever counting them costs; worth remembering as long as
  /// `dataVersion()` stays the same.
  func exactTotal(of query: ProductQuery) async throws(RepositoryError) -> Int

  /// A number that is another one after any change of the market, whoever made it; comparable only
  /// among numbers of one object.
  ///
  /// Asked before every answer that may be remembered, so it takes microseconds and waits for
  /// nothing; nil where it cannot be told at once.
  func dataVersion() -> Int64?
}
