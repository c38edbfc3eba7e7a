import MarketModel

/// What a person waits for, in memory.
package struct FakeAlerts: Sendable {
  package private(set) var alerts: [Alert] = []
  package private(set) var triggeredAlerts: [TriggeredAlert] = []
  package private(set) var silent: [MarketKey: Timestamp] = [:]
  private var last: Int64 = 0

  package init(_ alerts: [Alert] = []) {
    for alert in alerts { _ = begin(alert) }
  }

  mutating func begin(_ alert: Alert) -> Bool {
    alerts.removeAll {
      ($0.market, $0.subject) == (alert.market, alert.subject) && $0.condition == alert.condition
    }
    last += 1
    var alert = alert
    alert.id = Alert.ID(rawValue: last)
    alerts.insert(alert, at: 0)
    return true
  }

  mutating func end(_ id: Alert.ID) { alerts.removeAll { $0.id == id } }

  mutating func note(_ observations: [AlertObservation]) -> [TriggeredAlert] {
    observations.flatMap { observation -> [TriggeredAlert] in
      guard let index = alerts.firstIndex(where: { $0.id == observation.alert }) else { return [] }
      let news = alerts[index].take(observation)
      guard var triggered = TriggeredAlert(of: alerts[index], news) else { return [] }
      if let earlier = triggeredAlerts.firstIndex(where: { $0.id == observation.triggered }) {
        triggeredAlerts[earlier].count += triggered.count
        triggered.id = triggeredAlerts[earlier].id
      } else {
        last += 1
        triggered.id = TriggeredAlert.ID(rawValue: last)
        triggeredAlerts.insert(triggered, at: 0)
      }
      return [triggered]
    }
  }

  mutating func markAllSeen() {
    for index in triggeredAlerts.indices { triggeredAlerts[index].isSeen = true }
  }
  mutating func didLook(in market: MarketKey, hasAnswered: Bool) {
    silent[market] = hasAnswered ? nil : silent[market] ?? FakeFavorites.now
  }

  mutating func forget(_ id: TriggeredAlert.ID) { triggeredAlerts.removeAll { $0.id == id } }
}

extension FakePersonalStore {
  package func alerts() -> [Alert] { waiting.alerts }
  package func begin(_ alert: Alert) -> Bool { waiting.begin(alert) }
  package func end(_ alert: Alert.ID) { waiting.end(alert) }
  package func note(_ observations: [AlertObservation]) -> [TriggeredAlert] {
    waiting.note(observations)
  }
  package func didLook(in market: MarketKey, hasAnswered: Bool) {
    waiting.didLook(in: market, hasAnswered: hasAnswered)
  }
  package func unresponsiveMarkets() -> [MarketKey: Timestamp] { waiting.silent }
  package func triggeredAlerts(atMost limit: Int) -> [TriggeredAlert] {
    Array(waiting.triggeredAlerts.prefix(limit))
  }
  package func unseenAlerts() -> Int { waiting.triggeredAlerts.count { !$0.isSeen } }
  package func didSeeAlerts() { waiting.markAllSeen() }
  package func forget(_ triggered: TriggeredAlert.ID) { waiting.forget(triggered) }
}
