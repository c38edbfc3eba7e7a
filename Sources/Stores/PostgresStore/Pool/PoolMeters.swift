import MarketModel

/// Meters of one pool of connections.
struct PoolMeters: Sendable {
  let wait: TimeMeter
  let use: TimeMeter
  let timeouts: CountMeter
  let conflicts: CountMeter
  let losses: CountMeter
  private let name: String
  private let measures: Measures

  init(_ name: String, _ measures: Measures) {
    self.name = name
    self.measures = measures
    wait = measures.timer(.poolWait, name)
    use = measures.timer(.poolUse, name)
    timeouts = measures.counter(.poolTimeouts, name)
    conflicts = measures.counter(.repeats, name, "conflict")
    losses = measures.counter(.repeats, name, "connection")
  }

  /// Lets the pool be asked how its connections are used at a moment.
  func watch(
    free: @escaping @Sendable () -> Int, busy: @escaping @Sendable () -> Int,
    waiting: @escaping @Sendable () -> Int
  ) {
    measures.gauge(.poolConnections, name, "free") { Double(free()) }
    measures.gauge(.poolConnections, name, "busy") { Double(busy()) }
    measures.gauge(.poolWaiting, name) { Double(waiting()) }
  }
}
