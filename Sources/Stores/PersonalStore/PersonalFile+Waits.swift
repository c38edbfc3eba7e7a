import MarketModel
import SQLiteKit

/// What the person waits for; what has come is told to one program alone.
extension PersonalFile: WaitBook {
  package func waits() -> [Wait] {
    read { connection throws(DatabaseError) in try Waits(connection: connection).all() } ?? []
  }

  /// Names and texts that are too long are not kept.
  package func begin(_ wait: Wait) -> Bool {
    guard (wait.place?.utf8.count ?? 0) <= Waits.longestPlace else { return false }
    if case .search(let text) = wait.subject, text.utf8.count > Waits.longestText { return false }
    var wait = wait
    wait.name = Waits.shortened(wait.name)
    return write(survivingPowerLoss: true) { connection throws(DatabaseError) in
      try Waits(connection: connection).begin(wait)
    } ?? false
  }

  package func end(_ wait: Wait.ID) {
    write(survivingPowerLoss: true) { connection throws(DatabaseError) in
      try Waits(connection: connection).end(wait)
    }
  }

  package func note(_ observations: [WaitObservation]) -> [WaitHit] {
    guard !observations.isEmpty else { return [] }
    return write { connection throws(DatabaseError) in
      try Waits(connection: connection).note(observations)
    } ?? []
  }

  package func didLook(in market: MarketKey, hasAnswered: Bool) {
    let now = now().seconds
    write { connection throws(DatabaseError) in
      try Silence(connection).note(market, hasAnswered: hasAnswered, at: now)
    }
  }

  package func silentMarkets() -> [MarketKey: Timestamp] {
    read { connection throws(DatabaseError) in try Silence(connection).all() } ?? [:]
  }

  package func hits(atMost limit: Int) -> [WaitHit] {
    read { connection throws(DatabaseError) in try Hits(connection).latest(atMost: limit) } ?? []
  }

  package func unseenHits() -> Int {
    read { connection throws(DatabaseError) in try Hits(connection).unseen() } ?? 0
  }

  package func didSeeHits() {
    write { connection throws(DatabaseError) in try Hits(connection).seeAll() }
  }

  package func forget(_ hit: WaitHit.ID) {
    write { connection throws(DatabaseError) in try Hits(connection).forget(hit) }
  }
}
