/// Why a request got no usable answer.
package enum TransportError: Error, Hashable, Sendable {
  /// libcurl is not installed, or older than 7.85.
  case libraryMissing
  /// This system has no descriptors or memory left to ask with.
  case exhausted
  case nameNotFound
  case refused
  /// A deadline passed: to connect, without any byte, or in all.
  case timedOut
  /// The connection ended before the answer did.
  case disconnected
  /// The certificate or the encryption was not accepted, or a redirect would have left encryption.
  case insecure
  /// More redirects than the limit.
  case tooManyRedirects
  /// A redirect to where no request of this kind may go.
  case redirectRefused
  /// The address lies in a network that the request may not reach.
  case fenced
  /// The answer is longer than its limit.
  case tooLarge
  /// The answer breaks HTTP or its encoding.
  case malformed
  /// Nobody waits for the answer any more.
  case cancelled

  /// Whether a request that is safe to repeat may succeed a moment later.
  var isWorthRetrying: Bool {
    switch self {
    case .disconnected: true
    case .libraryMissing, .exhausted, .nameNotFound, .refused, .timedOut, .insecure,
      .tooManyRedirects,
      .redirectRefused, .fenced, .tooLarge, .malformed, .cancelled:
      false
    }
  }
}
