import Glibc
import MarketModel
import TextCoding

/// Signer of addresses at which a bucket hands its files out without keys, for a while (AWS Signature
/// Version 4, authenticating requests by query parameters).
///
/// libcurl signs requests alone, whose headers a browser would not send.
package struct BucketSigner: Sendable {
  /// Seconds for which an address is good, from the beginning of the period that it is signed in.
  static let expirySeconds: Int64 = 900
  /// Seconds in which a file keeps one address, so that browsers know it again.
  static let periodSeconds: Int64 = 300
  /// Seconds for which an address may be remembered: signed at the end of its period, it is good for
  /// as long again.
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

  /// The address of a file for a method, told at a time in seconds since 1970.
  func address(
    of name: String, for method: SignedAddress.Method, at now: Int64
  ) -> SignedAddress {
    let period = now - now % Self.periodSeconds
    return SignedAddress(
      signed(
        bucket.address(of: name), for: method, at: period, expiringAfter: Self.expirySeconds),
      freshSeconds: Self.freshSeconds)
  }

  /// An address without a query, signed at a time in seconds since 1970.
  package func signed(
    _ address: WebAddress, for method: SignedAddress.Method, at seconds: Int64,
    expiringAfter expirySeconds: Int64
  ) -> WebAddress {
    let instant = Self.instant(seconds)
    let scope = [String(instant.prefix(8)), bucket.region, Self.service, Self.ending]
    let scopeText = scope.joined(separator: "/")
    // In the order of their names, as they are signed.
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

  /// A time as signatures have it: `20130524T000000Z`.
  private static func instant(_ seconds: Int64) -> String {
    var (time, parts) = (time_t(seconds), tm())
    gmtime_r(&time, &parts)
    var text = [CChar](repeating: 0, count: 17)
    strftime(&text, text.count, "%Y%m%dT%H%M%SZ", &parts)
    return String(decoding: text.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
