/// The names of the header fields that the dialects use.
package enum HeaderName {
  package static let accept = "Accept"
  package static let contentType = "Content-Type"
  package static let allow = "Allow"
  package static let date = "Date"
  package static let cacheControl = "Cache-Control"
  package static let entityTag = "ETag"
  package static let ifMatch = "If-Match"
  package static let ifNoneMatch = "If-None-Match"
  package static let retryAfter = "Retry-After"
  /// The seller's credential (v2).
  package static let identifier = "identifier"
  /// Marks one intent to register.
  package static let idempotencyKey = "Idempotency-Key"
  /// Announces our additions to v2: `1`.
  package static let extensions = "Market-Extensions"
}

extension HTTPResponse {
  /// Whether the server announces our additions to v2.
  package var announcesExtensions: Bool { headers[HeaderName.extensions] == "1" }
}
