import Glibc
import MarketModel
import TextCoding

/// Signer of URLs with which a client downloads a bucket's files without keys, for a limited time (AWS
/// Signature Version 4, authenticating requests by query parameters).
///
/// libcurl signs only headers, which a browser would not send.
package struct BucketSigner: Sendable {
  /// Seconds from the start of its signing period for which a URL is valid.
  static let expirySeconds: Int64 = 900
  /// Seconds for which a file keeps the same URL, so that browsers can cache it.
  static let periodSeconds: Int64 = 300
  /// Maximum age in seconds for a cache: a URL signed at the end of its period stays valid for longer
  /// than this.
  static let freshSeconds = 300

  private static let algorithm = "AWS4-HMAC-SHA256"
  private static let service = "s3"
  private static let ending = "aws4_request"

  private let bucket: BucketAddress
  private let keys: BucketKeys

  package init(of bucket: BucketAddress, with keys: BucketKeys) {
    self.bucket = bucket
    self.keys = keys
  }

  /// The signed URL of a file for a method, at a time in seconds since 1970.
  func address(
    of name: String, for method: SignedAddress.Method, at now: Int64
  ) -> SignedAddress {
    let period = now - now % Self.periodSeconds
    return SignedAddress(
      signed(
        bucket.address(of: name), for: method, at: period, expiringAfter: Self.expirySeconds),
      freshSeconds: Self.freshSeconds)
  }

  /// Signs a URL without a query, at a time in seconds since 1970; it expires after `expirySeconds`.
  package func signed(
    _ address: WebAddress, for method: SignedAddress.Method, at seconds: Int64,
    expiringAfter expirySeconds: Int64
  ) -> WebAddress {
    let instant = Self.instant(seconds)
    let scope = [String(instant.prefix(8)), bucket.region, Self.service, Self.ending]
    let scopeText = scope.joined(separator: "/")
    // Sorted by name, as the signature requires.
    var parameters = [
      ("X-Amz-Algorithm", Self.algorithm), ("X-Amz-Credential", keys.access + "/" + scopeText),
      ("X-Amz-Date", instant), ("X-Amz-Expires", String(expirySeconds)),
    ]
    if let token = keys.token { parameters.append(("X-Amz-Security-Token", token)) }
    parameters.append(("X-Amz-SignedHeaders", "host"))
    let query = parameters.map { $0 + "=" + PercentCoding.encode($1) }.joined(separator: "&")
    let request = [
      method.rawValue, String(address.path), query, "host:" + address.origin.authority, "", "host",
      "UNSIGNED-PAYLOAD",
    ].joined(separator: "\n")
    let message = [
      Self.algorithm, instant, scopeText,
      Hexadecimal.text(of: ContentHash.sha256(Array(request.utf8))),
    ].joined(separator: "\n")
    let key = scope.reduce(Array(("AWS4" + keys.secret).utf8)) {
      ContentHash.sha256(Array($1.utf8), key: $0)
    }
    let signature = Hexadecimal.text(of: ContentHash.sha256(Array(message.utf8), key: key))
    return WebAddress(
      origin: address.origin, target: "\(address.path)?\(query)&X-Amz-Signature=\(signature)")
  }

  /// A time in the format of signatures: `20130524T000000Z`.
  private static func instant(_ seconds: Int64) -> String {
    var (time, parts) = (time_t(seconds), tm())
    gmtime_r(&time, &parts)
    var text = [CChar](repeating: 0, count: 17)
    strftime(&text, text.count, "%Y%m%dT%H%M%SZ", &parts)
    return String(decoding: text.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
