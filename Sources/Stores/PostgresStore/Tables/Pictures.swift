import MarketModel
import StoreCore

/// The table of pictures, each file once however many products show it.
///
/// Pictures are locked before their uses change, always in the order of their keys: so writers
/// that share some wait for each other and never in a ring.
struct Pictures {
  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  /// The statement for the pictures of a product, in order: numbers and hashes.
  static func ofProduct(_ id: Product.ID) -> PostgresStatement {
    PostgresStatement(
      """
      SELECT picture.id, picture.hash FROM product_picture
      JOIN picture ON picture.id = product_picture.picture WHERE product = $1 ORDER BY place
      """, [.integer(id.rawValue)])
  }

  /// The names of the pictures of some products, in order.
  func names(ofProducts ids: [Int64]) throws(PostgresError) -> [Int64: [String]] {
    var names: [Int64: [String]] = [:]
    let rows = try connection.run(
      """
      SELECT product, picture.id, picture.hash FROM product_picture
      JOIN picture ON picture.id = product_picture.picture
      WHERE product = ANY ($1) ORDER BY product, place
      """, [.integers(ids)])
    for (product, picture) in rows.map({ ($0.integer(0), $0.picture(id: 1, hash: 2)) }) {
      if let picture { names[product, default: []].append(picture.original) }
    }
    return names
  }

  /// The bytes of a picture; nil where there is none of this hash.
  func file(
    of hash: [UInt8], _ rendition: PictureRendition
  ) throws(PostgresError) -> [UInt8]? {
    let column = rendition == .thumbnail ? "thumbnail" : "original"
    return try connection.run(
      """
      SELECT \(column) FROM picture_file
      JOIN picture ON picture.id = picture_file.picture WHERE hash = $1
      """, [.bytes(hash)]
    ).first?.bytes(0)
  }

  /// Keys of the pictures that are there, by their hashes, locked.
  func keys(of hashes: [[UInt8]]) throws(PostgresError) -> [[UInt8]: Int64] {
    var keys: [[UInt8]: Int64] = [:]
    let known = try connection.run(
      "SELECT id, hash FROM picture WHERE hash = ANY ($1) ORDER BY id FOR UPDATE",
      [.blobs(hashes)])
    for (key, hash) in known.map({ ($0.integer(0), $0.bytes(1)) }) { keys[hash] = key }
    return keys
  }

  /// Keeps the files of pictures, unless they are there already.
  ///
  /// Returns their keys, locked; some may be the same. `use(_:)` counts what they are used for.
  func keep(_ pictures: [PreparedPicture]) throws(PostgresError) -> [Int64] {
    let hashes = pictures.map { ContentHash.of($0.bytes) }
    var keys = try keys(of: hashes)
    var new: [(hash: [UInt8], picture: PreparedPicture)] = []
    for (hash, picture) in zip(hashes, pictures) where keys[hash] == nil {
      keys[hash] = 0
      new.append((hash, picture))
    }
    guard !new.isEmpty else { return hashes.map { keys[$0] ?? 0 } }
    // Not by ON CONFLICT, which would use up a number each time.
    let added = try connection.run(
      new.map {
        PostgresStatement("INSERT INTO picture (hash) VALUES ($1) RETURNING id", [.bytes($0.hash)])
      })
    for ((hash, picture), rows) in zip(new, added) {
      keys[hash] = rows.first?.integer(0)
      try connection.post(
        "INSERT INTO picture_file (picture, thumbnail, original) VALUES ($1, $2, $3)",
        [.integer(keys[hash]), .bytes(picture.thumbnail), .bytes(picture.bytes)])
    }
    return hashes.map { keys[$0] ?? 0 }
  }

  /// Makes pictures those of a product that has none; `use(_:)` counts that.
  func attach(_ pictures: [Int64], to product: Int64) throws(PostgresError) {
    try connection.post(
      """
      INSERT INTO product_picture (product, place, picture)
      SELECT $1, place - 1, picture
      FROM unnest($2) WITH ORDINALITY AS listed (picture, place)
      """, [.integer(product), .integers(pictures)])
  }

  /// Counts one more use of pictures for each time they are named.
  func use(_ pictures: [Int64]) throws(PostgresError) {
    try count(pictures, by: 1)
  }

  /// Counts one use less, and deletes those that no product has any more.
  func release(_ pictures: [Int64]) throws(PostgresError) {
    try count(pictures, by: -1)
    try connection.post(
      "DELETE FROM picture WHERE id = ANY ($1) AND uses = 0", [.integers(pictures)])
  }

  private func count(_ pictures: [Int64], by change: Int64) throws(PostgresError) {
    try connection.post(
      "SELECT id FROM picture WHERE id = ANY ($1) ORDER BY id FOR UPDATE", [.integers(pictures)])
    try connection.post(
      """
      UPDATE picture SET uses = uses + counted.change
      FROM (SELECT named.id, count(*) * $2 AS change FROM unnest($1) AS named (id) GROUP BY named.id)
        AS counted
      WHERE picture.id = counted.id
      """, [.integers(pictures), .integer(change)])
  }
}
