import Expectations
import Glibc
import MarketAPI
import MarketClient
import MarketModel
import Synchronization
import TestSupport
import Testing

struct ResponseCacheTests {
  private let clock = Clock(1_800_000_000)

  @Test(arguments: WireMarket.Kind.allCases)
  func `what was seen is there in the next run, without a server`(
    _ kind: WireMarket.Kind
  ) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "deep/down/cache.sqlite")
    let first = try MarketUnderTest(kind, count: 3, cache: cache(at: path))
    let page = try await first.repository.page(PageRequest())
    let detail = try await first.repository.detail(of: Product.ID(rawValue: 2))
    let capabilities = try await first.repository.capabilities()
    clock.advance(3_600)

    let next = try offline(cache(at: path))

    await expect(next.cachedCapabilities(), capabilities)
    await expect(next.cachedPage(PageRequest()), Cached(page, at: 1_800_000_000))
    await expect(next.cachedDetail(of: detail.id), Cached(detail, at: 1_800_000_000))
    await expect(next.cachedDetail(of: Product.ID(rawValue: 3)), nil)
    await #expect(throws: RepositoryError.unreachable(.refused)) {
      try await next.page(PageRequest())
    }
  }

  @Test func `questions about a product are read without a server as they were seen last`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "cache.sqlite")
    let market = WireMarket(.extended, InMemoryProductRepository(count: 3))
    let questions = """
      {"questions":[{"id":7,"product_id":2,"text":"Mine?","asked_at":"2026-01-01T00:00:00Z","mine":true}]}
      """
    let transport = FakeTransport { request in
      guard request.target.path.hasSuffix("/questions") else {
        return await market.response(to: request)
      }
      return HTTPResponse(.ok, body: Array(questions.utf8))
    }
    let reader = SellerIdentifier(secret: "reader")
    let (ofProduct, ofReader) = (
      QuestionsRequest(.product(Product.ID(rawValue: 2)), by: reader),
      QuestionsRequest(.asked, by: reader)
    )
    let first = try HTTPProductRepository(over: .test(transport), cache: cache(at: path))
    let page = try await first.questions(ofProduct)
    _ = try await first.questions(ofReader)

    let next = try offline(cache(at: path))

    #expect(try await next.questions(ofProduct) == page && page.questions.map(\.isOwn) == [true])
    await #expect(throws: RepositoryError.unreachable(.refused)) {
      try await next.questions(ofReader)
    }
  }

  @Test func `nothing that was changed or deleted is remembered as it was`() async throws {
    let folder = try TemporaryFolder()
    let test = try MarketUnderTest(
      .extended, count: 2, cache: cache(at: folder.path(of: "cache.sqlite")))
    let changed = Product.ID(rawValue: 1)
    let deleted = Product.ID(rawValue: 2)
    for id in [changed, deleted] { _ = try await test.repository.detail(of: id) }

    _ = try await test.repository.update(
      changed, with: ProductPatch(stock: 0), password: Password("any"), by: author, expecting: nil)
    _ = try await test.repository.delete(deleted, password: Password("any"), by: author)

    await expect(test.repository.cachedDetail(of: changed), nil)
    await expect(test.repository.cachedDetail(of: deleted), nil)
  }

  @Test func `a link in the way is replaced, not followed`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "cache.sqlite")
    symlink(folder.path(of: "other"), path)
    try FileContent(bytes: []).write(to: folder.path(of: "other"))

    _ = try await MarketUnderTest(.items, count: 1, cache: cache(at: path)).repository
      .page(PageRequest())

    #expect(try FileContent(of: folder.path(of: "other")).bytes.isEmpty)
    var status = stat()
    #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG)
  }

  @Test func `the file is its owner's alone`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "cache.sqlite")

    _ = try await MarketUnderTest(.items, count: 1, cache: cache(at: path)).repository
      .page(PageRequest())

    var status = stat()
    expect(stat(path, &status), 0)
    expect(status.st_mode & 0o777, 0o600)
  }

  @Test(arguments: WireMarket.Kind.allCases)
  func `all products of all pages that were seen are there without a server, and no others`(
    _ kind: WireMarket.Kind
  ) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "cache.sqlite")
    let first = try MarketUnderTest(kind, count: 50, cache: cache(at: path)).repository
    var request = PageRequest(size: 20)
    let page = try await first.page(request)
    clock.advance(60)
    request.position = try #require(page.next)
    let second = try await first.page(request)
    _ = try await first.detail(of: Product.ID(rawValue: 1))

    let seen = try #require(try await offline(cache(at: path)).cachedProducts())

    expect(seen.seconds, 1_800_000_000)
    expect(Set(seen.value.map(\.id)), Set((page.products + second.products).map(\.id)))
    expect(seen.value.count, Set(seen.value.map(\.id)).count)
  }

  @Test(arguments: WireMarket.Kind.allCases)
  func `a page of a query that the server does not answer was never seen`(
    _ kind: WireMarket.Kind
  ) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "cache.sqlite")
    let market = try MarketUnderTest(kind, count: 3, cache: cache(at: path)).repository
    _ = try await market.page(PageRequest())
    let query = ProductQuery(phrases: ["no such words"])

    let seen = try await offline(cache(at: path)).cachedPage(PageRequest(query: query))

    expect(seen, nil)
  }

  @Test(arguments: ["no database at all", "", "SQLite format 3\0and then nonsense"])
  func `a damaged file is begun anew`(_ content: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "cache.sqlite")
    try FileContent(bytes: Array(content.utf8)).write(to: path)
    let test = try MarketUnderTest(.items, count: 1, cache: cache(at: path))

    let page = try await test.repository.page(PageRequest())

    await expect(test.repository.cachedPage(PageRequest())?.value, page)
  }

  @Test func `without a place for the file everything works and nothing is remembered`()
    async throws
  {
    let test = try MarketUnderTest(.items, count: 1, cache: cache(at: "/proc/none/cache.sqlite"))

    let page = try await test.repository.page(PageRequest())

    expect(page.products.count, 1)
    await expect(test.repository.cachedPage(PageRequest()), nil)
  }

  @Test func `above its limit the oldest go first`() async throws {
    let folder = try TemporaryFolder()
    let cache = ResponseCache(at: folder.path(of: "cache.sqlite"), byteLimit: 10_000)
    let transport = FakeTransport { _ in HTTPResponse(.ok, body: PictureFile.jpeg(byteCount: 3_000))
    }
    let online = try HTTPPictureSource(over: .test(transport), cache: cache)
    let pictures = (1...5).map { Picture(original: "http://x/\($0)", thumbnail: "") }
    for picture in pictures { _ = try await online.bytes(of: picture, .original) }

    let offline = try HTTPPictureSource(over: .test(Self.nobody), cache: cache)
    var isCached: [Bool] = []
    for picture in pictures {
      isCached.append((try? await offline.bytes(of: picture, .original)) != nil)
    }

    expect(isCached, [false, false, true, true, true])
  }

  @Test func `a picture is asked for again after a day, and kept where nobody answers`()
    async throws
  {
    let folder = try TemporaryFolder()
    let cache = cache(at: folder.path(of: "cache.sqlite"))
    let transport = FakeTransport { hop, count throws(TransportError) in
      guard count < 2 else { throw .refused }
      return HTTPHopResponse(response: HTTPResponse(.ok, body: PictureFile.jpeg(UInt8(count))))
    }
    let source = try HTTPPictureSource(
      over: .test(transport), cache: cache, now: { [clock] in clock.now })
    let picture = Picture(original: "http://x/1", thumbnail: "")

    var numbers: [UInt8] = []
    for hours in [0, 1, 24, 48] as [Int64] {
      clock.set(1_800_000_000 + hours * 3_600)
      numbers.append(try await source.bytes(of: picture, .original)[4])
    }

    expect(numbers, [0, 0, 1, 1])
    expect(transport.hops.count, 3)
  }

  private let author = Author.seller(SellerIdentifier(secret: "00000000-0000-0000-0000-00a"))

  private static let nobody = FakeTransport { _, _ throws(TransportError) in throw .refused }

  private func cache(at path: String) -> ResponseCache {
    ResponseCache(at: path, now: { [clock] in clock.now })
  }

  private func offline(_ cache: ResponseCache) throws -> HTTPProductRepository {
    try HTTPProductRepository(over: .test(Self.nobody), cache: cache)
  }
}

/// A clock that the test moves.
private final class Clock: Sendable {
  private let seconds: Mutex<Int64>

  init(_ seconds: Int64) {
    self.seconds = Mutex(seconds)
  }

  var now: Int64 { seconds.withLock { $0 } }

  func set(_ seconds: Int64) { self.seconds.withLock { $0 = seconds } }

  func advance(_ seconds: Int64) { self.seconds.withLock { $0 += seconds } }
}
