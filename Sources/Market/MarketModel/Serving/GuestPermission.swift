/// Right that a guest over ssh needs for a command; what has none is for no guest.
package enum GuestPermission: Hashable, Sendable {
  /// For everybody, also the account that takes no key.
  case looking
  /// For those alone who are known by their key: it sells, or it is kept for later.
  case withKey
}
