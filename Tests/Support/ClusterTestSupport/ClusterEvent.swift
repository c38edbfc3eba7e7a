/// Something that happens to a city while it is used.
package struct ClusterEvent: Sendable {
  package let name: String
  /// When, as a share of the whole run, 0 to 1.
  let share: Double
  let action: @Sendable () throws -> Void

  package init(_ name: String, at share: Double, _ action: @escaping @Sendable () throws -> Void) {
    self.name = name
    self.share = share
    self.action = action
  }
}

extension ClusterLoadTest {
  /// One server is killed and comes back, one is restarted, and then the database is.
  package var misfortunes: [ClusterEvent] {
    [
      ClusterEvent("kill -9", at: 0.2) { [servers] in servers[0].kill() },
      ClusterEvent("start again", at: 0.4) { [servers] in try servers[0].startAgain() },
      ClusterEvent("restart", at: 0.55) { [servers] in
        try servers[1].stop()
        try servers[1].startAgain()
      },
      ClusterEvent("database", at: 0.75) { [self] in try restartDatabase() },
    ]
  }
}
