import Expectations
import Glibc
import MarketModel
import MarketStore
import StoreCore
import TestSupport
import Testing

/// The server program among clients that would take all of it.
struct CrowdedServerTests {
  private static let connections = 1_000
  private static let small =
    "GET /api/products?page_no=1&items_per_page=1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

  /// How long each of some requests from an address of its own waits for its answer.
  private static func waits(at port: UInt16) async throws -> [Duration] {
    var waits: [Duration] = []
    for _ in 1...10 {
      let start = ContinuousClock.now
      let client = try RawConnection(to: port, from: 99)
      client.send(small)
      let answer = await client.answer()
      waits.append(.now - start)
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.contains("\"pageNo\":1"))
    }
    return waits
  }

  @Test func `who asks beside 32 clients that take no page is answered without waiting for them`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "market.sqlite")
    try await Self.make(path, products: 400, characters: 15_000)
    let server = try ServerProgram(store: path)
    let port = server.client.port
    let greedy = try (0..<32).map { try RawConnection(to: port, from: UInt32(2 + $0 % 4)) }
    for (number, client) in greedy.enumerated() {
      // No memory knows two of them.
      client.send(
        "GET /api/products?page_no=1&items_per_page=\(500 + number) HTTP/1.1\r\nHost: a\r\n\r\n")
    }
    for client in greedy { #expect(await client.isAnswered(withinSeconds: 60)) }

    let waits = try await Self.waits(at: port)

    // Their answers end after 30 s.
    #expect(waits.allSatisfy { $0 < .seconds(20) }, "\(waits)")
    for client in greedy { client.reset() }
    try expect(server.terminate(), 0)
  }

  @Test(.enabled(if: raiseDescriptors(to: 1_200), "1,200 descriptors are needed: ulimit -n"))
  func `who asks beside five addresses with all connections is answered without waiting for them`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "market.sqlite")
    try await Self.make(path, products: 1, characters: 10)
    let server = try ServerProgram(store: path)
    let port = server.client.port
    let idle = try (0..<Self.connections).map {
      try RawConnection(to: port, from: UInt32(2 + $0 / 200))
    }
    for (number, client) in idle.enumerated() where number % 3 > 0 {
      client.send(number % 3 == 1 ? "GET /" : Self.small.replacing("close", with: "keep-alive"))
    }
    for (number, client) in idle.enumerated() where number % 3 == 2 {
      #expect(await client.isAnswered(withinSeconds: 60))
    }

    let waits = try await Self.waits(at: port)

    // Their answers end after 30 s.
    #expect(waits.allSatisfy { $0 < .seconds(20) }, "\(waits)")
    for client in idle { client.reset() }
    try expect(server.terminate(), 0)
  }

  /// A market file of products with descriptions of so many characters.
  private static func make(_ path: String, products: Int, characters: Int) async throws {
    let store = try await SQLiteStore.open(
      at: path, pictureProcessor: PassThroughPictureProcessor(),
      options: SQLiteStore.Options(
        createsFile: true, passwordCost: .least))
    let hash = try await PasswordHasher(cost: .least).hash(Password("secret"))
    let price = try #require(
      Price(full: Money(hundredths: 100, currency: .usd), discountHundredths: 0))
    let text = String(repeating: "word ", count: characters / 5)
    let seed = (1...products).map {
      ArchivedProduct(
        seller: "Shop", name: "Lamp \($0)", description: text, price: price, stock: 1,
        created: Int64($0), pictures: [])
    }
    try await store.seed(SeedMarket(products: seed, pictures: [], passwordHash: hash))
    await store.close()
  }
}

/// Lets this process have so many descriptors; false where it may not.
private func raiseDescriptors(to count: rlim_t) -> Bool {
  var limit = rlimit()
  let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  guard getrlimit(resource, &limit) == 0, limit.rlim_max >= count else { return false }
  limit.rlim_cur = max(limit.rlim_cur, count)
  return setrlimit(resource, &limit) == 0
}
