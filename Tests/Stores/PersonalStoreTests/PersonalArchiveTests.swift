import Expectations
import MarketModel
import Posix
import SQLiteKit
import TestSupport
import Testing

@testable import PersonalStore

/// What a person keeps, carried from one file to another.
struct PersonalArchiveTests {
  let here = FolderOfTest()
  let there = FolderOfTest()
  let clock = WallClock()
  let home = MarketKey(rawValue: "http://home/")

  private func file(_ folder: FolderOfTest) -> PersonalFile {
    PersonalFile(at: folder.path, now: { [clock] in clock.now }, report: { _ in })
  }

  private func rows(_ folder: FolderOfTest) throws -> [PersonalRow] {
    var rows: [PersonalRow] = []
    try PersonalArchive(at: folder.path).readAll { row in
      rows.append(row)
      return true
    }
    return rows
  }

  @discardableResult
  private func merge(
    _ rows: [PersonalRow], version: Int = PersonalArchive.version, into folder: FolderOfTest
  ) throws -> Int {
    var rest = rows[...]
    return try PersonalArchive(at: folder.path).merge(version: version) { rest.popFirst() }.read
  }

  /// Puts something into every table.
  private func fill(_ file: PersonalFile) async throws {
    let market = FavoriteMarket(key: home, name: "home", location: "http://home/")
    let cup = Product.sample(
      id: 7, name: "자전거", price: 9_000, thumbnail: Picture(original: "o", thumbnail: "t"))
    let seller = Seller(id: Seller.ID(rawValue: 3), name: "Hana")
    await file.didSearch(for: "자전거")
    _ = await file.save(SavedSearch(name: "bikes", text: "자전거 <200000"))
    await file.isVisiting(home, newest: cup.id)
    await file.didSee([SeenProduct(id: cup.id, price: .won(10_000))], in: home)
    clock.advance(60)
    await file.didSee([SeenProduct(id: cup.id, price: .won(9_000))], in: home)
    await file.didSeeAll(through: cup.id, in: home)
    await file.didView(cup, of: market)
    await file.didLeave(home)
    await file.didIdentify(.random(), at: home)
    _ = await file.add(cup, description: "As good as new.", of: market)
    await file.add([1, 2, 3], of: cup, in: home)
    _ = await file.write("ask", to: FavoriteKey(.product(cup.id), in: home))
    _ = await file.add(seller, by: cup.id, of: market)
    _ = await file.write("kind", to: FavoriteKey(.seller(seller.id), in: home))
    _ = await file.add(
      Alert(
        market: home, location: "http://home/", subject: .product(cup.id), name: "Cup",
        condition: .below(.won(10_000))))
    _ = await file.record([AlertObservation(try #require(await file.alerts().first).id, [cup])])
    _ = await file.add(
      Alert(market: home, subject: .search("cup"), name: "cups", condition: .backInStock))
    _ = await file.record([AlertObservation(try #require(await file.alerts().first).id, [cup])])
    await file.didLook(in: home, hasAnswered: true)
    _ = await file.record(QuestionNews(market: home, location: "http://home/", tellsAll: true))
  }

  @Test func `everything of a file comes into an empty one`() async throws {
    try await fill(file(here))
    let rows = try rows(here)
    let tables = try PersonalTable.all(here.connection())

    let count = try merge(rows, into: there)

    expect(count, rows.count)
    // A new table must be filled above.
    expect(Set(rows.map(\.table)), Set(tables.map(\.name)))
    try expect(self.rows(there), rows)
  }

  @Test func `everything of a file comes to what another one has of the same market`() async throws
  {
    let (one, other) = (file(here), file(there))
    try await fill(one)
    // Markets and what is kept have other numbers there.
    await other.didSee([SeenProduct(id: Product.ID(rawValue: 1), price: nil)], in: .local)
    let lamp = Product.sample(id: 1, thumbnail: Picture(original: "o", thumbnail: "t"))
    let local = FavoriteMarket(key: .local, name: nil, location: nil)
    _ = await other.add(lamp, description: nil, of: local)
    await other.add([9], of: lamp, in: .local)
    clock.advance(60)
    await other.didSee([SeenProduct(id: Product.ID(rawValue: 7), price: .won(8_000))], in: home)
    _ = await other.add(
      Alert(
        market: home, location: nil, subject: .product(Product.ID(rawValue: 7)), name: "Cup",
        condition: .below(.won(5_000))))
    let rows = try rows(here)

    try merge(rows, into: there)
    let once = try self.rows(there)
    try merge(rows, into: there)

    try expect(self.rows(there), once)
    let product = try #require(await other.favoriteProduct(Product.ID(rawValue: 7), in: home))
    #expect((product.note, product.description) == ("ask", "As good as new."))
    await expect(other.favoritePicture(of: product.id), [1, 2, 3])
    let before = try #require(await other.favoriteProduct(lamp.id, in: .local))
    await expect(other.favoritePicture(of: before.id), [9])
    await expect(
      other.favoriteSellers(await other.favoriteList(of: []).sellers).map(\.note), ["kind"])
    await expect(other.alerts().map(\.condition), [.backInStock, .below(.won(10_000))])
    await expect(other.triggeredAlerts(atMost: 9).map(\.product), [product.product.id])
    let prices = await other.prices(of: product.product.id, in: home)
    expect(prices.map(\.price), [.won(10_000), .won(9_000), .won(8_000)])
    try expect(
      there.connection().integer(
        "SELECT count(*) FROM price_point WHERE product = 7 AND until IS NULL"), 1)
    await expect(other.lastVisit(to: home)?.newest, product.product.id)
  }

  @Test(
    arguments: [
      // Written in the file that comes, and in the one that is there; and what stays.
      (["ask"], [], "ask"), ([], ["ask"], "ask"), (["one"], ["two"], "two"),
      (["one", ""], ["two"], "two"), (["one"], ["two", ""], ""),
    ])
  func `of two notes the later one stays, whichever product was seen later`(
    coming: [String], present: [String], expected: String
  ) async throws {
    for isSeenLater in [false, true] {
      let (from, to) = (FolderOfTest(), FolderOfTest())
      let (one, other) = (file(from), file(to))
      let cup = Product.sample(id: 7)
      let key = FavoriteKey(.product(cup.id), in: home)
      let market = FavoriteMarket(key: home, name: nil, location: nil)
      for file in [one, other] { _ = await file.add(cup, description: nil, of: market) }
      for (file, notes) in [(one, coming), (other, present)] {
        for note in notes {
          clock.advance(60)
          _ = await file.write(note, to: key)
        }
      }
      clock.advance(60)
      _ = await (isSeenLater ? one : other).didSeeFavorites([cup], in: home)

      try merge(try rows(from), into: to)

      await expect(other.favoriteProduct(cup.id, in: home)?.note, expected)
    }
  }

  @Test func `what is there stays, and what comes wins, however often it comes`() async throws {
    let (one, other) = (file(here), file(there))
    await one.didSearch(for: "camera")
    _ = await one.save(SavedSearch(name: "bikes", text: "new"))
    await other.didSearch(for: "lamp")
    // The markets have other numbers there.
    await other.didSee([SeenProduct(id: Product.ID(rawValue: 1), price: nil)], in: .local)
    await one.didSee([SeenProduct(id: Product.ID(rawValue: 2), price: nil)], in: home)
    _ = await other.save(SavedSearch(name: "bikes", text: "old"))
    _ = await other.save(SavedSearch(name: "lamps", text: "lamp"))
    let rows = try rows(here)

    try merge(rows, into: there)
    let once = try self.rows(there)
    try merge(rows, into: there)

    let merged = file(there)
    try expect(self.rows(there), once)
    await expect(Set(merged.pastSearches(atMost: 9)), ["camera", "lamp"])
    await expect(merged.savedSearches().map(\.text), ["new", "lamp"])
    let key = once.filter { $0.table == "market" }.flatMap(\.columns).filter { $0.name == "key" }
    expect(key.map(\.value), [.text("local"), .text("http://home/")])
  }

  @Test(arguments: [
    PersonalRow(table: "nothing", columns: [("id", .integer(1))]),
    PersonalRow(table: "visitor", columns: [("visit", .integer(1))]),
    PersonalRow(table: "market", columns: [("id", .integer(1))]),
    PersonalRow(table: "market", columns: [("id", .integer(2)), ("key", .text("../../x"))]),
    PersonalRow(table: "market", columns: [("id", .integer(2)), ("key", .null)]),
    PersonalRow(table: "market", columns: [("id", .integer(2)), ("key", .text("file-a-b"))]),
    PersonalRow(table: "market", columns: [("id", .integer(2)), ("place", .text("http://home/"))]),
    PersonalRow(
      table: "market",
      columns: [("id", .integer(2)), ("id", .integer(2)), ("key", .text("http://home/"))]),
    PersonalRow(table: "past_search", columns: [("id", .text("x")), ("text", .text("x"))]),
    PersonalRow(table: "past_search", columns: [("id", .integer(1)), ("text", .bytes([1]))]),
    PersonalRow(
      table: "seen_through", columns: [("market", .integer(9)), ("product", .integer(9))]),
    PersonalRow(
      table: "visit",
      columns: [
        ("id", .integer(1)), ("market", .integer(77)), ("began", .integer(1)),
        ("last_active", .integer(1)), ("ended", .null), ("newest", .null),
      ]),
  ])
  func `a forged row changes nothing`(forged: PersonalRow) async throws {
    await file(here).didSearch(for: "camera")
    await file(there).didSearch(for: "lamp")
    let before = try rows(there)
    let rows = try rows(here)

    #expect(throws: PersonalArchive.Failure.badRow(rows.count + 1)) {
      try merge(rows + [forged], into: there)
    }

    try expect(self.rows(there), before)
    #expect(Folder.names(in: there.parent).allSatisfy { !$0.contains("import") })
  }

  @Test func `rows of versions that no release wrote are refused, and of a newer one`() throws {
    for version in [-1, 0, 9, 11, 100] {
      #expect(throws: PersonalArchive.Failure.badRow(0)) {
        try merge([], version: version, into: there)
      }
    }
    #expect(throws: PersonalArchive.Failure.newer) {
      try merge([], version: PersonalArchive.version + 1, into: there)
    }
  }

  @Test func `what there is no room for is left out and counted, and what was there stays`() throws
  {
    let archive = try PersonalArchive(at: there.path)
    func merge(alerts numbers: ClosedRange<Int64>) throws -> (read: Int, leftOut: Int) {
      let market = PersonalRow(
        table: "market", columns: [("id", .integer(1)), ("key", .text(home.rawValue))])
      var rest = ([market] + numbers.map(alert))[...]
      return try archive.merge(version: PersonalArchive.version) { rest.popFirst() }
    }
    func alert(_ number: Int64) -> PersonalRow {
      PersonalRow(
        table: "alert",
        columns: [
          ("id", .integer(number)), ("market", .integer(1)), ("location", .null),
          ("subject", .text("product")), ("number", .integer(number)), ("text", .null),
          ("name", .text("Cup")), ("condition", .text("stock")), ("amount", .null),
          ("currency", .null), ("met", .integer(0)), ("newest", .null), ("market_id", .null),
        ])
    }

    let first = try merge(alerts: 1...600)
    let second = try merge(alerts: 501...1_100)

    #expect(first == (601, 0))
    #expect(second == (601, 100))
    let numbers = try rows(there).filter { $0.table == "alert" }.compactMap {
      $0.columns.first { $0.name == "number" }?.value
    }
    expect(numbers, (1...1_000).map { .integer($0) })
  }

  @Test func `what is cleared is gone, on the disk too`() async throws {
    let file = file(here)
    _ = await file.save(SavedSearch(name: "secret wishes", text: "ring"))
    await file.close()
    for ending in ["", "-2"] {
      try FileContent(of: here.path).write(to: here.path + ".before-1.0" + ending)
    }

    try PersonalArchive(at: here.path).clear()

    #expect(try rows(here).isEmpty)
    for name in Folder.names(in: here.parent) {
      let bytes = try FileContent(of: here.parent + "/" + name).bytes
      expect(bytes.firstRange(of: Array("secret wishes".utf8)), nil, "\(name)")
    }
  }
}
