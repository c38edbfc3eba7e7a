import MarketModel

/// Meters of one pool of connections.
struct PoolMetrics: Sendable {
  let wait: TimerMetric
  let use: TimerMetric
  let timeouts: CounterMetric
  let conflicts: CounterMetric
  let losses: CounterMetric
  private let name: String
  private let measures: MetricsRegistry

  init(_ name: String, _ measures: MetricsRegistry) {
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
