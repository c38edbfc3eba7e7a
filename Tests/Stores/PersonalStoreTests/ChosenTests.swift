import Expectations
import MarketModel
import SQLiteKit
import TestSupport
import Testing

@testable import PersonalStore

/// What a person chose to keep, told apart from what visits note by themselves.
struct ChosenTests {
  /// Tables that visits fill, or that belong to chosen rows.
  private static let others: Set<String> = [
    "market", "market_id", "visit", "visitor", "past_search", "seen_product", "seen_through",
    "price_point", "viewed_product", "favorite_market", "favorite_picture", "alert_product",
    "alert_market", "told_question",
  ]

  let folder = FolderOfTest()

  private func open() -> PersonalFile { folder.open() }

  @Test func `each table is either chosen or noted by visits`() async throws {
    _ = await open().pastSearches(atMost: 1)

    let tables = try folder.connection().all(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    ) { row in row.text(0) }

    expect(Set(tables), Self.others.union(PersonalFile.chosenTables))
  }

  @Test func `a file is told by its rows, and one that cannot be read by nothing`() async throws {
    expect(PersonalFile.hasChosen(in: folder.path), false)
    await open().didSearch(for: "bike")
    expect(PersonalFile.hasChosen(in: folder.path), false)
    #expect(await open().save(SavedSearch(name: "bikes", text: "bike")))
    expect(PersonalFile.hasChosen(in: folder.path), true)

    try FileContent(bytes: Array("neither".utf8)).write(to: folder.path)
    expect(PersonalFile.hasChosen(in: folder.path), nil)
  }

  @Test func `a file from before 1.0 is unknown, and one that was set aside is chosen`()
    async throws
  {
    await open().didSearch(for: "bike")
    try folder.connection().execute("PRAGMA user_version = 10")
    expect(PersonalFile.hasChosen(in: folder.path), nil)

    await open().didSearch(for: "bike")

    expect(PersonalFile.hasChosen(in: folder.path), true)
  }
}
