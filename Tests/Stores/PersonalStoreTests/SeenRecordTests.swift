import Expectations
import Glibc
import MarketModel
import SQLiteKit
import TestSupport
import Testing

@testable import PersonalStore

/// What was on the screen, at which prices, over real files.
struct SeenRecordTests {
  let folder = FolderOfTest()
  var clock: WallClock { folder.clock }
  let home = MarketKey(rawValue: "http://home/")

  private func open() -> PersonalFile { folder.open() }

  private func id(_ number: Int64) -> Product.ID { Product.ID(rawValue: number) }

  private func see(_ number: Int64, _ price: Money?, in file: PersonalFile) async {
    await file.didSee([SeenProduct(id: id(number), price: price)], in: .local)
  }

  @Test func `what was seen is remembered by market, with its time and price`() async {
    let file = open()
    await see(7, .won(5), in: file)
    let first = clock.now
    clock.advance(60)
    await see(7, .won(5), in: file)
    await file.didSee([SeenProduct(id: id(8), price: nil)], in: home)

    let seenProducts = await open().seenProducts(of: (1...9).map(id), in: .local, before: nil)

    expect(
      seenProducts,
      [id(7): SeenRecord(at: clock.now, first: first, latest: .won(5), previous: .won(5))])
    let there = await open().seenProducts(of: [id(8)], in: home, before: nil)
    expect(there, [id(8): SeenRecord(at: clock.now, latest: nil, previous: nil)])
  }

  @Test func `a price has a row where it differs from the last one alone`() async {
    let file = open()
    let start = clock.now.seconds
    for amount: Int64 in [240, 240, 200, 200, 240] {
      await see(7, .won(amount), in: file)
      clock.advance(10)
    }

    let prices = await file.prices(of: id(7), in: .local)

    expect(prices.map(\.price), [.won(240), .won(200), .won(240)])
    expect(prices.map(\.at.seconds), [start, start + 20, start + 40])
  }

  @Test func `the previous price is that of the last visit, whatever was noted since`() async {
    let file = open()
    await see(7, .won(240), in: file)
    let visit = clock.now
    clock.advance(3_600)
    await see(7, .won(200), in: file)
    await see(8, .won(50), in: file)
    clock.advance(60)
    await see(8, .won(40), in: file)

    let seenProducts = await file.seenProducts(of: [id(7), id(8)], in: .local, before: visit)

    expect(seenProducts[id(7)]?.previous, .won(240))
    expect(seenProducts[id(7)]?.latest, .won(200))
    expect(seenProducts[id(8)]?.previous, .won(50))
  }

  @Test func `a clock that was set back keeps the prices in their order`() async {
    let file = open()
    await see(7, .won(3), in: file)
    clock.advance(-10_000)
    await see(7, .won(2), in: file)
    clock.advance(20_000)
    await see(7, .won(1), in: file)

    await expect(file.prices(of: id(7), in: .local).map(\.price), [.won(2), .won(1)])
  }

  @Test func `a price that changes all the time has a hundred rows at most`() async {
    let file = open()
    for number: Int64 in 1...150 {
      await see(7, .won(number), in: file)
      clock.advance(1)
    }

    let prices = await file.prices(of: id(7), in: .local)

    expect(Int64(prices.count), PersonalFile.maxPricesOfOne)
    expect(prices.last?.price, .won(150))
  }

  @Test func `prices older than 90 days go, but a product keeps its latest`() async {
    let file = open()
    await see(7, .won(3), in: file)
    await see(8, .won(9), in: file)
    clock.advance(60)
    await see(7, .won(2), in: file)
    clock.advance(PersonalFile.priceRetentionSeconds + 60)

    await see(1, .won(1), in: file)

    await expect(file.prices(of: id(7), in: .local).map(\.price), [.won(2)])
    await expect(file.prices(of: id(8), in: .local).map(\.price), [.won(9)])
  }

