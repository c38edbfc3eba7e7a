import MarketModel
import StoreCore

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
    var new: [(hash: [UInt8], picture: PreparedPicture)] = []
    for (hash, picture) in zip(hashes, pictures) where keys[hash] == nil {
      keys[hash] = 0
      new.append((hash, picture))
    }
    guard !new.isEmpty else { return hashes.map { keys[$0] ?? 0 } }
    // Not by ON CONFLICT, which would use up a number each time.
    let added = try run(
      new.map {
        PostgresStatement("INSERT INTO picture (hash) VALUES ($1) RETURNING id", [.bytes($0.hash)])
      })
    for ((hash, picture), rows) in zip(new, added) {
      keys[hash] = rows.first?.integer(0)
      try post(
        "INSERT INTO picture_file (picture, thumbnail, original) VALUES ($1, $2, $3)",
        [.integer(keys[hash]), .bytes(picture.thumbnail), .bytes(picture.bytes)])
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
    try post("DELETE FROM picture WHERE id = ANY ($1) AND uses = 0", [.integers(pictures)])
  }

  private func count(_ pictures: [Int64], by change: Int64) throws(PostgresError) {
    try post(
      "SELECT id FROM picture WHERE id = ANY ($1) ORDER BY id FOR UPDATE", [.integers(pictures)])
    try post(
      """
      UPDATE picture SET uses = uses + counted.change
      FROM (SELECT named.id, count(*) * $2 AS change FROM unnest($1) AS named (id) GROUP BY named.id)
        AS counted
      WHERE picture.id = counted.id
      """, [.integers(pictures), .integer(change)])
  }
}
