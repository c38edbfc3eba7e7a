/// A repository that can be served: it counts exactly, and knows when a count is out of date.
package protocol ProductCounter: Sendable {
  /// How many products match a query, whatever counting them costs; worth remembering as long as
  /// `dataVersion()` stays the same.
  func exactTotal(of query: ProductQuery) async throws(RepositoryError) -> Int

  /// A number that is another one after any change of the market, whoever made it; comparable only
  /// among numbers of one object.
  func dataVersion() async throws(RepositoryError) -> Int64
}
