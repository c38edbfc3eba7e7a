extension HTTPResponse {
  /// How many seconds the server asks to wait (RFC 9110, section 10.2.3); nil where it does not say.
  ///
  /// A date counts from the `Date` of the same answer, so that nobody's clock has to be right.
  package var retryAfterSeconds: Int64? {
    guard let text = headers[HeaderName.retryAfter] else { return nil }
    if let seconds = Int64(text) { return max(0, seconds) }
    guard let then = HTTPDate.read(text), let now = headers[HeaderName.date].flatMap(HTTPDate.read)
    else { return nil }
    return max(0, then - now)
  }
}
