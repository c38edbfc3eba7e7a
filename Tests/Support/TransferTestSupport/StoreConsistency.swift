import Expectations
import SQLiteKit
import Testing

/// Statements that count what is wrong in tables that say something twice, as both databases take them.
package enum StoreConsistency {
  private static let ofProduct =
    "FROM question JOIN seller ON seller.id = question.asker AND seller.blocked = 0 "
    + "WHERE question.product = question_count.product"
  private static let shown = "(SELECT count(*) \(ofProduct))"
  package static let mistakes = [
    "SELECT count(*) FROM product WHERE id NOT IN (SELECT product FROM product_text)",
    "SELECT count(*) FROM product_text WHERE product NOT IN (SELECT id FROM product)",
    "SELECT count(*) FROM product_picture WHERE product NOT IN (SELECT id FROM product)",
    "SELECT count(*) FROM picture WHERE id NOT IN (SELECT picture FROM product_picture)",
    "SELECT count(*) FROM product_picture WHERE picture NOT IN (SELECT id FROM picture)",
    "SELECT count(*) FROM picture WHERE id NOT IN (SELECT picture FROM picture_file)",
    "SELECT count(*) FROM picture_file WHERE picture NOT IN (SELECT id FROM picture)",
    "SELECT count(*) FROM password WHERE uses = 0 OR uses <> "
      + "(SELECT count(*) FROM product WHERE password = password.id)",
    "SELECT count(*) FROM question_count WHERE asked <> \(shown) OR unanswered <> \(shown) "
      + "- (SELECT count(answer) \(ofProduct)) OR stored <> "
      + "(SELECT count(*) FROM question WHERE question.product = question_count.product)",
  ]
}

/// Checks that everything a market's file says twice says the same.
package func expectConsistent(
  _ path: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let connection = try SQLiteConnection(opening: path, .init())
  let mistakes =
    StoreConsistency.mistakes + [
      "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
      "SELECT count(*) FROM pragma_foreign_key_check",
    ]
  for sql in mistakes {
    try expect(connection.integer(SQL(sql)), 0, "\(sql)", sourceLocation: sourceLocation)
  }
  for state in 0...3 {
    for level in 0...2 {
      let counted = try connection.integer(
        "SELECT sum(state_\(state)) FROM block WHERE level = ?", .integer(Int64(level)))
      let there = try connection.integer(
        "SELECT count(*) FROM product WHERE state = ?", .integer(Int64(state)))
      expect(counted ?? 0, there, sourceLocation: sourceLocation)
    }
  }
  try connection.run(
    "INSERT INTO product_grams (product_grams) VALUES ('integrity-check')")
}
