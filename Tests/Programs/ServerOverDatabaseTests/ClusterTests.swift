import ClusterTestSupport
import Expectations
import MarketAPI
import MarketModel
import TestSupport
import Testing

/// Three server programs on one database.
@Suite(
  .serialized, .enabled(if: ClusterLoadTest.isPossible, Comment(rawValue: ClusterLoadTest.hint)))
struct ClusterTests {
  private let seller = Author.seller(SellerIdentifier(secret: "a-seller"))

  @Test func `whatever is killed and restarted, no acknowledged write is lost and none doubled`()
    async throws
  {
    let city = try ClusterLoadTest()
    let client = try ClusterClient(city.address)
    let picture = try FileContent(of: "Tests/Fixtures/Pictures/baseline.jpg").bytes

    let load = ClusterLoad(by: client, picture: picture, .products(150), events: city.misfortunes)
    let report = await load.run()

    expect(report.mistakes, [])
    expect(report.needlessFailures, 0, "\(report.failures)")
    expect(report.acknowledged.count, 150)
    let products = try await client.products()
    expect(products.count, 150)
    expect(report.losses(among: products), [])
  }

  @Test func `what one server promised the others know`() async throws {
    let city = try ClusterLoadTest()
    let clients = try city.servers.map { try ClusterClient($0.address) }
    let picture = try FileContent(of: "Tests/Fixtures/Pictures/baseline.jpg").bytes
    let registration = ProductRegistration.sample(name: "lamp", pictures: [picture])
    let intent = MarketOperation.register(
      registration, seller, IdempotencyKey(rawValue: "one intent"))

    var ids: Set<Product.ID> = []
    for client in clients { ids.insert(try await client.detail(intent).id) }
    let id = try #require(ids.first)
    expect(ids.count, 1)

    // Five wrong passwords in turns; the sixth is not looked at anywhere.
    let guess = MarketOperation.verify(id, Password("guess"), seller)
    var statuses: [Int] = []
    for number in 0..<8 {
      statuses.append(try await clients[number % 3].answer(to: guess).status.rawValue)
    }
    expect(statuses, [401, 401, 401, 401, 401, 429, 429, 429])

    let other = try await clients[0].detail(
      .register(registration, seller, IdempotencyKey(rawValue: "another"))
    ).id
    let step = MarketOperation.requestDeletion(other, Password("secret"), seller)
    let target = try clients[0].dialect.deletionTarget(
      from: try await clients[0].answer(to: step), for: step)
    let key = try #require(target.segments.last)
    let stranger = Author.seller(SellerIdentifier(secret: "another-seller"))
    let byStranger = try await clients[2].answer(
      to: .confirmDeletion(token: key, of: nil, stranger))
    let first = try await clients[1].answer(to: .confirmDeletion(token: key, of: nil, seller))
    let second = try await clients[2].answer(to: .confirmDeletion(token: key, of: nil, seller))
    #expect(!byStranger.status.isSuccess)
    expect(first.status, .ok)
    #expect(!second.status.isSuccess)
    try await expect(clients[0].products().map(\.id), [id])
  }
}
