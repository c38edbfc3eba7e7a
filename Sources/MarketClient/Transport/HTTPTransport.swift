/// Carries one request to one address and brings back its answer; redirects, retries and what the
/// answer means are the caller's.
package protocol HTTPTransport: Sendable {
  /// - Parameter hop: the request with its address and limits.
  /// - Returns: the answer, whatever its status.
  /// - Throws: exactly one `TransportError`; `.cancelled` as soon as the calling task is cancelled.
  func answer(to hop: HTTPHop) async throws(TransportError) -> HTTPHopAnswer
}
