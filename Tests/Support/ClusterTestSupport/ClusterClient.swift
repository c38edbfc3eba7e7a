import MarketAPI
import MarketClient
import MarketModel
import TestSupport

/// Asks a server, or nginx in front of several, and tells what came back without trying again.
package struct ClusterClient: Sendable {
  /// Outcome of a request, as its client sees it.
  package enum Reply: Sendable {
    case answer(HTTPResponse)
    /// No server could answer now: no connection, 502, 503 or 504.
    case nobody
  }

  package let dialect = ProductsDialect(variant: .y2023)
  private let base: WebAddress
  private let transport: CurlTransport

  /// - Parameters:
  ///   - address: host and port.
  ///   - transport: what carries requests.
  /// - Throws: where that is no address.
  package init(_ address: String, over transport: CurlTransport = CurlTransport()) throws {
    guard let base = WebAddress("http://\(address)") else {
      throw UnexpectedError(description: "\(address) is no address")
    }
    self.base = base
    self.transport = transport
  }

  package func send(_ operation: MarketOperation) async throws -> Reply {
    let message = try dialect.request(for: operation)
    let hop = HTTPHop(
      method: message.method, address: base.appending(message.target.text),
      headers: message.headers, body: message.body, limits: .json)
    do {
      let response = try await transport.answer(to: hop).response
      return [502, 503, 504].contains(response.status.rawValue) ? .nobody : .answer(response)
    } catch .cancelled {
      throw TransportError.cancelled
    } catch {
      return .nobody
    }
  }

  /// The response, where a server can give one.
  package func answer(to operation: MarketOperation) async throws -> HTTPResponse {
    guard case .answer(let response) = try await send(operation) else {
      throw UnexpectedError(description: "nobody answers")
    }
    return response
  }

  /// The product that an operation is answered with.
  package func detail(_ operation: MarketOperation) async throws -> ProductDetail {
    try dialect.detail(from: try await answer(to: operation), for: operation)
  }

  /// All products, page by page.
  package func products() async throws -> [Product] {
    var products: [Product] = []
    var position = PagePosition.first
    while true {
      let request = PageRequest(position: position, size: 500)
      let page = try dialect.page(
        from: try await answer(to: .page(request)), for: request)
      products += page.products
      guard let next = page.next else { return products }
      position = next
    }
  }
}
