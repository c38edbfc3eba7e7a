/// Port to a person's alerts, and to those that fired.
package protocol AlertStore: Sendable {
  /// All alerts, the latest first.
  func alerts() async -> [Alert]
  /// Sets an alert, replacing one for the same; false where no more can be saved.
  func begin(_ alert: Alert) async -> Bool
  func end(_ alert: Alert.ID) async

  /// Takes note of what markets said, and answers what is to be told.
  ///
  /// Each alert that fired is given to one of all programs of this home.
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
