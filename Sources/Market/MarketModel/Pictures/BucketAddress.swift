internal import TextCoding

/// Address of a bucket in an object storage with the Amazon S3 API, optionally with a name prefix:
/// `s3://BUCKET[/BEGINNING]?endpoint=URL&region=NAME`.
///
/// It contains no keys, so it may appear in public places.
package struct BucketAddress: Hashable, Sendable {
  private static let scheme = "s3://"
  private static let defaultRegion = "us-east-1"

  /// Base address of the storage; the bucket is a folder of its path.
  package let endpoint: WebAddress
  package let bucket: String
  /// Prefix of all object names; empty, or ending with a slash.
  package let beginning: String
  package let region: String

  /// Parses an address, by default at Amazon's endpoint of the region; nil for other text, for one
  /// with a user name, and for unknown parameters.
  package init?(_ text: String) {
    guard text.hasPrefix(Self.scheme) else { return nil }
    let parts = text.dropFirst(Self.scheme.count)
      .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts[0].split(separator: "/")
    // Buckets, prefixes and regions contain no characters that need encoding.
    guard let bucket = path.first, path.allSatisfy(Self.isPlain),
      let parameters = Self.parameters(parts.count > 1 ? parts[1] : "")
    else { return nil }
    let region = parameters["region"] ?? Self.defaultRegion
    let amazon = "https://s3.\(region).amazonaws.com"
    guard !region.isEmpty, region.utf8.allSatisfy(WebAddress.isHostByte),
      let endpoint = WebAddress(parameters["endpoint"] ?? amazon), endpoint.path == endpoint.target,
      endpoint.path.split(separator: "/").allSatisfy({ $0 != "." && $0 != ".." })
    else { return nil }
    self.endpoint = endpoint
    self.bucket = String(bucket)
    self.region = region
    beginning = path.dropFirst().map { $0 + "/" }.joined()
  }

  /// Returns the address of an object.
  package func address(of name: String) -> WebAddress {
    endpoint.appending("/" + bucket + "/" + beginning + name)
  }

  /// Canonical text, which `init(_:)` parses.
  package var text: String {
    let ending = beginning.isEmpty ? "" : "/" + beginning.dropLast()
    return Self.scheme + bucket + ending + "?endpoint=\(endpoint.text)&region=\(region)"
  }

  /// Whether a path component needs no encoding and is not `.` or `..` (RFC 3986, section 3.3).
  private static func isPlain(_ part: Substring) -> Bool {
    part != "." && part != ".." && part.utf8.allSatisfy(WebAddress.isHostByte)
  }

  private static func parameters(_ text: Substring) -> [String: String]? {
    var parameters: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      let name = String(parts[0])
      guard parts.count == 2, ["endpoint", "region"].contains(name), parameters[name] == nil
      else { return nil }
      parameters[name] = PercentCoding.decode(parts[1])
    }
    return parameters
  }
}

/// Credentials for an object storage; they print as dots.
package struct BucketKeys: Sendable {
  package let access: String
  package let secret: String
  /// Session token of temporary credentials; nil for permanent ones.
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
