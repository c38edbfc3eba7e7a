import Expectations
import Glibc
import MarketModel
import MarketStore
import MarketTransfer
import Posix
import StoreCore
import TestSupport
import Testing
import TransferTestSupport

struct InterruptionTests {
  @Test func `a run that was cut short is repeated without doubles`() async throws {
    let markets = try TransferMarkets()
    let lines = (1...1_200).map { #"{"name":"mug \#($0 % 100)","price":\#($0)}"# }
    try markets.write(lines.joined(separator: "\n"), to: "a.ndjson")
    let store = try await markets.store("a.sqlite")
    let short = InterruptedMarket(store) { number throws(RepositoryError) in
      if number > 1 { throw .store(.diskFull) }
    }

    await #expect(throws: TransferError.market(.store(.diskFull))) {
      _ = try await markets.importing("a.ndjson", into: short)
    }
    let half = try await store.page(PageRequest()).total
    let (summary, _) = try await markets.importing("a.ndjson", into: store)

    expect(half, .exactly(500))
    expect(summary, ImportRun.Summary(added: 700, known: 500))
    try await expect(store.page(PageRequest()).total, .exactly(1_200))
  }

  @Test(arguments: ["a.ndjson", "a.csv"])
  func `an export that fails leaves the folder as it was`(name: String) async throws {
    for isThereBefore in [false, true] {
      let markets = try TransferMarkets()
      let store = try await markets.store("a.sqlite")
      _ = try await store.register(.sample(pictures: [PictureFile.jpeg(1), PictureFile.jpeg(2)]))
      let folder = markets.path(of: name + ".pictures")
      if isThereBefore {
        mkdir(folder, 0o700)
        try FileContent(bytes: PictureFile.jpeg(1)).write(to: folder + "/mine.jpg")
      }
      let before = Folder.names(in: Folder.containing(folder)).sorted()

      await #expect(throws: TransferError.market(.store(.damaged))) {
        try await markets.exporting(FallingMarket(market: store), to: name)
      }

      expect(Folder.names(in: Folder.containing(folder)).sorted(), before)
      expect(Folder.names(in: folder), isThereBefore ? ["mine.jpg"] : [])
    }
  }

  @Test func `pictures of an earlier export outlive one that fails`() async throws {
    let markets = try TransferMarkets()
    let store = try await markets.store("a.sqlite")
    _ = try await store.register(.sample(pictures: [PictureFile.jpeg(1)]))
    try await markets.exporting(store, to: "a.ndjson")
    let folder = markets.path(of: "a.ndjson.pictures")
    let before = Folder.names(in: folder)
    _ = try await store.register(.sample(pictures: [PictureFile.jpeg(1), PictureFile.jpeg(2)]))

    await #expect(throws: TransferError.market(.store(.damaged))) {
      try await markets.exporting(FallingMarket(market: store), to: "a.ndjson", replaces: true)
    }

    expect(before.count, 1)
    expect(Folder.names(in: folder), before)
  }
}

/// A market that falls silent after the first products of its snapshot.
private struct FallingMarket: MarketArchive {
  let market: any MarketArchive

  func snapshot() async throws(RepositoryError) -> any MarketSnapshot {
    Snapshot(snapshot: try await market.snapshot())
  }

  func backup(
    to path: String, show: @escaping @Sendable (Double) -> Void
  ) async throws(RepositoryError) {
    try await market.backup(to: path, show: show)
  }

  func ownMarketID() async throws(RepositoryError) -> MarketID? {
    try await market.ownMarketID()
  }

  func newestCurrency() async throws(RepositoryError) -> Currency? {
    try await market.newestCurrency()
  }

  func standings(
    of products: [IncomingProduct]
  ) async throws(RepositoryError) -> [ImportDecision] {
    try await market.standings(of: products)
  }

  func beginImport() async throws(RepositoryError) -> any MarketImport {
    try await market.beginImport()
  }

  private struct Snapshot: MarketSnapshot {
    let snapshot: any MarketSnapshot

    func productCount() async throws(RepositoryError) -> Int { try await snapshot.productCount() }

    func products(
      after id: Product.ID?, atMost limit: Int
    ) async throws(RepositoryError) -> [ArchivedProduct] {
      guard id == nil else { throw .store(.damaged) }
      return try await snapshot.products(after: id, atMost: limit)
    }

    func file(ofPicture name: String) async throws(RepositoryError) -> [UInt8]? {
      try await snapshot.file(ofPicture: name)
    }
  }
}
