import Expectations
import MarketModel
import PostgresTestSupport
import StoreCore
import TestSupport
import Testing

@testable import PostgresStore

/// Ways to the database and back that people wait for, over a connection that is open and whose
/// statements are prepared.
@Suite(.cluster) struct RoundTripTests {
  private static let author = Author.seller(SellerIdentifier(secret: "trips"))

  private let store: PostgresMarketStore

  init() async throws {
    var options = PostgresMarketStore.Options.forTests
    options.connectionCount = 1
    store = try await TestCluster.emptyStore(options)
  }

  /// The ways of a body.
  private func trips(_ body: () async throws -> Void) async rethrows -> Int {
    let count = SharedCounter()
    try await RoundTripCounter.$observer.withValue(
      { count.rise() }, operation: { try await body() })
    return count.value
  }

  private func pictures(_ first: UInt8) -> [[UInt8]] {
    (first..<first + 3).map { PictureFile.jpeg($0) }
  }

  @Test(arguments: [author, .guest])
  func `a registration takes four, whatever it comes with`(author: Author) async throws {
    _ = try await store.register(.sample(pictures: pictures(1)), by: author)
    let other = [pictures(1)[0], PictureFile.jpeg(9)]
    _ = try await store.register(.sample(pictures: other), by: author)

    let new = try await trips {
      let kept = try await store.register(.sample(pictures: pictures(11)), by: author)
      expect(kept.pictures.count, 3)
    }
    let known = try await trips {
      let kept = try await store.register(.sample(pictures: pictures(11)), by: author)
      #expect(kept.pictures.count == 3 && kept.product.thumbnail != nil)
    }
    let plain = try await trips { _ = try await store.register(.sample(), by: author) }

    #expect(new == 4 && known == 4 && plain == 4)
  }

  @Test func `the first registration of a seller takes no more than the others`() async throws {
    _ = try await store.register(.sample(), by: Self.author)
    let other = Author.seller(SellerIdentifier(secret: "another"))

    let trips = try await trips {
      let kept = try await store.register(.sample(), by: other)
      expect(kept.product.seller, Seller(unnamed: Seller.ID(rawValue: 2)))
    }

    expect(trips, 4)
  }

  @Test func `an edit takes three, and five with new pictures`() async throws {
    let secret = Password("secret")
    let id = try await store.register(.sample(pictures: pictures(1)), by: Self.author).id
    func edit(_ patch: ProductPatch) async throws {
      let before = try await store.detail(of: id)
      let changed = try await store.update(
        id, with: patch, password: secret, by: Self.author, expecting: before.version)
      try await expect(store.detail(of: id), changed)
      #expect(changed.version != before.version)
    }
    func patch(_ number: UInt8) -> ProductPatch {
      ProductPatch(
        name: "Lamp \(number)", description: "Of \(number) colours",
        priceHundredths: 100 * Int64(number), stock: Int64(number),
        pictures: .list([.new(PictureFile.jpeg(number))]))
    }
    try await edit(patch(20))
    try await edit(ProductPatch(stock: 3))
    let version = try await store.detail(of: id).version

    let plain = try await trips {
      _ = try await store.update(
        id, with: ProductPatch(name: "Cup", stock: 4), password: secret, by: Self.author,
        expecting: version)
    }
    let pictured = try await trips {
      _ = try await store.update(
        id, with: patch(21), password: secret, by: Self.author, expecting: nil)
    }

    #expect(plain == 3 && pictured <= 5)
  }

  @Test func `counting a try of a password takes two`() async throws {
    let id = try await store.register(.sample(), by: Self.author).id
    let origin = AttemptOrigin(address: "192.0.2.1", author: Self.author)
    func count() async throws {
      try await store.changeAttempts(on: id, by: origin) { $0.wrongCount += 1 }
    }
    try await count()

    try await expect(trips { try await count() }, 2)
  }

  @Test func `a first page that is not remembered takes one`() async throws {
    for number in 0..<4 { _ = try await store.register(.sample(name: "Cup \(number)")) }
    _ = try await store.page(PageRequest(size: 3))

    let trips = try await trips {
      let page = try await store.page(PageRequest(size: 2))
      #expect(page.products.count == 2 && page.total == .exactly(4))
    }

    expect(trips, 1)
  }
}
