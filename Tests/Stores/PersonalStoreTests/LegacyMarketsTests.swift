import Glibc
import MarketModel
import SQLiteKit
import TestSupport
import Testing

@testable import PersonalStore

/// Files of a version that put `-` for most letters of a place, so that two markets were one.
@Suite struct LegacyMarketsTests {
  let folder = FolderOfTest()
  private let former = MarketKey(rawValue: "file--home-hana-a-b.sqlite")
  private let slash = MarketKey(rawValue: "/home/hana/a/b.sqlite")
  private let hyphen = MarketKey(rawValue: "/home/hana/a-b.sqlite")
  private let only = MarketKey(rawValue: "/home/hana/only.sqlite")

  /// Rows as that version wrote them: a product was kept in `a/b.sqlite`, an alert was set in
  /// `a-b.sqlite`, both were visited, and another product was kept in `only.sqlite`.
  private static let rows = """
    INSERT INTO market VALUES(1,'file--home-hana-a-b.sqlite');
    INSERT INTO market VALUES(2,'file--home-hana-only.sqlite');
    INSERT INTO visit VALUES(1,1,1795645032,1795645032,1795645036,66);
    INSERT INTO visit VALUES(2,1,1795645038,1795645038,1795645045,66);
    INSERT INTO visit VALUES(3,2,1795645047,1795645047,1795645051,66);
    INSERT INTO kept_market VALUES(1,'b.sqlite','/home/hana/a/b.sqlite');
    INSERT INTO kept_market VALUES(2,'only.sqlite','/home/hana/only.sqlite');
    INSERT INTO kept_product VALUES(1,1,65,1795645033,1795645059,NULL,NULL,-3,'Noah on Elm Street',
      'Film camera',14500,2000,'USD',1,1795644189,1795644189,0,170,'c3','c3-small','','',
      'film camera',NULL,NULL,0);
    INSERT INTO kept_product VALUES(2,2,65,1795645048,1795645048,NULL,NULL,-3,'Noah on Elm Street',
      'Film camera',14500,2000,'USD',1,1795644189,1795644189,0,170,'c3','c3-small','','',
      'film camera',NULL,NULL,0);
    INSERT INTO sight VALUES(1,40,1795645031);
    INSERT INTO price_point VALUES(1,65,1795645031,12500,'USD',NULL);
    INSERT INTO wait VALUES(1,1,'/home/hana/a-b.sqlite','product',64,NULL,'Heart mugs, set of two',
      'stock',NULL,NULL,1,NULL);
    INSERT INTO wait_market VALUES(1,1795645060,0);
    INSERT INTO market_id VALUES(1,'be6aa5688020633ed9d1c449b043fc00',0);
    """

  init() throws {
    try folder.make(ofVersion: 4).execute(Self.rows)
  }

  private func open(_ known: [KnownLocation] = []) -> PersonalFile {
    PersonalFile(
      at: folder.path, now: { Timestamp(seconds: 1_795_646_000) }, knownLocations: known,
      tell: { Issue.record("\($0)") })
  }

  private func ids(_ numbers: Int64...) -> Set<Product.ID> {
    Set(numbers.map(Product.ID.init(rawValue:)))
  }

  @Test func `what only one place can have kept is its own`() async {
    let file = open()

    #expect(await file.favoriteMarks(of: only).products == ids(65))
    #expect(await file.lastVisit(to: only)?.newest == Product.ID(rawValue: 66))
    #expect(await file.legacySharedData(of: only) == nil)
  }

  @Test func `an alert goes where it says that it belongs`() async {
    #expect(await open().alerts().map(\.market) == [hyphen])
  }

