import MarketModel
import SQLiteKit

/// What was asked, and the searches that have a name, over one connection.
struct SearchHistoryTable {
  /// Texts of the history that are remembered.
  static let pastLimit = 1_000
  /// Searches that can have a name.
  static let savedLimit = 500
  /// Bytes of the longest text and name.
  static let maxTextLength = 4_096
  static let maxNameLength = 400

  let connection: SQLiteConnection

  /// What was asked, the latest first.
  func past(atMost limit: Int) throws(DatabaseError) -> [String] {
    try connection.all(
      "SELECT text FROM history ORDER BY id DESC LIMIT ?",
      [.integer(Int64(min(max(0, limit), Self.pastLimit)))]
    ) { row in row.text(0, atMost: Self.maxTextLength) }
  }

  func add(_ text: String) throws(DatabaseError) {
    try connection.run("DELETE FROM history WHERE text = ?", .text(text))
    try connection.run("INSERT INTO history (text) VALUES (?)", .text(text))
    try connection.run(
      "DELETE FROM history WHERE id NOT IN (SELECT id FROM history ORDER BY id DESC LIMIT ?)",
      .integer(Int64(Self.pastLimit)))
  }

  /// The searches that have a name, by their names.
  func saved() throws(DatabaseError) -> [SavedSearch] {
    try connection.all(
      "SELECT name, text FROM saved_search ORDER BY name COLLATE NOCASE, name LIMIT ?",
      [.integer(Int64(Self.savedLimit))]
    ) { row in
      SavedSearch(
        name: row.text(0, atMost: Self.maxNameLength), text: row.text(1, atMost: Self.maxTextLength)
      )
    }
  }

  /// Keeps a search in the place of one of the same name; false where there are too many.
  func save(_ search: SavedSearch) throws(DatabaseError) -> Bool {
    let others = try connection.integer(
      "SELECT count(*) FROM saved_search WHERE name <> ?", .text(search.name))
    guard let others, others < Self.savedLimit else { return false }
    try connection.run(
      "INSERT OR REPLACE INTO saved_search (name, text) VALUES (?, ?)",
      .text(search.name), .text(search.text))
    return true
  }

  func forget(named name: String) throws(DatabaseError) {
    try connection.run("DELETE FROM saved_search WHERE name = ?", .text(name))
  }
}
