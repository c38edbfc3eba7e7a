import Expectations
import HTTPTestSupport
import MarketAPI
import MarketClient
import MarketModel
import TestSupport
import Testing

/// The client in front of servers that it knows nothing of but their address.
struct OldServerMarketTests {
  private let author = Author.seller(SellerIdentifier(secret: "me"))

  @Test(arguments: OldServer.allCases)
  func `a market of any year is found out and browsed`(_ old: OldServer) async throws {
    let server = try ScriptedServer { request, _ in [old.answer(to: request)] }
    let market = try repository(server)

    let first = try await market.page(PageRequest(size: 3))
    let detail = try await market.detail(of: Product.ID(rawValue: old.id))
    let next = try await market.page(
      PageRequest(position: try #require(first.next), size: 3))

    expect(first.products.count, 3)
    expect(detail.id.rawValue, old.id)
    #expect(next.products.isEmpty && next.next == nil)
  }

  @Test(arguments: OldServer.allCases)
  func `a market of any year deletes in its own way`(_ old: OldServer) async throws {
    let server = try ScriptedServer { request, _ in [old.answer(to: request)] }
    let market = try repository(server)

    let deleted = try await market.delete(
      Product.ID(rawValue: old.id), password: Password("pw"), by: author)

    expect(deleted.id.rawValue, old.id)
    let written = server.requests.filter { $0.method != "GET" }
    expect(written.map { "\($0.method) \($0.target)" }, old.deletion)
    #expect(
      written.allSatisfy { $0.headers["identifier"] == (old.hasSellers ? "me" : nil) })
  }

  private func repository(_ server: ScriptedServer) throws -> HTTPProductRepository {
    HTTPProductRepository(
      over: ServerConnection(to: try #require(WebAddress(server.base)), over: CurlTransport()))
  }
}

extension OldServer {
  fileprivate var hasSellers: Bool { self == .products2022 || self == .products2023 }

  /// The requests that delete the product.
  fileprivate var deletion: [String] {
    switch self {
    case .items, .laterItems: ["DELETE /item/\(id)"]
    case .products2022: ["POST /api/products/520/secret", "DELETE /api/products/520/key-1"]
    case .products2023: ["POST /api/products/1944/archived", "DELETE /api/products/key-1"]
    }
  }

  fileprivate func answer(to request: ReceivedRequest) -> ServerStep {
    switch (request.method, request.path, hasSellers) {
    case ("GET", "/items/1", false): .answer(200, page)
    case ("GET", "/items/2", false): .answer(200, emptyPage)
    case ("GET", "/item/\(id)", false): .answer(200, detail)
    case ("DELETE", "/item/\(id)", false): .answer(200, deleted)
    case ("GET", "/healthChecker", true): .answer(200, "\"OK\"")
    case ("GET", "/api/products", true):
      .answer(200, request.target.contains("page_no=1") ? page : emptyPage)
    case ("GET", "/api/products/\(id)", true): .answer(200, detail)
    case ("POST", "/api/products/520/secret", true) where self == .products2022:
      .answer(200, "key-1", headers: ["Content-Type": "text/plain"])
    case ("POST", "/api/products/1944/archived", true) where self == .products2023:
      .answer(200, "/api/products/key-1", headers: ["Content-Type": "text/plain"])
    case ("DELETE", _, true): .answer(202, deleted)
    default: .answer(404, missing)
    }
  }
}
