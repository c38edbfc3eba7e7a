import Expectations
import MarketModel
import MarketStore
import SQLiteKit
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

struct SeedWriterTests {
  @Test func `a new store is filled with the sample, and only a new one`() async throws {
    let folder = try TemporaryFolder()
    let sample = try await SeedMarket.mugs(7)

    for _ in 1...2 {
      let store = try await SQLiteStore.open(
        folder.path(of: "market.sqlite"), filledWith: { sample })

      let page = try await store.page(PageRequest())
      expect(page.total, .exactly(7))
      expect(page.products.map(\.name), (0..<7).reversed().map { "mug \($0)" })
      expect(page.products.first?.created, Timestamp(seconds: 6))
    }
    try expectConsistent(folder.path(of: "market.sqlite"))
  }

  @Test func `programs that open a new store together all open it, and it is filled once`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "market.sqlite")
    let sample = try await SeedMarket.mugs(7)
    var patient = SQLiteStore.Options.forTests
    patient.busyMilliseconds = 10_000
    let options = patient

    let totals = try await withThrowingTaskGroup(of: ProductTotal.self) { group in
      for _ in 1...6 {
        group.addTask {
          let store = try await SQLiteStore.open(path, options, filledWith: { sample })
          return try await store.page(PageRequest()).total
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }

    expect(totals, Array(repeating: .exactly(7), count: 6))
  }

  @Test func `a sample that does not fit leaves an empty file, which is filled next time`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "market.sqlite")
    let sample = try await SeedMarket.mugs(2_000)
    var options = SQLiteStore.Options.forTests
    options.maximumPages = 80

    await #expect(throws: RepositoryError.store(.diskFull)) {
      try await SQLiteStore.open(path, options, filledWith: { sample })
    }
    try expect(
      SQLiteConnection(opening: path, .init()).integer("SELECT count(*) FROM sqlite_schema"), 0)

    options.maximumPages = nil
    let store = try await SQLiteStore.open(path, options, filledWith: { sample })
    try await expect(store.page(PageRequest()).total, .exactly(2_000))
  }
}
