import MarketModel

extension VersionedMemory where Value == RememberedAnswer {
  /// A search, which may have to wait for its turn.
  typealias Search = @Sendable () async -> RememberedAnswer

  /// The response to a request: as it is remembered, else found out, else as it was before the market
  /// fell silent.
  ///
  /// - Parameters:
  ///   - request: what is asked.
  ///   - key: what its answer is remembered by.
  ///   - market: whose data it is made of.
  ///   - stale: the rule by which answers of before stand in; nil for never.
  ///   - turn: lets a search wait for its turn, outside of the memory, whose answers others share.
  ///   - find: finds the answer out.
  /// - Returns: the response.
  /// - Throws: what `turn` throws.
  func response(
    to request: ServerRequest, for key: Key, of market: any ServedMarket,
    orBefore stale: StaleAnswers?,
    taking turn: (@escaping Search) async throws(RepositoryError) -> RememberedAnswer,
    finding find: @escaping Search
  ) async throws(RepositoryError) -> ServerResponse {
    let version = await market.presentDataVersion()
    if let known = value(for: key, at: version) { return known.response(to: request) }
    if version == nil, let before = stale?.answer(to: request, for: key, in: self) { return before }
    // The data may change while a search waits.
    let answer = try await turn {
      await self.value(for: key, at: await market.presentDataVersion(), finding: find)
    }
    if answer.isOutage, let before = stale?.answer(to: request, for: key, in: self) {
      return before
    }
    return answer.response(to: request)
  }
}
