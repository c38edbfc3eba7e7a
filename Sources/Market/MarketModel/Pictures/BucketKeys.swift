/// Keys by which an object storage knows who asks; they print as dots.
package struct BucketKeys: Sendable {
  package let access: String
  package let secret: String
  /// What belongs to keys that hold for a while; nil for others.
  package let token: String?

  package init(access: String, secret: String, token: String? = nil) {
    self.access = access
    self.secret = secret
    self.token = token
  }
}

extension BucketKeys: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "•••" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