  @Test func `what two places had is nobody's until one is asked, whichever is opened`() async {
    for (here, other) in [(slash, hyphen), (hyphen, slash)] {
      let file = open()
      file.learn(KnownLocation(here))

      #expect(await file.favoriteMarks(of: here).products.isEmpty)
      #expect(await file.lastVisit(to: here) == nil)
      #expect(
        await file.legacySharedData(of: here) == LegacySharedData(former: former, others: [other]))
    }
  }

  @Test func `an answer moves it there, and nobody is asked again`() async {
    let file = open()

    let isMoved = await file.move(
      from: former, to: FavoriteMarket(key: hyphen, name: "a-b", location: hyphen.location))

    #expect(isMoved)
    let again = open()
    #expect(await again.favoriteMarks(of: hyphen).products == ids(65))
    #expect(await again.favoriteMarks(of: slash).products.isEmpty)
    #expect(await again.alerts().map(\.market) == [hyphen])
    for location in [slash, hyphen] { #expect(await again.legacySharedData(of: location) == nil) }
  }

  @Test func `where nothing names a second place, nobody is asked`() async throws {
    try folder.connection().execute("DELETE FROM wait")

    let file = open([KnownLocation(only)])

    #expect(await file.favoriteMarks(of: slash).products == ids(65))
    #expect(await file.legacySharedData(of: slash) == nil)
  }

  @Test func `a place that settings name is asked about`() async throws {
    try folder.connection().execute("DELETE FROM wait")

    let file = open([KnownLocation(hyphen)])

    #expect(await file.favoriteMarks(of: slash).products.isEmpty)
    #expect(
      await file.legacySharedData(of: slash) == LegacySharedData(former: former, others: [hyphen]))
  }

  @Test func `visits of which nothing tells the place are those of the first that is opened`()
    async throws
  {
    try folder.connection().execute(
      "DELETE FROM wait; DELETE FROM kept_product; DELETE FROM kept_market")
    let file = open()
    #expect(await file.lastVisit(to: hyphen) == nil)

    file.learn(KnownLocation(hyphen))

    #expect(await file.lastVisit(to: hyphen)?.newest == Product.ID(rawValue: 66))
    file.learn(KnownLocation(slash))
    #expect(await file.lastVisit(to: slash) == nil)
    #expect(await file.legacySharedData(of: slash) == nil)
  }

  @Test func `the name by which a file was opened then leads to what was kept`() async throws {
    try folder.connection().execute(
      """
      DELETE FROM wait; DELETE FROM kept_product; DELETE FROM kept_market;
      UPDATE market SET key = 'file-shop.sqlite' WHERE id = 1
      """)
    let file = open()

    file.learn(KnownLocation(file: "/home/hana/shop.sqlite", named: ["shop.sqlite"]))

    #expect(
      await file.lastVisit(to: MarketKey(rawValue: "/home/hana/shop.sqlite"))?.newest
        == Product.ID(rawValue: 66))
  }

  @Test func `the places of a file are known without a change of it, in either version`()
    async throws
  {
    #expect(Set(PersonalFile.locations(inFileAt: folder.path).map(\.key)) == [slash, hyphen, only])

    _ = await open().alerts()

    #expect(Set(PersonalFile.locations(inFileAt: folder.path).map(\.key)) == [slash, hyphen, only])
    #expect(PersonalFile.locations(inFileAt: folder.path + "-none").isEmpty)
  }

  @Test func `rows of that version are merged as they are`() async throws {
    var rows: [PersonalRow] = []
    let exported = try folder.connection()
    let table = try #require(try PersonalTable.all(exported).first { $0.name == "market" })
    try exported.forEach(SQL(table.selection)) { row throws(DatabaseError) in
      rows.append(PersonalRow(table: "market", columns: PersonalArchive.columns(of: row, table)))
      return true
    }
    let other = FolderOfTest()

    var rest = rows[...]
    _ = try PersonalArchive(at: other.path).merge(version: 4) { rest.popFirst() }

    #expect(rows.count == 2)
    let locations = try other.connection()
      .all("SELECT place FROM market ORDER BY id") { $0.text(0) }
    #expect(locations == [former.rawValue, "file--home-hana-only.sqlite"])
  }
}
