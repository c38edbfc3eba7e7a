/// The secret by which a market knows a seller: a UUID that is a credential.
///
/// Like a password it has no coding and prints as dots.
package struct SellerIdentifier: Hashable, Sendable {
  /// The text itself; for the request header, the settings file of mode 0600 and the store only.
  package let secret: String

  package init(secret: String) {
    self.secret = secret
  }
}

extension SellerIdentifier: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  package var description: String { "••••" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
