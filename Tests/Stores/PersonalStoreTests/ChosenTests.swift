import MarketModel
import SQLiteKit
import TestSupport
import Testing

@testable import PersonalStore

/// What a person chose to keep, told apart from what visits note by themselves.
@Suite struct ChosenTests {
  /// Tables that visits fill, or that belong to chosen rows.
  private static let others: Set<String> = [
    "market", "visit", "visitor", "history", "sight", "price_point", "seen_through", "market_id",
    "kept_market", "kept_picture", "viewed", "wait_known", "wait_market",
    "told_question",
  ]

  let folder = FolderOfTest()

  private func open() -> PersonalFile { folder.open() }

  @Test func `each table is either chosen or noted by visits`() async throws {
    _ = await open().pastSearches(atMost: 1)

    let tables = try folder.connection().all(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ) { row in row.text(0) }

    #expect(Set(tables) == Self.others.union(PersonalFile.chosenTables))
  }

  @Test func `a file is told by its rows, and one that cannot be read by nothing`() async throws {
    #expect(PersonalFile.hasChosen(in: folder.path) == false)
    await open().didSearch(for: "bike")
    #expect(PersonalFile.hasChosen(in: folder.path) == false)
    #expect(await open().save(SavedSearch(name: "bikes", text: "bike")))
    #expect(PersonalFile.hasChosen(in: folder.path) == true)

    try FileContent(bytes: Array("neither".utf8)).write(to: folder.path)
    #expect(PersonalFile.hasChosen(in: folder.path) == nil)
  }

  @Test func `a file of an earlier version, which lacks tables, is read as it is`() async throws {
    await open().didSearch(for: "bike")
    let file = try folder.connection()
    try file.execute("DROP TABLE kept_picture; DROP TABLE kept_product; DROP TABLE hit")

    #expect(PersonalFile.hasChosen(in: folder.path) == false)
    try file.execute("INSERT INTO saved_search VALUES ('bikes', 'bike')")
    #expect(PersonalFile.hasChosen(in: folder.path) == true)
  }
}
