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

/// What servers of one database remember of it, and how long.
@Suite(.cluster) struct RememberingTests {
  private static let bound = Duration.milliseconds(50)
  private static let list = "/api/products?items_per_page=3"

  private static func request(_ target: String, knowing tag: String? = nil) -> ServerRequest {
    .get(target, tag.map { [HeaderName.ifNoneMatch: $0] } ?? [:])
  }

  /// As a server answers: at once where it can.
  private static func answer(
    of responder: MarketResponder, to request: ServerRequest
  ) async -> HTTPResponse {
    if let known = responder.immediateResponse(to: request) { return known.message }
    return await responder.response(to: request).message
  }

  @Test func `a page, a detail and their short answers are known without being found out`()
    async throws
  {
    let store = try await TestCluster.emptyStore()
    let responder = MarketResponder(for: store)
    let id = try await store.register(.sample(name: "lamp")).id

    for target in [Self.list, "/api/products/\(id.rawValue)", "/items/1"] {
      let first = await responder.response(to: Self.request(target)).message
      let tag = try #require(first.headers[HeaderName.entityTag])
      // Where the machine stood still for longer than an answer counts, it is asked again.
      var known: ServerResponse?
      while known == nil {
        _ = await responder.response(to: Self.request(target))
        known = responder.immediateResponse(to: Self.request(target, knowing: tag))
      }
      expect(known?.message.status, .notModified)
      expect(known?.message.headers[HeaderName.entityTag], tag)
      expect(responder.immediateResponse(to: Self.request(target))?.message ?? first, first)
    }
  }

