/// Permission that a command needs from an ssh guest; commands without one are not for guests.
package enum GuestPermission: Hashable, Sendable {
  /// All guests, including the account without keys.
  case looking
  /// Only guests with a key: the command sells, or saves data.
  case withKey
}
