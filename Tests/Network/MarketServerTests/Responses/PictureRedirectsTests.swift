import Expectations
import MarketAPI
import MarketModel
import MarketServer
import MarketStore
import StoreCore
import TestSupport
import Testing

/// Pictures that clients are to fetch from an object storage.
struct PictureRedirectsTests {
  private static let file = PictureFile.jpeg(1)
  private static let origin = "http://storage.example:9000"

  private static var bucket: BucketAddress {
    get throws {
      try #require(BucketAddress("s3://pictures/a?endpoint=\(origin)&region=eu-1"))
    }
  }

  private func market(isRedirecting: Bool = true) async throws -> ServedStore {
    let keys = BucketKeys(access: "market:tester", secret: "hush")
    return try await ServedStore(
      picturesOutside: true,
      redirectingTo: isRedirecting ? (try Self.bucket, keys) : nil)
  }

  /// The path of the picture of a product that is registered for it.
  private func path(in market: borrowing ServedStore) async throws -> String {
    let detail = try await market.store.register(.sample(pictures: [Self.file]))
    let picture = try #require(detail.pictures.first)
    return "/pictures/" + picture.original
  }

  @Test func `a picture is where its storage gives it out, for a while`() async throws {
    let market = try await market()
    let path = try await path(in: market)

    let answer = await market.send(.get, path)

    let location = try #require(answer.headers[HeaderName.location].flatMap { WebAddress($0) })
    let target = RequestTarget(parsing: location.target)
    let name = try #require(path.split(separator: "/").last)
    #expect(answer.status == .found && answer.body.isEmpty)
    expect(location.origin.text, Self.origin)
    expect(target.path, "/pictures/a/\(name.prefix(2))/\(name)")
    expect(target.query["X-Amz-Credential"]?.hasPrefix("market:tester/2025"), true)
    expect(answer.headers[HeaderName.cacheControl], "private, max-age=300")
    expect(target.query["X-Amz-Expires"], "900")
    // By a tag a cache would ask whether the address of before is still good.
    expect(answer.headers[HeaderName.entityTag], nil)
    #expect(!"\(answer)".contains("hush"))
  }

  @Test func `who asks for the head alone gets an address for that`() async throws {
    let market = try await market()
    let path = try await path(in: market)

    let (get, head) = (await market.send(.get, path), await market.send(.head, path))

    #expect(head.status == .found && head.headers[HeaderName.location] != nil)
    #expect(head.headers[HeaderName.location] != get.headers[HeaderName.location])
  }

  @Test func `an address is the same for five minutes, and never older than it is good for`()
    async throws
  {
    let market = try await market()
    let path = try await path(in: market)
    market.clock.advance(by: 300 - market.clock.seconds % 300)

    let first = await market.send(.get, path)
    market.clock.advance(by: 299)
    let same = await market.send(.get, path)
    market.clock.advance(by: 1)
    let next = await market.send(.get, path)

    expect(same.headers[HeaderName.location], first.headers[HeaderName.location])
    #expect(next.headers[HeaderName.location] != first.headers[HeaderName.location])
  }

  @Test func `thumbnails stay, and who has the picture is sent nowhere`() async throws {
    let market = try await market()
    let path = try await path(in: market)
    let name = try #require(path.split(separator: "/").last)

    let thumbnail = await market.send(.get, path + "-small/thumbnail")
    let known = await market.send(
      .get, path, headers: [HeaderName.ifNoneMatch: "\"\(name)\""])

    #expect(thumbnail.status == .ok && thumbnail.body == Array(Self.file.prefix(16)))
    #expect(known.status == .notModified && known.headers[HeaderName.location] == nil)
    expect(known.headers[HeaderName.cacheControl], "public, max-age=31536000, immutable")
  }

  @Test func `a picture in the store is given as ever, and one that is nowhere is none`()
    async throws
  {
    let market = try await market()
    let path = try await path(in: market)
    _ = try await market.store.movePictures(.inward) { _ in }

    let inside = await market.send(.get, path)
    let missing = await market.send(.get, "/pictures/" + String(repeating: "0", count: 64))

    #expect(inside.status == .ok && inside.body == Self.file)
    expect(missing.status, .notFound)
  }

  @Test func `answers announce the storage where pictures are redirected`() async throws {
    let market = try await market()
    let path = try await path(in: market)

    for target in ["/api/products?page_no=1", "/api/products/1", "/items/1", path] {
      let answer = await market.send(.get, target)
      expect(answer.headers.pictureStorage?.text, Self.origin)
    }
    let tag = try #require(
      await market.send(.get, "/api/products/1").headers[HeaderName.entityTag])
    let known = await market.send(
      .get, "/api/products/1", headers: [HeaderName.ifNoneMatch: tag])
    #expect(known.status == .notModified && known.headers.pictureStorage != nil)
  }

  @Test func `nobody is sent anywhere unless that is wished`() async throws {
    let market = try await market(isRedirecting: false)
    let path = try await path(in: market)

    let answer = await market.send(.get, path)

    #expect(answer.status == .ok && answer.body == Self.file)
    expect(answer.headers[HeaderName.marketStorage], nil)
  }
}