  @Test func `whoever writes reads it at the same server at once`() async throws {
    let store = try await TestCluster.emptyStore()
    let responder = MarketResponder(for: store)
    let id = try await store.register(.sample(name: "lamp", stock: 0)).id
    let ends = SharedCounter()

    try await withThrowingTaskGroup { group in
      // Others keep every answer in memory meanwhile.
      for _ in 0..<3 {
        group.addTask {
          while ends.value == 0 {
            _ = await Self.answer(of: responder, to: Self.request(Self.list))
            await Task.yield()
          }
        }
      }
      defer { ends.rise() }
      for stock in 1_001...1_060 as ClosedRange<Int64> {
        _ = try await store.update(
          id, with: ProductPatch(stock: stock), password: Password("secret"), by: .guest,
          expecting: nil)
        let page = await Self.answer(of: responder, to: Self.request(Self.list))
        let detail = await Self.answer(
          of: responder, to: Self.request("/api/products/\(id.rawValue)"))
        for answer in [page, detail] { #expect(answer.text.contains("\"stock\":\(stock)")) }
      }
    }
  }

  @Test func `what one server writes the others show within 50 milliseconds`() async throws {
    let (writer, address) = try await TestCluster.emptyMarket()
    let readers = [
      MarketResponder(for: try await PostgresMarketStore.open(at: address)),
      MarketResponder(for: try await PostgresMarketStore.open(at: address)),
    ]
    let id = try await writer.register(.sample(name: "lamp", stock: 0)).id

    for stock in 1_001...1_040 as ClosedRange<Int64> {
      for reader in readers { _ = await Self.answer(of: reader, to: Self.request(Self.list)) }
      _ = try await writer.update(
        id, with: ProductPatch(stock: stock), password: Password("secret"), by: .guest,
        expecting: nil)
      let written = ContinuousClock.now
      for reader in readers {
        while true {
          let asked = ContinuousClock.now
          let answer = await Self.answer(of: reader, to: Self.request(Self.list))
          if answer.text.contains("\"stock\":\(stock)") { break }
          #expect(asked - written < Self.bound)
        }
      }
    }
  }

  @Test func `whoever is told of a change reads it at any server`() async throws {
    let address = try #require(TestCluster.shared).emptySchema()
    let stores = [
      try await PostgresMarketStore.open(at: address),
      try await PostgresMarketStore.open(at: address),
      try await PostgresMarketStore.open(at: address),
    ]
    let reader = MarketResponder(for: stores[2])
    let id = try await stores[0].register(.sample(name: "lamp", stock: 0)).id
    var place = try await stores[1].changes(after: nil, atMost: 10).cursor

    for stock in 1_001...1_020 as ClosedRange<Int64> {
      _ = await Self.answer(of: reader, to: Self.request(Self.list))
      _ = try await stores[0].update(
        id, with: ProductPatch(stock: stock), password: Password("secret"), by: .guest,
        expecting: nil)
      let batch = try await stores[1].changes(after: place, atMost: 10)
      place = batch.cursor

      expect(batch.changes.count, 1)
      let answer = await Self.answer(of: reader, to: Self.request(Self.list))
      #expect(answer.text.contains("\"stock\":\(stock)"))
    }
  }

  /// Writers and readers of two servers in a random order; no read is older than the bound, and no read at
  /// a server is older than the reader's own write there.
  @Test(arguments: 0..<12)
  func `remembered answers are those of a plain reading`(seed: Int) async throws {
    let address = try #require(TestCluster.shared).emptySchema()
    let stores = [
      try await PostgresMarketStore.open(at: address),
      try await PostgresMarketStore.open(at: address),
    ]
    var run = ReadingRun(stores, seed: UInt64(seed))

    try await run.go(steps: 120)

    expect(run.mistakes, [])
  }

  /// Steps at two servers, with all answers that there were of a few targets, and when each ended.
  private struct ReadingRun {
    private static let targets = [
      RememberingTests.list, "/api/products?items_per_page=2&page_no=2",
      "/api/products?search_value=lamp&sort=cheapest", "/api/products?in_stock=1", "/items/1",
      "/api/products/1", "/api/products/3", "/item/2",
    ]
    private static let hana = SellerIdentifier(secret: "hana")

    private(set) var mistakes: [String] = []
    private let stores: [PostgresMarketStore]
    private let responders: [MarketResponder]
    private var random: SeededRandom
    private var ids: [Product.ID] = []
    private var past: [String: [(answer: HTTPResponse, end: ContinuousClock.Instant)]] = [:]
    /// When each of them wrote last.
    private var writes: [ContinuousClock.Instant] = [.now, .now]

    init(_ stores: [PostgresMarketStore], seed: UInt64) {
      self.stores = stores
      responders = stores.map { MarketResponder(for: $0) }
      random = SeededRandom(seed: seed)
    }

    mutating func go(steps: Int) async throws {
      for _ in 0..<4 { try await register() }
      for _ in 0..<steps {
        if Int.random(in: 0..<4, using: &random) == 0 { try await change() } else { await read() }
      }
    }

    private mutating func register() async throws {
      let key = "intent \(UInt64.random(in: 0 ... .max, using: &random))"
      try await write { try await $0.registered(by: Self.hana, key: key) }
    }

    private mutating func change() async throws {
      let number = Int64.random(in: 0..<1_000, using: &random)
      let id = ids.randomElement(using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: try await register()
      case 1:
        try await write {
          let change = SellerChange(name: "Hana \(number)")
          _ = try await $0.change(Self.hana, change)
          return nil
        }
      case 2:
        guard let id, ids.count > 3 else { return }
        ids.removeAll { $0 == id }
        try await write {
          _ = try await $0.remove(id)
          return nil
        }
      default:
        guard let id else { return }
        try await write {
          _ = try await $0.update(
            id, with: ProductPatch(stock: number), password: Password("secret"),
            by: .seller(Self.hana), expecting: nil)
          return nil
        }
      }
    }

    /// Notes what everything was before, and that it ends now.
    private mutating func write(_ body: (PostgresMarketStore) async throws -> Product.ID?)
      async throws
    {
      let writer = Int.random(in: 0..<2, using: &random)
      var before: [String: HTTPResponse] = [:]
      for target in Self.targets { before[target] = await plain(target) }
      // What they know now counts for a while.
      for store in stores { _ = await store.askedDataVersion() }
      if let id = try await body(stores[writer]) { ids.append(id) }
      for (target, answer) in before { past[target, default: []].append((answer, .now)) }
      writes[writer] = .now
    }

    /// What a server answers that remembers nothing.
    private func plain(_ target: String) async -> HTTPResponse {
      await MarketResponder(for: stores[0]).response(
        to: RememberingTests.request(target)
      ).message
    }

    private mutating func read() async {
      let reader = Int.random(in: 0..<2, using: &random)
      guard let target = Self.targets.randomElement(using: &random) else { return }
      let request = RememberingTests.request(target)
      let asked = ContinuousClock.now
      let answer = await RememberingTests.answer(of: responders[reader], to: request)
      if answer == (await plain(target)) { return }
      let isYoung = past[target, default: []].contains {
        $0.answer == answer && $0.end > writes[reader] && asked - $0.end < RememberingTests.bound
      }
      if !isYoung { mistakes.append("\(target) at \(reader): \(answer.text)") }
    }
  }

  /// Whether a server shows the product, from memory where it can.
  private func shows(_ responder: MarketResponder) async -> Bool {
    let request = ServerRequest.get("/api/products?search_value=kafe")
    var answer = responder.immediateResponse(to: request)
    if answer == nil { answer = await responder.response(to: request) }
    return answer?.message.text.contains("Café") == true
  }

  @Test func `no answer to a search is remembered once what it left out is indexed anew`()
    async throws
  {
    // A cluster of its own, where no other test's transactions make other versions.
    let cluster = try TestCluster()
    let address = try cluster.emptySchema()
    let store = try await PostgresMarketStore.open(at: address)
    _ = try await store.register(.sample(name: "Café"))
    var options = PostgresMarketStore.Options.forTests
    options.tokenizer = .later
    // Renews nothing itself.
    let reader = PostgresMarketStore(
      address, pictureProcessor: PassThroughPictureProcessor(), options: options)
    let responder = MarketResponder(for: reader)
    let place = try await reader.changes(after: nil, atMost: 10).cursor
    let version = try #require(await reader.askedDataVersion())
    #expect(await !shows(responder))

    let renewing = try await PostgresMarketStore.open(at: address, options)
    await poll { renewing.indexing.present == nil }

    await expect(reader.askedDataVersion(), version + 1)
    #expect(await shows(responder))
    // It is in no log, and an index that is renewed makes no other version.
    #expect(try await reader.changes(after: place, atMost: 10).changes.isEmpty)
    _ = try await PostgresMarketStore.open(at: address, options)
    await expect(reader.askedDataVersion(), version + 1)
  }
}

extension PostgresMarketStore {
  fileprivate func registered(
    by seller: SellerIdentifier, key: String
  ) async throws -> Product.ID? {
    try await register(
      .sample(name: "lamp"), by: .seller(seller), key: IdempotencyKey(rawValue: key)
    ).id
  }
}
