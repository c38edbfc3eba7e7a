package import MarketModel
package import SafeTextKit

/// Session of a guest over ssh: its identity and its permissions.
package struct GuestSession: Hashable {
  /// Fingerprint of the guest's key; nil for a guest without a key, which can only view.
  package let key: SafeText?
  /// Address for ssh with a key: `market@market.example`.
  package let sshArguments: SafeText

  package init(key: SafeText?, sshArguments: SafeText) {
    self.key = key
    self.sshArguments = sshArguments
  }

  /// Whether the guest's session allows a command; `.withKey` needs a key.
  package func has(_ right: GuestPermission) -> Bool {
    switch right {
    case .looking: true
    case .withKey: key != nil
    }
  }
}
