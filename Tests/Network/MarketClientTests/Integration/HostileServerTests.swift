import Expectations
import HTTPTestSupport
import MarketAPI
import MarketClient
import MarketModel
import TestSupport
import Testing

/// Servers that mean harm or are broken, over a socket: each costs one error or some rows, and never
/// more.
struct HostileServerTests {
  /// A way to answer a request for a page, and what a reader sees of it.
  struct Hostility: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let steps: [ServerStep]
    let error: RepositoryError?
    let products: [Int64]
    let unreadable: Int

    init(_ what: String, _ steps: [ServerStep], costs error: RepositoryError) {
      testDescription = what
      self.steps = steps
      self.error = error
      products = []
      unreadable = 0
    }

    init(_ what: String, _ body: String, leaves products: [Int64], unreadable: Int = 0) {
      testDescription = what
      steps = [.answer(200, body)]
      error = nil
      self.products = products
      self.unreadable = unreadable
    }
  }

  private static let unreadable = RepositoryError.badAnswer(.unreadable)
  private static let page = "{\"pageNo\":1,\"hasNext\":true,\"pages\":[\(row(2)),\(row(1))]}"

  private static func row(_ id: Int, replacing plain: String = "", by other: String = "") -> String
  {
    let row = """
      {"id":\(id),"vendor_id":1,"vendorName":"a","name":"n","description":"d","thumbnail":"http://h/1",\
      "currency":"KRW","price":10.0,"bargain_price":10.0,"discounted_price":0.0,"stock":1,\
      "created_at":"2022-11-10T00:00:00","issued_at":"2022-11-10T00:00:00"}
      """
    return plain.isEmpty ? row : row.replacing(plain, with: other)
  }

  /// A page whose middle row is broken in one way.
  private static func page(with broken: String, _ other: String) -> String {
    "{\"pages\":[\(row(3)),\(row(2, replacing: broken, by: other)),\(row(1))]}"
  }

  private static func levels(_ count: Int) -> String {
    String(repeating: "[", count: count) + String(repeating: "]", count: count)
  }

  private static func whole(_ body: String, costs error: RepositoryError, _ what: String)
    -> Hostility
  {
    Hostility(what, [.answer(200, body)], costs: error)
  }

  static let answers = [
    Hostility(
      "says less than it sends", [.send("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n\(page)")],
      costs: unreadable),
    Hostility(
      "says more than it sends",
      [.send("HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n\(page)"), .close],
      costs: .unreachable(.disconnected)),
    Hostility(
      "two lengths",
      [.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 9\r\n\r\n{}"), .close],
      costs: .unreachable(.disconnected)),
    Hostility(
      "a length that is none", [.send("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n{}")],
      costs: unreadable),
    Hostility(
      "a chunk that is none",
      [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}"), .close],
      costs: .unreachable(.disconnected)),
    Hostility(
      "an endless body",
      [
        .send("HTTP/1.1 200 OK\r\n\r\n{\"pages\":["),
        .sendForEver(String(repeating: " ", count: 9_999)),
      ],
      costs: .badAnswer(.tooLarge)),
    Hostility(
      "an endless redirect", [.redirect(to: "/again")], costs: .badAnswer(.tooManyRedirects)),
    Hostility(
      "a redirect out of the web", [.redirect(to: "ftp://127.0.0.1/")],
      costs: .badAnswer(.redirectRefused)),
    Hostility(
      "a redirect into a private network", [.redirect(to: "http://10.0.0.1/")],
      costs: .badAnswer(.redirectRefused)),
    whole("<!doctype html><h1>Sign in</h1>", costs: .badAnswer(.notAMarket), "HTML with 200"),
    whole("", costs: unreadable, "nothing with 200"),
    whole("{\"pages\":\(levels(10_000))}", costs: unreadable, "ten thousand levels"),
    whole("{\"pages\":{\"0\":\(row(1))}}", costs: unreadable, "an object for a list"),
    whole("{\"pages\":null}", costs: unreadable, "null for a list"),
    whole("{\"products\":[]}", costs: unreadable, "no list"),
    whole(page + page, costs: unreadable, "two answers in one"),
    whole(String(page.dropLast(3)), costs: unreadable, "half an answer of full length"),
  ]

  static let rows = [
    Hostility("a name of another type", page(with: "\"n\"", "{}"), leaves: [3, 1], unreadable: 1),
    Hostility("a missing number", page(with: "\"id\":2,", ""), leaves: [3, 1], unreadable: 1),
    Hostility(
      "null for a stock", page(with: "\"stock\":1", "\"stock\":null"), leaves: [3, 1],
      unreadable: 1),
    Hostility(
      "null for a row", "{\"pages\":[\(row(2)),null,\(row(1))]}", leaves: [2, 1],
      unreadable: 1),
    Hostility("a price of 1e400", page(with: "10.0,\"bar", "1e400,\"bar"), leaves: [3, 2, 1]),
    Hostility("an unknown currency", page(with: "KRW", "\\u0007XX"), leaves: [3, 2, 1]),
    Hostility(
      "a date that is none", page(with: "\"2022-11-10T00:00:00\"", "\"2022-02-31T25:00:00\""),
      leaves: [3, 1], unreadable: 1),
    Hostility(
      "a thousand where twenty were asked for",
      "{\"pages\":[\((1...1_500).reversed().map { row($0) }.joined(separator: ","))]}",
      leaves: Array((501...1_500).reversed())),
    Hostility("the same row twice", "{\"pages\":[\(row(2)),\(row(2)),\(row(1))]}", leaves: [2, 1]),
    Hostility(
      "a key a hundred thousand times",
      page(with: "\"id\":2", "\"id\":2" + String(repeating: ",\"id\":9", count: 100_000)),
      leaves: [3, 2, 1]),
  ]

  @Test(arguments: answers + rows)
  func `a page costs no more than it has to`(_ hostility: Hostility) async throws {
    let server = try healthyServer { _ in hostility.steps }
    let market = try repository(server)

    do throws(RepositoryError) {
      let page = try await market.page(PageRequest())
      expect(hostility.error, nil)
      expect(page.products.map(\.id.rawValue), hostility.products)
      expect(page.unreadableRows, hostility.unreadable)
    } catch {
      expect(error, hostility.error)
    }
  }

  @Test func `pages that repeat come to an end`() async throws {
    let server = try healthyServer { _ in [.answer(200, Self.page)] }

    try await expect(walk(server), [[2, 1], [2, 1]])
  }

  @Test func `pages that shrink come to an end`() async throws {
    let server = try healthyServer { count in
      let rows = (0..<max(0, 3 - count)).map { Self.row(30 - 10 * count - $0) }
      return [.answer(200, "{\"hasNext\":true,\"pages\":[\(rows.joined(separator: ","))]}")]
    }

    try await expect(walk(server), [[30, 29, 28], [20, 19], [10], []])
  }

  /// The products of each page until there is none to follow, or too many.
  private func walk(_ server: ScriptedServer) async throws -> [[Int64]] {
    let market = try repository(server)
    var pages: [[Int64]] = []
    var position: PagePosition? = .first
    while let current = position, pages.count < 20 {
      let page = try await market.page(PageRequest(position: current))
      pages.append(page.products.map(\.id.rawValue))
      position = page.next
    }
    return pages
  }

  /// A server that is well until it is asked for pages; the closure gets how many came before.
  private func healthyServer(
    _ pages: @escaping @Sendable (Int) -> [ServerStep]
  ) throws -> ScriptedServer {
    try ScriptedServer { request, count in
      request.path == "/healthChecker" ? [.answer(200, "\"OK\"")] : pages(count - 1)
    }
  }

  private func repository(_ server: ScriptedServer) throws -> HTTPProductRepository {
    let connection = ServerConnection(
      to: try #require(WebAddress(server.base)), over: CurlTransport(),
      retry: RetryPolicy(repetitions: 0))
    return HTTPProductRepository(over: connection, speaking: ProductsDialect(variant: .y2023))
  }
}
