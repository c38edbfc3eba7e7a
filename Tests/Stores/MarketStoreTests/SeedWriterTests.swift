import MarketModel
import MarketStore
import SQLiteKit
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

@Suite struct SeedWriterTests {
  private func market(_ count: Int) async throws -> SeedMarket {
    let price = try #require(Price(full: Money(hundredths: 1_000_000, currency: .krw)))
    let pictures = (0..<3).map { number in
      PreparedPicture(
        bytes: PictureFile.jpeg(UInt8(number)), format: .jpeg,
        size: PixelSize(width: 8, height: 8), thumbnail: [UInt8(number)])
    }
    let products = (0..<count).map { number in
      SeedProduct(
        seller: "Shop \(number % 2)", name: "mug \(number)", description: "Blue.", price: price,
        stock: 1, created: Int64(number), pictures: [number % 3, (number + 1) % 3])
    }
    let hash = try await PasswordHasher(cost: .least).hash(Password("market"))
    return SeedMarket(products: products, pictures: pictures, passwordHash: hash)
  }

  @Test func `a new store is filled with the sample, and only a new one`() async throws {
    let folder = try TemporaryFolder()
    let sample = try await market(7)

    for _ in 1...2 {
      let store = try await SQLiteStore.open(
        at: folder.path(of: "market.sqlite"), pictureProcessor: PassThroughPictureProcessor(),
        options: .forTests, filledWith: { sample })

      let page = try await store.page(PageRequest())
      #expect(page.total == .exactly(7))
      #expect(page.products.map(\.name) == (0..<7).reversed().map { "mug \($0)" })
      #expect(page.products.first?.created == Timestamp(seconds: 6))
    }
    try expectConsistent(folder.path(of: "market.sqlite"))
  }

  @Test func `programs that open a new store together all open it, and it is filled once`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "market.sqlite")
    let sample = try await market(7)
    var patient = SQLiteStore.Options.forTests
    patient.busyMilliseconds = 10_000
    let options = patient

    let totals = try await withThrowingTaskGroup(of: ProductTotal.self) { group in
      for _ in 1...6 {
        group.addTask {
          let store = try await SQLiteStore.open(
            at: path, pictureProcessor: PassThroughPictureProcessor(), options: options,
            filledWith: { sample })
          return try await store.page(PageRequest()).total
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }

    #expect(totals == Array(repeating: .exactly(7), count: 6))
  }

  @Test func `a sample that does not fit leaves an empty file, which is filled next time`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "market.sqlite")
    let sample = try await market(2_000)
    var options = SQLiteStore.Options.forTests
    options.maximumPages = 80

    await #expect(throws: RepositoryError.store(.diskFull)) {
      try await SQLiteStore.open(
        at: path, pictureProcessor: PassThroughPictureProcessor(), options: options,
        filledWith: { sample })
    }
    #expect(
      try SQLiteConnection(opening: path, .init()).integer("SELECT count(*) FROM sqlite_schema")
        == 0)

    options.maximumPages = nil
    let store = try await SQLiteStore.open(
      at: path, pictureProcessor: PassThroughPictureProcessor(), options: options,
      filledWith: { sample })
    #expect(try await store.page(PageRequest()).total == .exactly(2_000))
  }
}
