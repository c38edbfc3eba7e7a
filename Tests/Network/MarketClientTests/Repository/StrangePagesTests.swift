import Expectations
import MarketAPI
import MarketClient
import MarketModel
import Testing

/// What servers send as pages that are none, or not quite.
struct StrangePagesTests {
  @Test func `one broken product costs its row and no other`() async throws {
    let rows = [Self.row(3), "{\"id\":2}", "null", "17", Self.row(1, price: "\"abc\"")]
    let repository = try Self.repository { _ in Self.page(rows) }

    let page = try await repository.page(PageRequest())

    expect(page.products.map(\.id.rawValue), [3, 1])
    expect(page.products.last?.pricing, .unreadable)
    expect(page.unreadableRows, 3)
  }

  @Test(arguments: ["1e400", "-5", "null", "\"1200\"", "6.6666666E7", "true", "{}"])
  func `a price of any spelling costs nothing but itself`(_ price: String) async throws {
    let repository = try Self.repository { _ in Self.page([Self.row(1, price: price)]) }

    let page = try await repository.page(PageRequest())

    expect(page.products.count + page.unreadableRows, 1)
  }

  @Test func `a thousand products where twenty were asked for are a page`() async throws {
    let repository = try Self.repository { _ in
      Self.page((1...1_500).reversed().map { Self.row($0) })
    }

    let page = try await repository.page(PageRequest())

    expect(page.products.count, 1_000)
  }

  @Test func `a product that comes twice on a page is there once`() async throws {
    let repository = try Self.repository { _ in Self.page([Self.row(2), Self.row(2), Self.row(1)]) }

    let page = try await repository.page(PageRequest())

    expect(page.products.map(\.id.rawValue), [2, 1])
  }

  @Test func `a server that sends the same page for ever comes to an end`() async throws {
    let repository = try Self.repository { _ in Self.page([Self.row(2), Self.row(1)]) }
    var count = 0
    var position: PagePosition? = .first

    while let current = position {
      position = try await repository.page(PageRequest(position: current)).next
      count += 1
    }

    expect(count, 2)
  }

  @Test func `a page that is read again still leads on`() async throws {
    let repository = try Self.repository { _ in Self.page([Self.row(2), Self.row(1)]) }
    let first = try await repository.page(PageRequest())

    let again = try await repository.page(PageRequest(position: .number(1)))

    expect(first.next, .number(2))
    expect(again.next, .number(2))
  }

  @Test(arguments: [
    "<html>Sign in to the wireless network</html>", "", "{", "[1,2", "\"pages\"", "{\"pages\":{}}",
    "{\"pages\":\"none\"}", String(repeating: "[", count: 10_000),
    "{\"pages\":" + String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
      + "}",
  ])
  func `what is no page at all is one error`(_ body: String) async throws {
    let repository = try Self.repository { _ in Array(body.utf8) }

    let error = await #expect(throws: RepositoryError.self) {
      try await repository.page(PageRequest())
    }
    guard case .badAnswer = error else {
      Issue.record("\(String(describing: error)) is no bad answer")
      return
    }
  }

  @Test(arguments: [401, 403, 404, 418, 500, 503])
  func `a status of trouble is one error`(_ status: Int) async throws {
    let transport = FakeTransport { _, _ in .status(status) }
    let repository = try HTTPProductRepository(over: .test(transport), speaking: ItemsDialect())

    let error = await #expect(throws: RepositoryError.self) {
      try await repository.page(PageRequest())
    }
    guard case .badAnswer = error else {
      Issue.record("\(String(describing: error)) is no bad answer")
      return
    }
  }

  private static func repository(
    _ body: @escaping @Sendable (HTTPRequest) -> [UInt8]
  ) throws -> HTTPProductRepository {
    let transport = FakeTransport { request in HTTPResponse(.ok, body: body(request)) }
    return try HTTPProductRepository(
      over: .test(transport), speaking: ProductsDialect(variant: .y2023))
  }

  private static func page(_ rows: [String]) -> [UInt8] {
    Array("{\"pageNo\":1,\"hasNext\":true,\"pages\":[\(rows.joined(separator: ","))]}".utf8)
  }

  private static func row(_ id: Int, price: String = "1000") -> String {
    """
    {"id":\(id),"vendor_id":1,"vendorName":"a","name":"n","description":"","thumbnail":"http://x/1",
    "currency":"KRW","price":\(price),"bargain_price":1000,"discounted_price":0,"stock":1,
    "created_at":"2023-03-02T00:00:00","issued_at":"2023-03-02T00:00:00"}
    """
  }
}
