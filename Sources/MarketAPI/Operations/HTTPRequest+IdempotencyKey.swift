import MarketModel

extension HTTPRequest {
  /// The key by which a registration that is sent again is known for the same one (an addition of
  /// ours, on both dialects).
  var idempotencyKey: IdempotencyKey? {
    get {
      headers[HeaderName.idempotencyKey].flatMap { $0.isEmpty ? nil : IdempotencyKey(rawValue: $0) }
    }
    set { headers[HeaderName.idempotencyKey] = newValue?.rawValue }
  }
}
