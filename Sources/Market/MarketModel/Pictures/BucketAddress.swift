internal import TextCoding

/// Address of a bucket of an object storage that speaks the API of Amazon S3, perhaps with the
/// beginning of the names in it: `s3://BUCKET[/BEGINNING]?endpoint=URL&region=NAME`.
///
/// It holds no keys, so that it may stand where everybody reads it.
package struct BucketAddress: Hashable, Sendable {
  private static let scheme = "s3://"
  private static let defaultRegion = "us-east-1"

  /// Where the storage answers; a bucket is a folder of its path.
  package let endpoint: WebAddress
  package let bucket: String
  /// What stands before each name; empty, or ending with a slash.
  package let beginning: String
  package let region: String

  /// Reads an address as an operator writes it; nil for anything else, and for one with a user's name
  /// or with parameters that mean nothing.
  ///
  /// Without an endpoint it is Amazon's of the region.
  package init?(_ text: String) {
    guard text.hasPrefix(Self.scheme) else { return nil }
    let parts = text.dropFirst(Self.scheme.count)
      .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts[0].split(separator: "/")
    // Buckets, beginnings and regions hold nothing that an address writes in another way.
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

  /// The address of an object.
  package func address(of name: String) -> WebAddress {
    endpoint.appending("/" + bucket + "/" + beginning + name)
  }

  /// The address as it is read.
  package var text: String {
    let ending = beginning.isEmpty ? "" : "/" + beginning.dropLast()
    return Self.scheme + bucket + ending + "?endpoint=\(endpoint.text)&region=\(region)"
  }

  /// Whether a part of a path stands for itself alone: points lead elsewhere (RFC 3986, section 3.3).
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
