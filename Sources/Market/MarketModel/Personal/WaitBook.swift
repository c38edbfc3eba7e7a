/// The port to what a person waits for, and to what of it has come.
package protocol WaitBook: Sendable {
  /// All waits, the latest first.
  func waits() async -> [Wait]
  /// Begins a wait in the place of one for the same; false where no more can be kept.
  func begin(_ wait: Wait) async -> Bool
  func end(_ wait: Wait.ID) async

  /// Takes note of what markets said, and answers what is to be told.
  ///
  /// Whoever gets a hit is the only one of all programs of this home.
  func note(_ observations: [WaitObservation]) async -> [WaitHit]

  /// Takes note that a market was looked at, and whether it answered.
  func didLook(in market: MarketKey, hasAnswered: Bool) async
  /// Since when markets have not answered that did not answer when they were looked at last.
  func silentMarkets() async -> [MarketKey: Timestamp]

  /// What has come, the latest first.
  func hits(atMost limit: Int) async -> [WaitHit]
  /// How many of them nobody has looked at.
  func unseenHits() async -> Int
  /// Somebody looks at all that has come.
  func didSeeHits() async
  func forget(_ hit: WaitHit.ID) async
}
