package import MarketModel
package import SafeTextKit

/// Standing of a guest over ssh: what the guest may do, and who it is.
package struct GuestSession: Hashable {
  /// The fingerprint of the guest's key; nil for those who came without one and only look.
  package let key: SafeText?
  /// How one comes here with a key: `market@market.example`.
  package let way: SafeText

  package init(key: SafeText?, way: SafeText) {
    self.key = key
    self.way = way
  }

  /// Whether the guest has what a command needs.
  package func has(_ right: GuestPermission) -> Bool {
    switch right {
    case .looking: true
    case .withKey: key != nil
    }
  }
}
