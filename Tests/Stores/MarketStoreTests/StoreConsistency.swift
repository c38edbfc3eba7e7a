import SQLiteKit
import Testing

/// Checks that everything a market's file says twice says the same.
func expectConsistent(
  _ path: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let connection = try SQLiteConnection(opening: path, .init())
  let counts = [
    "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
    "SELECT count(*) FROM pragma_foreign_key_check",
    "SELECT count(*) <> (SELECT count(*) FROM product_text) FROM product",
    """
    SELECT count(*) FROM picture WHERE uses = 0 OR uses <>
      (SELECT count(*) FROM product_picture WHERE picture = picture.id)
    """,
    "SELECT count(*) <> (SELECT count(*) FROM picture) FROM picture_file",
    """
    SELECT count(*) FROM password WHERE uses = 0 OR uses <>
      (SELECT count(*) FROM product WHERE password = password.id)
    """,
  ]
  for sql in counts {
    #expect(try connection.integer(sql) == 0, "\(sql)", sourceLocation: sourceLocation)
  }
  for state in 0...3 {
    for level in 0...2 {
      let counted = try connection.integer(
        "SELECT sum(state_\(state)) FROM block WHERE level = ?", .integer(Int64(level)))
      let there = try connection.integer(
        "SELECT count(*) FROM product WHERE state = ?", .integer(Int64(state)))
      #expect((counted ?? 0) == there, sourceLocation: sourceLocation)
    }
  }
  try connection.run(
    "INSERT INTO product_grams (product_grams) VALUES ('integrity-check')")
}
