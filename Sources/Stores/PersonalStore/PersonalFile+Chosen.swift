import Glibc
import SQLiteKit

extension PersonalFile {
  /// Tables of what a person chose to keep: favorites, saved searches, alerts and what came of them.
  ///
  /// The other tables hold what visits note by themselves, or what belongs to these.
  static let chosenTables = ["kept_product", "kept_seller", "saved_search", "wait", "hit"]

  /// Whether a file holds anything that a person chose to keep; nil where that cannot be read.
  package static func hasChosen(in path: String) -> Bool? {
    var status = stat()
    if lstat(path, &status) != 0, errno == ENOENT { return false }
    do throws(DatabaseError) {
      let connection = try Connection(opening: path, Connection.Options(readsOnly: true))
      let tables = try connection.all("SELECT name FROM sqlite_schema WHERE type = 'table'") {
        row in row.text(0)
      }
      // Files of earlier versions lack some of them.
      for table in chosenTables where tables.contains(table) {
        if try connection.integer("SELECT 1 FROM \(table) LIMIT 1") != nil { return true }
      }
      return false
    } catch {
      return nil
    }
  }
}
