import MarketAPI
import MarketClient
import MarketModel
import Synchronization
import TestSupport
import Testing

/// A repository over HTTP with the market at its other end.
struct MarketUnderTest {
  let repository: HTTPProductRepository
  let market: InMemoryProductRepository
  let transport: FakeTransport
  /// While set, answers are lost after the server has done what they are about.
  let losesAnswers: Switch

  final class Switch: Sendable {
    private let value = Mutex(false)
    var isOn: Bool { value.withLock { $0 } }
    func set(_ isOn: Bool) { value.withLock { $0 = isOn } }
  }

  /// A market of plain products with the ids 1 to `count`.
  init(
    _ kind: WireMarket.Kind, count: Int64 = 0, speaking spoken: WireMarket.Kind? = nil,
    cache: ResponseCache? = nil
  ) throws {
    let market = InMemoryProductRepository(
      count == 0 ? [] : Product.samples(1...count).map { .sample(of: $0) })
    let server = WireMarket(kind, market)
    let losesAnswers = Switch()
    transport = FakeTransport { hop, _ throws(TransportError) in
      let response = await server.response(to: hop.request)
      if losesAnswers.isOn, hop.method != .get { throw .disconnected }
      return HTTPHopResponse(response: response, zone: .loopback)
    }
    self.market = market
    self.losesAnswers = losesAnswers
    repository = try HTTPProductRepository(
      over: .test(transport), speaking: spoken?.dialect, cache: cache)
  }

  /// Everything that is there, page after page.
  func allProducts(pageSize: Int = 20) async throws -> [Product] {
    var products: [Product] = []
    var position: PagePosition? = .first
    while let current = position {
      let page = try await repository.page(PageRequest(position: current, size: pageSize))
      products += page.products
      position = page.next
    }
    return products
  }
}

extension ServerConnection {
  /// A connection that never pauses.
  static func test(_ transport: any HTTPTransport) throws -> ServerConnection {
    ServerConnection(
      to: try #require(WebAddress("http://market.example")), over: transport,
      retryEnvironment: Pauses().retryEnvironment)
  }
}
