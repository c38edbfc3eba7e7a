import Expectations
import MarketModel
import PersonalStore
import TestSupport
import Testing

@testable import market

/// Personal data as `market data export` writes it.
struct PersonalTransferTests {
  private static let fixture = "Tests/Fixtures/Personal/data-0.2.0.ndjson"

  private func lines(of path: String) throws -> [Substring] {
    String(decoding: try FileContent(of: path).bytes, as: UTF8.self).split(separator: "\n")
  }

  private func transfer(at path: String) throws -> PersonalTransfer {
    PersonalTransfer(try PersonalArchive(at: path) { _ in })
  }

  @Test func `an export of 0.2.0 comes in wholly, and goes out with the same values`() throws {
    let folder = try TemporaryFolder()
    let (file, export) = (folder.path(of: "personal.sqlite"), folder.path(of: "data.ndjson"))
    let rows = try lines(of: Self.fixture).dropFirst()

    let taken = try transfer(at: file).importRows(from: Self.fixture)
    let count = try transfer(at: file).export(to: export, replacing: false)

    #expect(taken == (rows.count - 1, 0))
    expect(count, rows.count - 1)
    let exported = try lines(of: export)
    expect(exported.first, #"{"format":"openmarket-personal","version":101}"#)
    // Tables and columns have other names, and the columns another order.
    let values = { (lines: ArraySlice<Substring>) in
      lines.map { $0.replacing(/"table":"\w+"|"\w+":/, with: "").utf8.sorted() }
    }
    expect(Set(values(exported.dropFirst())), Set(values(rows)))
  }

  @Test func `an export comes into another file and goes out again as it was`() throws {
    let folder = try TemporaryFolder()
    let files = ["one", "other"].map { folder.path(of: $0 + ".sqlite") }
    let exports = ["one", "other"].map { folder.path(of: $0 + ".ndjson") }
    _ = try transfer(at: files[0]).importRows(from: Self.fixture)
    _ = try transfer(at: files[0]).export(to: exports[0], replacing: false)

    _ = try transfer(at: files[1]).importRows(from: exports[0])
    _ = try transfer(at: files[1]).export(to: exports[1], replacing: false)

    try expect(lines(of: exports[1]), lines(of: exports[0]))
  }

  @Test func `what an export of 0.2.0 holds is all there`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "personal.sqlite")
    _ = try transfer(at: path).importRows(from: Self.fixture)

    let file = PersonalFile(at: path, now: { Timestamp(seconds: 1_795_600_000) }, report: { _ in })

    await expect(file.savedSearches().map(\.name), ["Attic", "자전거"])
    await expect(file.pastSearches(atMost: 9).last, "camera")
    let bike = try #require(await file.favoriteProduct(Product.ID(rawValue: 7), in: .local))
    #expect(bike.note == "Ask for the \"blue\" one\n– 5%" && bike.product.isReserved)
    #expect(bike.product.place == "Seoul, Mapo" && bike.product.condition == .likeNew)
    await expect(file.favoritePicture(of: bike.id)?.count, 8)
    await expect(file.favoriteList(of: ["자전"]).products.count, 1)
    await expect(file.favoriteList(of: []).products.count, 2)
    let sellers = await file.favoriteSellers(await file.favoriteList(of: []).sellers)
    expect(sellers.map(\.note), ["kind"])
    await expect(file.alerts().map(\.name), ["한나", "자전거", "Road bike"])
    await expect(file.triggeredAlerts(atMost: 9).map(\.alertName), ["", "Road bike", "자전거"])
    await expect(file.unseenAlerts(), 2)
    let prices = await file.prices(of: Product.ID(rawValue: 7), in: .local)
    expect(prices.map(\.price.hundredths), [20_000_000, 18_000_000])
    await expect(file.viewedProducts().map(\.name), ["자전거", "Road bike"])
    let shop = MarketKey(rawValue: "https://shop.example/")
    await expect(file.reportedQuestions(in: shop)?.question, Question.ID(rawValue: 31))
    await expect(file.lastVisit(to: .local)?.newest, Product.ID(rawValue: 66))
    await expect(file.unresponsiveMarkets().keys.map(\.self), [shop])
    await file.close()
  }
}
