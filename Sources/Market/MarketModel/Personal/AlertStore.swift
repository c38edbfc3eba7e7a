/// The port to what a person waits for, and to what of it has come.
package protocol AlertStore: Sendable {
  /// All waits, the latest first.
  func alerts() async -> [Alert]
  /// Begins a wait in the place of one for the same; false where no more can be kept.
  func begin(_ alert: Alert) async -> Bool
  func end(_ alert: Alert.ID) async

  /// Takes note of what markets said, and answers what is to be told.
  ///
  /// Whoever gets a hit is the only one of all programs of this home.
  func note(_ observations: [AlertObservation]) async -> [TriggeredAlert]

  /// Takes note that a market was looked at, and whether it answered.
  func didLook(in market: MarketKey, hasAnswered: Bool) async
  /// Since when markets have not answered that did not answer when they were looked at last.
  func unresponsiveMarkets() async -> [MarketKey: Timestamp]

  /// What has come, the latest first.
  func triggeredAlerts(atMost limit: Int) async -> [TriggeredAlert]
  /// How many of them nobody has looked at.
  func unseenAlerts() async -> Int
  /// Somebody looks at all that has come.
  func didSeeAlerts() async
  func forget(_ triggered: TriggeredAlert.ID) async
}
