import Expectations
import MarketModel
import SQLiteKit
import TestSupport
import Testing

@testable import PersonalStore

/// The products whose details were opened, over real files.
struct ViewedProductsTests {
  let folder = FolderOfTest()
  let home = FavoriteMarket(
    key: MarketKey(rawValue: "http://home/"), name: "home", location: "http://home/")
  let local = FavoriteMarket(key: .local, name: nil, location: nil)

  private func opened(_ ids: [Int64], in file: PersonalFile) async {
    for id in ids { await file.didView(.sample(id: id), of: local) }
  }

  private func ids(in file: PersonalFile) async -> [Int64] {
    await file.viewedProducts().map(\.product.rawValue)
  }

  @Test func `a product that is opened again stands first, once, as it was then`() async {
    let file = folder.open()

    await file.didView(.sample(id: 7, name: "Cup", price: 9_000), of: home)
    await file.didView(.sample(id: 7, name: "Mug", price: 5_000), of: local)
    folder.clock.advance(60)
    await file.didView(.sample(id: 7, name: "Tea cup", price: 8_000), of: home)

    let (now, before) = (folder.clock.now, Timestamp(seconds: folder.clock.now.seconds - 60))
    let cup = ViewedProduct(
      market: home, product: Product.ID(rawValue: 7), name: "Tea cup", price: .won(8_000),
      viewed: now)
    let mug = ViewedProduct(
      market: local, product: Product.ID(rawValue: 7), name: "Mug", price: .won(5_000),
      viewed: before)
    await expect(folder.open().viewedProducts(), [cup, mug])
  }

  @Test func `products of one second come the latest first, and the oldest are forgotten`() async {
    var limits = PersonalFile.Limits()
    limits.viewedProducts = 3
    let file = folder.open(limits: limits)

    await opened([1, 2, 3, 4, 2], in: file)

    await expect(ids(in: file), [2, 4, 3])
    await expect(ids(in: folder.open()), [2, 4, 3])
    expect(PersonalFile.Limits().viewedProducts, 500)
  }

  @Test func `a huge name is cut, and a price in a strange currency is none`() async throws {
    let file = folder.open()
    var product = Product.sample(id: 1, name: String(repeating: "가", count: 5_000))
    let currency = Currency(rawValue: "ABCDEFGHIJKLMNOPQRSTU")
    let price = try #require(Price(full: Money(hundredths: 100, currency: currency)))
    product.pricing = .readable(price)

    await file.didView(product, of: local)

    let viewed = try #require(await file.viewedProducts().first)
    expect(viewed.name, String(repeating: "가", count: 133))
    expect(viewed.price, nil)
    let bytes = try folder.connection().integer(
      "SELECT length(CAST(name AS BLOB)) FROM viewed_product")
    expect(bytes, 399)
  }

  @Test func `one is forgotten in its market alone`() async {
    let file = folder.open()
    for market in [home, local] { await file.didView(.sample(id: 7), of: market) }

    await file.forgetViewed(Product.ID(rawValue: 7), in: local.key)

    await expect(folder.open().viewedProducts().map(\.market), [home])
  }

  @Test func `of two files the later look stays`() async throws {
    let from = FolderOfTest()
    folder.clock.advance(60)
    await folder.open().didView(.sample(id: 7, name: "later"), of: home)
    await from.open().didView(.sample(id: 7, name: "earlier"), of: home)
    await from.open().didView(.sample(id: 8, name: "another"), of: local)

    var rows: [PersonalRow] = []
    try PersonalArchive(at: from.path).readAll { row in
      rows.append(row)
      return true
    }
    var rest = rows[...]
    _ = try PersonalArchive(at: folder.path).merge(version: PersonalArchive.version) {
      rest.popFirst()
    }

    await expect(folder.open().viewedProducts().map(\.name), ["later", "another"])
    try PersonalArchive(at: folder.path).clear()
    await expect(folder.open().viewedProducts(), [])
  }

  @Test func `what was only looked at is nothing that a person chose to keep`() async {
    await opened([1], in: folder.open())

    expect(PersonalFile.hasChosen(in: folder.path), false)
  }
}
