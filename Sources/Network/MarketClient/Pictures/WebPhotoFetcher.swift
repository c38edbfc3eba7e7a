import MarketAPI
import MarketModel

/// Fetcher of photos by addresses from a table, which may name any server.
///
/// Only open addresses are connected to, also after redirects: no request goes into a private network.
package struct WebPhotoFetcher: Sendable {
  private let transport: any HTTPTransport
  private let policy: AddressPolicy

  package init(over transport: any HTTPTransport = CurlTransport()) {
    self.transport = transport
    policy = .around(market: nil)
  }

  /// The bytes of a picture, at most 20 MB.
  /// - Throws: `.redirectRefused` for an invalid address; what the transport and redirects throw;
  ///   `.malformed` for another status than success.
  package func bytes(at address: String) async throws(TransportError) -> [UInt8] {
    guard let start = WebAddress(address) else { throw .redirectRefused }
    var hop = HTTPHop(
      method: .get, address: start, headers: [HeaderName.accept: "image/*"], limits: .picture,
      addressPolicy: policy)
    var count = 0
    while true {
      let answer = try await transport.answer(to: hop)
      let next = try RedirectPolicy.next(
        after: answer, to: hop, count: count, addressPolicy: { _ in policy })
      guard let next else {
        guard answer.response.status.isSuccess else { throw .malformed }
        return answer.response.body
      }
      hop = next
      count += 1
    }
  }
}
