import Expectations
import HTTPTestSupport
import MarketAPI
import MarketClient
import MarketModel
import Synchronization
import TestSupport
import Testing

/// What is remembered is asked for by its entity tag, and holds on where the server says so.
struct RevalidationTests {
  @Test(arguments: OldServer.allCases)
  func `a page that has not changed is not sent again`(_ old: OldServer) async throws {
    let folder = try TemporaryFolder()
    let time = Mutex<Int64>(1_000)
    let cache = ResponseCache(
      at: folder.path(of: "cache.sqlite"), now: { time.withLock { $0 } })
    let transport = tagged { old.page }
    let market = try repository(old, over: transport, cache)
    let first = try await market.page(PageRequest())

    time.withLock { $0 = 2_000 }
    let again = try await market.page(PageRequest())

    expect(again, first)
    expect(transport.asked, [nil, "\"1\""])
    await expect(market.cachedPage(PageRequest()), Cached(first, at: 2_000))
  }

  @Test func `a detail that has changed is sent`() async throws {
    let folder = try TemporaryFolder()
    let body = Mutex(OldServer.products2023.detail)
    let transport = tagged { body.withLock { $0 } }
    let market = try repository(
      .products2023, over: transport, ResponseCache(at: folder.path(of: "cache.sqlite")))
    _ = try await market.detail(of: Product.ID(rawValue: 1_944))

    body.withLock { $0 = $0.replacing("\"pin\"", with: "\"needle\"") }
    let changed = try await market.detail(of: Product.ID(rawValue: 1_944))
    let again = try await market.detail(of: Product.ID(rawValue: 1_944))

    expect(changed.product.name, "needle")
    expect(again, changed)
    expect(transport.asked, [nil, "\"1\"", "\"2\""])
  }

  @Test func `an old picture that has not changed is not sent again`() async throws {
    let folder = try TemporaryFolder()
    let time = Mutex<Int64>(1_000)
    let file = PictureFile.jpeg()
    let transport = FakeTransport { request in
      let isKnown = request.headers["If-None-Match"] == "\"a\""
      return HTTPResponse(
        isKnown ? .notModified : .ok, headers: ["ETag": "\"a\""], body: isKnown ? [] : file)
    }
    let source = try HTTPPictureSource(
      over: .test(transport), cache: ResponseCache(at: folder.path(of: "cache.sqlite")),
      now: { time.withLock { $0 } })
    let picture = Picture(original: "http://x.example/1", thumbnail: "")

    for day in 0..<3 {
      time.withLock { $0 = 1_000 + Int64(day) * 100_000 }
      try await expect(source.bytes(of: picture, .original), file)
    }

    expect(transport.asked, [nil, "\"a\"", "\"a\""])
  }

  @Test func `a server that says so unasked gives no page`() async throws {
    let transport = FakeTransport { _, _ in .status(304) }
    let market = HTTPProductRepository(over: try .test(transport), speaking: ItemsDialect())

    await #expect(throws: RepositoryError.badAnswer(.status(304))) {
      try await market.page(PageRequest())
    }
  }

  /// A server whose one answer has the tag `"1"`, `"2"` after its first change, and so on.
  private func tagged(_ body: @escaping @Sendable () -> String) -> FakeTransport {
    let versions = Mutex<[String]>([])
    return FakeTransport { request in
      guard request.target.path != "/healthChecker" else { return HTTPResponse(.ok) }
      let body = body()
      let version = versions.withLock { versions in
        if versions.last != body { versions.append(body) }
        return versions.count
      }
      let tag = EntityTag(value: "\(version)").text
      if request.headers["If-None-Match"] == tag {
        return HTTPResponse(.notModified, headers: ["ETag": tag])
      }
      return HTTPResponse(.ok, headers: ["ETag": tag], body: Array(body.utf8))
    }
  }

  private func repository(
    _ old: OldServer, over transport: FakeTransport, _ cache: ResponseCache
  ) throws -> HTTPProductRepository {
    let dialect: any MarketDialect =
      switch old {
      case .items, .laterItems: ItemsDialect()
      case .products2022: ProductsDialect(variant: .y2022)
      case .products2023: ProductsDialect(variant: .y2023)
      }
    return try HTTPProductRepository(over: .test(transport), speaking: dialect, cache: cache)
  }
}

extension FakeTransport {
  /// The tags that were sent along, but for health checks.
  fileprivate var asked: [String?] {
    hops.filter { $0.address.target != "/healthChecker" }.map { $0.headers["If-None-Match"] }
  }
}
