import MarketModel
import MarketStore

/// Pictures are locked before their uses change, always in the order of their keys: so writers
/// that share some wait for each other and never in a ring.
extension PostgresConnection {
  /// Keeps the files of pictures, unless they are there already.
  ///
  /// - Parameter pictures: some of them may be the same.
  /// - Returns: their keys, locked; `use(_:)` counts what they are used for.
  /// - Throws: what the database answered.
  func keep(_ pictures: [PreparedPicture]) throws(PostgresError) -> [Int64] {
    let hashes = pictures.map { ContentHash.of($0.bytes) }
    var keys: [[UInt8]: Int64] = [:]
    let known = try run(
      "SELECT id, hash FROM picture WHERE hash = ANY ($1) ORDER BY id FOR UPDATE",
      [.blobs(hashes)])
    for (key, hash) in known.map({ ($0.integer(0), $0.bytes(1)) }) { keys[hash] = key }
    for (hash, picture) in zip(hashes, pictures) where keys[hash] == nil {
      // Not by ON CONFLICT, which would use up a number each time.
      let key = try key("INSERT INTO picture (hash) VALUES ($1) RETURNING id", [.bytes(hash)])
      try run(
        "INSERT INTO picture_file (picture, thumbnail, original) VALUES ($1, $2, $3)",
        [.integer(key), .bytes(picture.thumbnail), .bytes(picture.bytes)])
      keys[hash] = key
    }
    return hashes.map { keys[$0] ?? 0 }
  }

  /// Counts one more use of pictures for each time they are named.
  func use(_ pictures: [Int64]) throws(PostgresError) {
    try count(pictures, by: 1)
  }

  /// Counts one use less, and deletes those that no product has any more.
  func release(_ pictures: [Int64]) throws(PostgresError) {
    try count(pictures, by: -1)
    try run("DELETE FROM picture WHERE id = ANY ($1) AND uses = 0", [.integers(pictures)])
  }

  private func count(_ pictures: [Int64], by change: Int64) throws(PostgresError) {
    try run(
      "SELECT id FROM picture WHERE id = ANY ($1) ORDER BY id FOR UPDATE", [.integers(pictures)])
    try run(
      """
      UPDATE picture SET uses = uses + counted.change
      FROM (SELECT named.id, count(*) * $2 AS change FROM unnest($1) AS named (id) GROUP BY named.id)
        AS counted
      WHERE picture.id = counted.id
      """, [.integers(pictures), .integer(change)])
  }
}
