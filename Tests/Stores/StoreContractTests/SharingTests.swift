import Expectations
import MarketModel
import StoreCore
import TestSupport
import Testing

/// Several programs that have one market open.
struct SharingTests {
  @Test(arguments: Database.allCases)
  func `programs that open an empty market at once all find its tables, and one id`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database, openedAtOnceBy: 6)
    let other = try await ContractMarket(database)
    _ = try await market.store.register(.sample())
    let id = try #require(try await market.store.marketID())

    for store in market.stores + [try await market.opened()] {
      try await expect(store.page(PageRequest()).total, .exactly(1))
      try await expect(store.ownMarketID(), id)
    }
    #expect(try await other.store.ownMarketID() != id)
  }

  @Test(arguments: Database.allCases)
  func `what programs write at once is counted and kept as if they had taken turns`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database, openedAtOnceBy: 3)
    let stores = market.stores

    // Pictures that all share, added and deleted in all orders.
    try await withThrowingTaskGroup { group in
      for number in 0..<24 {
        group.addTask {
          let pictures = [0, 1, 2].map { PictureFile.jpeg(UInt8(number + $0) % 5) }
          let detail = try await stores[number % 3].register(
            .sample(stock: Int64(number % 2), pictures: pictures))
          guard number % 4 == 0 else { return }
          _ = try await stores[(number + 1) % 3].delete(
            detail.id, password: Password("secret"), by: .guest)
        }
      }
      try await group.waitForAll()
    }

    let page = try await stores[0].page(PageRequest(size: 100))
    expect(page.products.count, 18)
    expect(page.total, .exactly(18))
    let inStock = ProductQuery(filters: [.inStock])
    try await expect(stores[1].exactTotal(of: inStock), 12)
    for product in page.products {
      for picture in try await stores[2].detail(of: product.id).pictures {
        _ = try await stores[2].bytes(of: picture, .original)
      }
    }
    try market.expectConsistent()
  }

  @Test(arguments: Database.allCases)
  func `of two edits of one version made at once, one is told of the other`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database, openedAtOnceBy: 2)
    let before = try await market.store.register(.sample())

    let outcomes = await withTaskGroup(of: Bool.self) { group in
      for store in market.stores {
        group.addTask {
          let edited = try? await store.update(
            before.id, with: ProductPatch(stock: 9), password: Password("secret"), by: .guest,
            expecting: before.version)
          return edited != nil
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }

    expect(outcomes.filter { $0 }.count, 1)
  }

  @Test(arguments: Database.allCases)
  func `programs sign by one key and count wrong passwords together`(_ database: Database)
    async throws
  {
    let market = try await ContractMarket(database, openedAtOnceBy: 3)
    let stores = market.stores
    let id = try await market.store.register(.sample()).id
    let origin = AttemptOrigin(address: "192.0.2.1", author: .guest)

    var codes: Set<[UInt8]> = []
    try await withThrowingTaskGroup { group in
      for store in stores + stores + stores {
        group.addTask {
          try await store.changeAttempts(on: id, by: origin) { attempts in
            attempts.wrongCount += 1
            attempts.lastSeconds = 1_750_000_000
          }
        }
      }
      try await group.waitForAll()
    }
    for store in stores { codes.insert(try await store.authenticationCode(for: [1, 2])) }

    expect(codes.count, 1)
    try await expect(stores[1].changeAttempts(on: id, by: origin) { $0.wrongCount }, 9)
  }

  @Test(arguments: Database.allCases)
  func `the version of the data changes with each change, whoever makes it`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database, openedAtOnceBy: 2)
    let before = try #require(await market.store.presentDataVersion())

    _ = try await market.store.register(.sample())
    let own = try #require(await market.store.presentDataVersion())
    _ = try await market.stores[1].register(.sample())
    let others = try #require(await market.store.askedDataVersion())

    #expect(own != before && others != own)
    try await expect(market.store.page(PageRequest()).total, .exactly(2))
  }

  @Test(arguments: Database.allCases)
  func `what several programs write at once is told once by each of them`(_ database: Database)
    async throws
  {
    let market = try await ContractMarket(database, openedAtOnceBy: 3)
    let stores = market.stores
    let start = try await stores[0].changes(after: nil, atMost: 1).cursor

    let writing = Task {
      try await withThrowingTaskGroup { group in
        for number in 0..<45 {
          group.addTask {
            let store = stores[number % 3]
            let id = try await store.register(.sample(pictures: [PictureFile.jpeg(1)])).id
            for stock in 1...Int64(number % 3 + 1) {
              _ = try await stores[(number + 1) % 3].update(
                id, with: ProductPatch(stock: stock + 10), password: Password("secret"),
                by: .guest, expecting: nil)
            }
            if number % 5 == 0 { _ = try await store.remove(id) }
          }
        }
        try await group.waitForAll()
      }
    }
    var cursor = start
    var told: [ProductChange] = []
    var turn = 0
    // 45 listed, 90 changed, 9 deleted.
    while told.count < 144, turn < 100_000 {
      let batch = try await stores[turn % 3].changes(after: cursor, atMost: 7)
      #expect(!batch.isReset)
      told += batch.changes.compactMap(\.product)
      cursor = batch.cursor
      turn += 1
    }
    try await writing.value

    #expect(try await stores[1].changes(after: cursor, atMost: 7).changes.isEmpty)
    expect(Set(told).count, 144)
    for (_, changes) in Dictionary(grouping: told, by: \.id) {
      let versions = changes.compactMap { $0.version.flatMap { Int($0.rawValue) } }
      expect(versions, Array(1...versions.count))
      expect(changes.firstIndex { $0.kind == .deleted } ?? changes.count - 1, changes.count - 1)
    }
  }

  @Test(arguments: Database.allCases)
  func `a position in the log holds for all programs, also for those that come later`(
    _ database: Database
  ) async throws {
    let market = try await ContractMarket(database)
    let cursor = try await market.store.changes(after: nil, atMost: 10).cursor
    let id = try await market.store.register(.sample()).id
    await market.store.close()

    let batch = try await market.opened().changes(after: cursor, atMost: 10)

    #expect(!batch.isReset && batch.changes.count == 1)
    guard case .product(let change) = batch.changes.first else {
      Issue.record("\(batch)")
      return
    }
    #expect(change.id == id && change.kind == .listed)
  }
}
