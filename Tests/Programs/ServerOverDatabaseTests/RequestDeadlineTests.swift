import Dispatch
import Expectations
import MarketAPI
import MarketModel
import MarketServer
import PostgresTestSupport
import SQLiteKit
import StoreCore
import TestSupport
import Testing

@testable import PostgresStore

/// Maximum time of a request, with a slow, stopped or lost database.
@Suite(.cluster) struct RequestDeadlineTests {
  private func ask(_ responder: MarketResponder, _ request: ServerRequest) async -> Answer {
    let start = ContinuousClock.now
    let response = await responder.response(to: request)
    return Answer(response: response, duration: ContinuousClock.now - start)
  }

  /// What a responder answers while a transaction of another server waits behind a statement.
  private func ask(
    _ responder: MarketResponder, _ request: ServerRequest, whileHeldBy lock: SQL,
    at other: PostgresMarketStore
  ) async throws -> Answer {
    let (held, isHeld) = AsyncStream<Void>.makeStream()
    let release = DispatchSemaphore(value: 0)
    async let holder: Void = other.write(isRepeatable: false) {
      database throws(StoreError) in
      _ = try database.count(lock, [])
      isHeld.finish()
      release.wait()
      return .success(())
    }
    for await _ in held {}
    let answer = await ask(responder, request)
    release.signal()
    try await holder
    return answer
  }

  private struct Answer {
    let response: ServerResponse
    let duration: Duration

    var status: Int { response.message.status.rawValue }
    var retryAfter: String? { response.message.headers[HeaderName.retryAfter] }
  }

  private static let page = ServerRequest.get("/api/products")

  @Test func `a database that falls silent costs a request its time and no more`() async throws {
    let cluster = try #require(TestCluster.shared)
    let relay = try DatabaseRelay(before: cluster)
    let address = try cluster.emptySchema().replacing(
      "@/postgres?host=\(cluster.folder)&", with: "@\(relay.address)/postgres?")
    let store = try await PostgresMarketStore.open(at: address)
    // As long as a busy machine may need for an answer that does come.
    let patient = MarketResponder(for: store, timeout: .seconds(30))
    let hasty = MarketResponder(for: store, timeout: .seconds(2))
    await expect(ask(patient, Self.page).status, 200)

    relay.fallSilent()
    let reading = await ask(hasty, Self.page)
    let writing = await ask(hasty, try .registering(.sample()))
    relay.speak()
    let again = await ask(patient, Self.page)

    for answer in [reading, writing] {
      #expect(answer.status == 503 && answer.retryAfter == "1")
      #expect(answer.response.reason != nil)
      #expect(answer.duration < .seconds(15), "\(answer.duration)")
    }
    expect(again.status, 200)
  }

  @Test func `connecting to nowhere is within the time of a request too`() async throws {
    let cluster = try #require(TestCluster.shared)
    let relay = try DatabaseRelay(before: cluster)
    let address = try cluster.emptySchema().replacing(
      "@/postgres?host=\(cluster.folder)&", with: "@\(relay.address)/postgres?")
    let store = try await PostgresMarketStore.open(at: address + "&connect_timeout=50")
    let responder = MarketResponder(for: store, timeout: .seconds(1))

    relay.fallSilent()
    // Of three connections one was open.
    let answers = await withTaskGroup(of: Answer.self) { group in
      for _ in 1...5 { group.addTask { await ask(responder, Self.page) } }
      return await group.reduce(into: []) { $0.append($1) }
    }

    #expect(answers.allSatisfy { $0.status == 503 })
    #expect(answers.allSatisfy { $0.duration < .seconds(15) })
  }

  @Test func `a transaction in the way ends in time, and the connection stays`() async throws {
    let (other, address) = try await TestCluster.emptyMarket()
    let store = try await PostgresMarketStore.open(at: address)
    let responder = MarketResponder(for: store, timeout: .seconds(2))
    let answer = try await ask(
      responder, Self.page, whileHeldBy: "LOCK TABLE product", at: other)

    #expect(answer.status == 503 && answer.retryAfter == "1")
    #expect(answer.duration < .seconds(15), "\(answer.duration)")
    await expect(ask(responder, Self.page).status, 200)
  }

  @Test func `a database that may not be written to answers 503, and its pages are there`()
    async throws
  {
    let cluster = try TestCluster()
    let address = try cluster.emptySchema()
    _ = try await PostgresMarketStore.open(at: address)
    try cluster.run("ALTER ROLE market SET default_transaction_read_only = on", at: address)
    let store = try await PostgresMarketStore.open(at: address)
    let responder = MarketResponder(for: store, timeout: .seconds(5))

    let answer = await ask(responder, try .registering(.sample()))

    #expect(answer.status == 503 && answer.retryAfter == "1")
    expect(answer.response.reason, "the store is read-only")
    await expect(ask(responder, Self.page).status, 200)
    await #expect(throws: RepositoryError.store(.readOnly)) {
      try await store.checkReadiness(forWriting: true)
    }
  }

  @Test func `a database that is gone answers 503 with the reason for the log`() async throws {
    let cluster = try TestCluster()
    let store = try await PostgresMarketStore.open(at: cluster.emptySchema())
    let responder = MarketResponder(for: store, timeout: .seconds(5))
    try cluster.stop()

    let answer = await ask(responder, Self.page)

    #expect(answer.status == 503 && answer.retryAfter == "1")
    let reason = answer.response.reason ?? ""
    #expect(reason.contains("connection to server"), "\(reason)")
    await #expect(throws: RepositoryError.self) { try await store.checkReadiness(forWriting: true) }
  }

  @Test func `a search that takes too long is answered by 503 and one sentence`() async throws {
    let (other, address) = try await TestCluster.emptyMarket()
    var options = PostgresMarketStore.Options.forTests
    options.timeoutMilliseconds = 1_000
    options.searchTimeoutMilliseconds = 1_000
    let responder = MarketResponder(for: try await PostgresMarketStore.open(at: address, options))

    let answer = try await ask(
      responder, .get("/api/products?search_value=bicycle"),
      whileHeldBy: "LOCK TABLE product_search", at: other)

    expect(answer.status, 503)
    try expect(answer.response.message.json["message"]?.string, "The store is not available now")
  }

  @Test(arguments: [false, true])
  func `a registration over HTTP takes no more than in the store`(hasKey: Bool) async throws {
    var options = PostgresMarketStore.Options.forTests
    options.connectionCount = 1
    let server = MarketResponder(for: try await TestCluster.emptyStore(options))
    let trips = SharedCounter()
    func send(_ first: UInt8, _ key: IdempotencyKey?) async throws {
      let pictures = (first..<first + 3).map { PictureFile.jpeg($0) }
      let author = Author.seller(SellerIdentifier(secret: "trips"))
      let request = try ServerRequest.sending(.register(.sample(pictures: pictures), author, key))
      await expect(server.response(to: request).message.status, .created)
    }
    try await send(1, IdempotencyKey(rawValue: "first"))

    // One that meets a transaction of another test is tried again.
    var counts: [Int] = []
    for first: UInt8 in [11, 21, 31] {
      let before = trips.value
      let key = hasKey ? IdempotencyKey(rawValue: "key \(first)") : nil
      try await RoundTripCounter.$observer.withValue(
        { trips.rise() }, operation: { try await send(first, key) })
      counts.append(trips.value - before)
    }

    #expect(counts.contains { $0 <= 4 }, "\(counts)")
  }
}
