/// Rules of connections to a standby: they lead to the one server of which is known how far it has
/// come, and what fails is not tried again.
struct ReplicaConnectionRules: Sendable {
  /// Why a connection is given up that leads to another server.
  static let isOther = "another server answers"

  /// The host that all connections begin with.
  let preferred: PreferredHost
  /// Whether a server may be read at.
  let admits: @Sendable (_ server: String?) -> Bool
}
