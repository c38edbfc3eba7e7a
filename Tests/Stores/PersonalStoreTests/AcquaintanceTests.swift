import Expectations
import MarketModel
import SQLiteKit
import TestSupport
import Testing

@testable import PersonalStore

/// Markets that are met again at another address.
struct AcquaintanceTests {
  let folder = FolderOfTest()
  var clock: WallClock { folder.clock }
  let id = MarketID.random()
  let old = FavoriteMarket(
    key: MarketKey(rawValue: "http://old/"), name: "old", location: "http://old/")
  let new = FavoriteMarket(
    key: MarketKey(rawValue: "http://new/"), name: "new", location: "http://new/")

  private func open() -> PersonalFile { folder.open() }

  private func product(_ id: Int64) -> Product.ID { Product.ID(rawValue: id) }

  /// A file in which a product of the old address is kept.
  private func fileWithOld() async -> PersonalFile {
    let file = open()
    _ = await file.add(.sample(id: 7, name: "Bicycle"), description: nil, of: old)
    await expect(file.didIdentify(id, at: old.key), nil)
    return file
  }

  private func count(_ condition: String) throws -> Int64? {
    try folder.connection().integer("SELECT count(*) FROM \(condition)")
  }

  @Test func `a market that is met under another address is known by its id`() async {
    let file = await fileWithOld()

    await expect(file.didIdentify(id, at: new.key), old)
    await expect(file.didIdentify(id, at: new.key), old)
    await expect(file.didIdentify(.random(), at: MarketKey(rawValue: "http://other/")), nil)
  }

  @Test func `nothing is asked where nothing is kept of the one, or something of the other`()
    async
  {
    let file = open()
    await expect(file.didIdentify(id, at: old.key), nil)
    await expect(file.didIdentify(id, at: new.key), nil)

    _ = await file.add(.sample(id: 7), description: nil, of: old)
    _ = await file.add(.sample(id: 7), description: nil, of: new)

    await expect(file.didIdentify(id, at: new.key), nil)
  }

  @Test func `what is only waited for counts as kept`() async {
    let file = open()
    _ = await file.add(
      Alert(
        market: old.key, location: old.location, subject: .search("bicycle"), name: "bicycle",
        condition: .anythingNew))
    _ = await file.didIdentify(id, at: old.key)

    await expect(
      file.didIdentify(id, at: new.key),
      FavoriteMarket(key: old.key, name: nil, location: old.location))
  }

  @Test func `who declined is not asked again at that address, whatever id it says`() async {
    let file = await fileWithOld()
    _ = await file.didIdentify(id, at: new.key)

    await file.decline(at: new.key)

    await expect(file.didIdentify(id, at: new.key), nil)
    _ = await file.didIdentify(.random(), at: new.key)
    await expect(file.didIdentify(id, at: new.key), nil)
    await expect(file.didIdentify(id, at: MarketKey(rawValue: "http://newer/")), old)
  }

  @Test func `everything moves to the new address, and what was seen there already stays`()
    async throws
  {
    let file = await fileWithOld()
    let seller = Seller(id: Seller.ID(rawValue: 3), name: "Hana")
    _ = await file.add(seller, by: product(7), of: old)
    _ = await file.write("ask", to: FavoriteKey(.product(product(7)), in: old.key))
    await file.add([1, 2], of: .sample(id: 7), in: old.key)
    _ = await file.add(
      Alert(
        market: old.key, location: old.location, subject: .product(product(7)), name: "Bicycle",
        condition: .below(.won(10_000))))
    await file.isVisiting(old.key, newest: product(7))
    await file.didSee([SeenProduct(id: product(7), price: .won(9_000))], in: old.key)
    await file.didSeeAll(through: product(7), in: old.key)
    clock.advance(60)
    await file.didIdentify(id, at: new.key)
    await file.isVisiting(new.key, newest: product(8))
    await file.didSee(
      [
        SeenProduct(id: product(7), price: .won(8_000)),
        SeenProduct(id: product(8), price: .won(1_000)),
      ], in: new.key)
    clock.advance(60)

    #expect(await file.move(from: old.key, to: new))

    let favorite = try #require(await file.favoriteProduct(product(7), in: new.key))
    #expect((favorite.market, favorite.note) == (new, "ask"))
    await expect(file.favoriteMarks(of: new.key).sellers, [seller.id])
    await expect(file.favoriteMarks(of: old.key), FavoriteMarks())
    await expect(file.alerts().map(\.market), [new.key])
    await expect(file.alerts().map(\.location), [new.location])
    await expect(file.prices(of: product(7), in: new.key).map(\.price), [.won(9_000), .won(8_000)])
    let seenProducts = await file.seenProducts(
      of: [product(7), product(8)], in: new.key, before: nil)
    expect(seenProducts.count, 2)
    await expect(file.lastVisit(to: new.key)?.newest, product(7))
    await expect(file.lastVisit(to: old.key), nil)
    try expect(count("market WHERE key = 'http://old/'"), 0)
    try expect(count("visit WHERE ended IS NULL"), 1)
    try expect(count("price_point WHERE product = 7 AND until IS NULL"), 1)
    await file.didLeave(new.key)
    await expect(file.lastVisit(to: new.key)?.newest, product(8))
  }

  @Test func `a price that is the same at both addresses is one price`() async {
    let file = await fileWithOld()
    await file.didSee([SeenProduct(id: product(7), price: .won(9_000))], in: old.key)
    clock.advance(60)
    await file.didSee([SeenProduct(id: product(7), price: .won(9_000))], in: new.key)

    _ = await file.move(from: old.key, to: new)

    await expect(file.prices(of: product(7), in: new.key).map(\.price), [.won(9_000)])
  }

  @Test func `what was let go of at the new address takes nothing away that was kept`() async {
    let file = await fileWithOld()
    _ = await file.write("ask", to: FavoriteKey(.product(product(7)), in: old.key))
    _ = await file.add(.sample(id: 7), description: nil, of: new)
    _ = await file.remove(FavoriteKey(.product(product(7)), in: new.key))
    await expect(file.didIdentify(id, at: new.key), old)

    _ = await file.move(from: old.key, to: new)

    await expect(file.favoriteProduct(product(7), in: new.key)?.note, "ask")
  }

  @Test func `a move that cannot be written changes nothing`() async throws {
    let file = await fileWithOld()
    _ = await file.didIdentify(id, at: new.key)
    let other = try folder.connection()
    let timeLimited = folder.open(waiting: 0)
    _ = await timeLimited.favoriteMarks(of: old.key)
    try other.execute("BEGIN IMMEDIATE")

    #expect(await !timeLimited.move(from: old.key, to: new))

    try other.execute("ROLLBACK")
    await expect(file.favoriteMarks(of: old.key).products, [product(7)])
    #expect(await !file.move(from: MarketKey(rawValue: "http://nowhere/"), to: new))
  }
}