  @Test func `too many prices that are no more go, those that ended first`() async {
    var limits = PersonalFile.Limits()
    limits.pastPrices = 3
    let file = folder.open(limits: limits)

    for amount: Int64 in 1...4 {
      for product: Int64 in 7...8 {
        clock.advance(1)
        await see(product, .won(amount), in: file)
      }
    }

    await expect(file.prices(of: id(7), in: .local).map(\.price), [.won(3), .won(4)])
    await expect(file.prices(of: id(8), in: .local).map(\.price), [.won(2), .won(3), .won(4)])
  }

  @Test func `a currency that is no code and a price that is none are not remembered`() async {
    let file = open()

    await see(
      7, Money(hundredths: 1, currency: Currency(rawValue: String(repeating: "X", count: 99))),
      in: file)
    await see(8, nil, in: file)
    await see(9, Money(hundredths: -1, currency: .krw), in: file)

    let seenProducts = await file.seenProducts(of: [id(7), id(8), id(9)], in: .local, before: nil)
    expect(seenProducts.count, 3)
    #expect(seenProducts.values.allSatisfy { $0.latest == nil })
  }

  @Test func `all that is marked as seen is old for the next visit, and stays so`() async throws {
    let file = open()
    await file.isVisiting(.local, newest: id(10))
    await file.didLeave(.local)

    await file.didSeeAll(through: id(25), in: .local)
    await file.didSeeAll(through: id(20), in: .local)

    await expect(open().lastVisit(to: .local)?.newest, id(25))
    await expect(open().lastVisit(to: home), nil)
  }

  /// Fills the file with so many products, each with as many prices.
  private func fill(products: Int64, prices: Int) throws {
    let connection = try folder.connection()
    try connection.execute("BEGIN")
    try connection.run(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
      INSERT INTO seen_product SELECT 1, i, \(clock.now.seconds) - i, \(clock.now.seconds) - i FROM n
      """, .integer(products))
    for price in 0..<prices {
      let until = price == prices - 1 ? "NULL" : "\(clock.now.seconds) - 10"
      try connection.run(
        """
        INSERT INTO price_point
        SELECT 1, product, \(clock.now.seconds) - 100 + \(price), 1000 * product, 'KRW', \(until)
        FROM seen_product
        """)
    }
    try connection.execute("COMMIT")
  }

  @Test func `too many products go in small steps, the oldest first, with their prices`()
    async throws
  {
    let file = open()
    let limit = PersonalFile.Limits().seenProducts
    await file.isVisiting(.local, newest: nil)
    try fill(products: limit + 3 * PersonalFile.deletedAtOnce, prices: 1)

    for number: Int64 in 1...4 { await see(-number, .won(1), in: file) }

    let (products, prices) = (
      try folder.connection().integer("SELECT count(*) FROM seen_product"),
      try folder.connection().integer("SELECT count(*) FROM price_point")
    )
    expect(products, limit)
    expect(prices, products)
    let gone = await file.seenProducts(
      of: [id(limit + 600), id(1)], in: .local, before: nil)
    expect(gone.keys.map(\.rawValue), [1])
  }

  @Test func `a page of a hundred thousand seen products is read and written in milliseconds`()
    async throws
  {
    let file = open()
    await file.isVisiting(.local, newest: nil)
    try fill(products: PersonalFile.Limits().seenProducts, prices: 2)
    let page = (50_000..<50_060).map(id)
    let seen = page.map { SeenProduct(id: $0, price: .won(7)) }

    let watch = ContinuousClock()
    let reading = await watch.measure {
      await expect(file.seenProducts(of: page, in: .local, before: clock.now).count, 60)
    }
    let writing = await watch.measure { await file.didSee(seen, in: .local) }
    try folder.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    var status = stat()
    expect(stat(folder.path, &status), 0)
    #expect(status.st_size < 24 << 20)
    // Others may have the machine; without an index it would be seconds.
    #expect(reading < .milliseconds(500) && writing < .seconds(1))
  }
}
