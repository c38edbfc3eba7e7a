import MarketModel

/// Metrics of one connection pool.
struct PoolMetrics: Sendable {
  let wait: TimerMetric
  let use: TimerMetric
  let timeouts: CounterMetric
  let conflicts: CounterMetric
  let losses: CounterMetric
  private let name: String
  private let registry: MetricsRegistry

  init(_ name: String, _ registry: MetricsRegistry) {
    self.name = name
    self.registry = registry
    wait = registry.timer(.poolWait, name)
    use = registry.timer(.poolUse, name)
    timeouts = registry.counter(.poolTimeouts, name)
    conflicts = registry.counter(.repeats, name, "conflict")
    losses = registry.counter(.repeats, name, "connection")
  }

  /// Registers gauges of the pool's connections.
  func watch(
    free: @escaping @Sendable () -> Int, busy: @escaping @Sendable () -> Int,
    waiting: @escaping @Sendable () -> Int
  ) {
    registry.gauge(.poolConnections, name, "free") { Double(free()) }
    registry.gauge(.poolConnections, name, "busy") { Double(busy()) }
    registry.gauge(.poolWaiting, name) { Double(waiting()) }
  }
}
