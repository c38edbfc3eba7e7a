import MarketModel
import SQLiteKit

/// What the person waits for; what has come is told to one program alone.
extension PersonalFile: AlertStore {
  package func alerts() -> [Alert] {
    read { connection throws(DatabaseError) in try AlertTable(connection: connection).all() } ?? []
  }

  /// Names and texts that are too long are not kept.
  package func begin(_ alert: Alert) -> Bool {
    guard (alert.location?.utf8.count ?? 0) <= AlertTable.maxPlaceLength else { return false }
    if case .search(let text) = alert.subject, text.utf8.count > AlertTable.maxTextLength {
      return false
    }
    var alert = alert
    alert.name = AlertTable.shortened(alert.name)
    return write(survivingPowerLoss: true) { connection throws(DatabaseError) in
      try AlertTable(connection: connection).begin(alert)
    } ?? false
  }

  package func end(_ alert: Alert.ID) {
    write(survivingPowerLoss: true) { connection throws(DatabaseError) in
      try AlertTable(connection: connection).end(alert)
    }
  }

  package func note(_ observations: [AlertObservation]) -> [TriggeredAlert] {
    guard !observations.isEmpty else { return [] }
    return write { connection throws(DatabaseError) in
      try AlertTable(connection: connection).note(observations)
    } ?? []
  }

  package func didLook(in market: MarketKey, hasAnswered: Bool) {
    let now = now().seconds
    write { connection throws(DatabaseError) in
      try UnresponsiveMarketTable(connection).note(market, hasAnswered: hasAnswered, at: now)
    }
  }

  package func unresponsiveMarkets() -> [MarketKey: Timestamp] {
    read { connection throws(DatabaseError) in try UnresponsiveMarketTable(connection).all() }
      ?? [:]
  }

  package func triggeredAlerts(atMost limit: Int) -> [TriggeredAlert] {
    read { connection throws(DatabaseError) in
      try TriggeredAlertTable(connection).latest(atMost: limit)
    } ?? []
  }

  package func unseenAlerts() -> Int {
    read { connection throws(DatabaseError) in try TriggeredAlertTable(connection).unseen() } ?? 0
  }

  package func didSeeAlerts() {
    write { connection throws(DatabaseError) in try TriggeredAlertTable(connection).markAllSeen() }
  }

  package func forget(_ triggered: TriggeredAlert.ID) {
    write { connection throws(DatabaseError) in
      try TriggeredAlertTable(connection).forget(triggered)
    }
  }
}
