import MarketModel

/// What a person waits for, in memory.
package struct FakeWaits: Sendable {
  package private(set) var waits: [Wait] = []
  package private(set) var hits: [WaitHit] = []
  package private(set) var silent: [MarketKey: Timestamp] = [:]
  private var last: Int64 = 0

  package init(_ waits: [Wait] = []) {
    for wait in waits { _ = begin(wait) }
  }

  mutating func begin(_ wait: Wait) -> Bool {
    waits.removeAll {
      ($0.market, $0.subject) == (wait.market, wait.subject) && $0.condition == wait.condition
    }
    last += 1
    var wait = wait
    wait.id = Wait.ID(rawValue: last)
    waits.insert(wait, at: 0)
    return true
  }

  mutating func end(_ id: Wait.ID) { waits.removeAll { $0.id == id } }

  mutating func note(_ observations: [WaitObservation]) -> [WaitHit] {
    observations.flatMap { observation -> [WaitHit] in
      guard let index = waits.firstIndex(where: { $0.id == observation.wait }) else { return [] }
      let news = waits[index].take(observation)
      guard var hit = WaitHit(of: waits[index], news) else { return [] }
      if let earlier = hits.firstIndex(where: { $0.id == observation.hit }) {
        hits[earlier].count += hit.count
        hit.id = hits[earlier].id
      } else {
        last += 1
        hit.id = WaitHit.ID(rawValue: last)
        hits.insert(hit, at: 0)
      }
      return [hit]
    }
  }

  mutating func seeAll() { for index in hits.indices { hits[index].isSeen = true } }
  mutating func didLook(in market: MarketKey, hasAnswered: Bool) {
    silent[market] = hasAnswered ? nil : silent[market] ?? FakeKept.now
  }

  mutating func forget(_ id: WaitHit.ID) { hits.removeAll { $0.id == id } }
}

extension FakePersonalBook {
  package func waits() -> [Wait] { waiting.waits }
  package func begin(_ wait: Wait) -> Bool { waiting.begin(wait) }
  package func end(_ wait: Wait.ID) { waiting.end(wait) }
  package func note(_ observations: [WaitObservation]) -> [WaitHit] { waiting.note(observations) }
  package func didLook(in market: MarketKey, hasAnswered: Bool) {
    waiting.didLook(in: market, hasAnswered: hasAnswered)
  }
  package func silentMarkets() -> [MarketKey: Timestamp] { waiting.silent }
  package func hits(atMost limit: Int) -> [WaitHit] { Array(waiting.hits.prefix(limit)) }
  package func unseenHits() -> Int { waiting.hits.count { !$0.isSeen } }
  package func didSeeHits() { waiting.seeAll() }
  package func forget(_ hit: WaitHit.ID) { waiting.forget(hit) }
}
