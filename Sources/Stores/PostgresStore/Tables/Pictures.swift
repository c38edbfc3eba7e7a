import MarketModel
import StoreCore

/// The table of pictures, each file once however many products show it.
///
/// Pictures are locked before their uses change, always in the order of their keys: so writers
/// that share some wait for each other and never in a ring.
package struct Pictures {
  /// Seconds since 1970 by the clock that all servers share.
  private static let clock = "floor(extract(epoch FROM now()))::bigint"

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

  /// One file of a picture; nil where there is none of this hash.
  func file(
    of hash: [UInt8], _ rendition: PictureRendition
  ) throws(PostgresError) -> StoredPictureFile? {
    let column = rendition == .thumbnail ? "thumbnail" : "original"
    return try connection.run(
      """
      SELECT \(column), outside FROM picture
      LEFT JOIN picture_file ON picture_file.picture = picture.id WHERE hash = $1
      """, [.bytes(hash)]
    ).first?.pictureFile(0, thumbnailHash: 1)
  }

  /// Keys of the pictures that are there, by their hashes, locked.
  func keys(of hashes: [[UInt8]]) throws(PostgresError) -> [[UInt8]: Int64] {
    guard !hashes.isEmpty else { return [:] }
    return Self.keys(in: try connection.run(Self.holding(hashes)))
  }

  /// The statement for the pictures of some hashes that are there, which locks them; `keys(in:)` reads
  /// its rows.
  static func holding(_ hashes: [[UInt8]]) -> PostgresStatement {
    PostgresStatement(
      "SELECT id, hash FROM picture WHERE hash = ANY ($1) ORDER BY id FOR UPDATE",
      [.blobs(hashes)])
  }

  static func keys(in rows: PostgresRows) -> [[UInt8]: Int64] {
    var keys: [[UInt8]: Int64] = [:]
    for (key, hash) in rows.map({ ($0.integer(0), $0.bytes(1)) }) { keys[hash] = key }
    return keys
  }

  /// Keeps the files of pictures, unless they are there already.
  ///
  /// Returns their keys, locked; some may be the same. `use(_:)` counts what they are used for. Those
  /// that are outside are leased; `.conflict` is thrown where one is not any more, since somebody else
  /// may have made a reference of its lease.
  func keep(_ pictures: [StoredPicture]) throws(PostgresError) -> [Int64] {
    try keep(pictures, knowing: try keys(of: pictures.map(\.hash)), along: []).keys
  }

  /// The same where the keys of those that are there are known; runs other statements along behind the
  /// pictures, and gives their rows too.
  func keep(
    _ pictures: [StoredPicture], knowing known: [[UInt8]: Int64], along others: [PostgresStatement]
  ) throws(PostgresError) -> (keys: [Int64], others: [PostgresRows]) {
    let hashes = pictures.map(\.hash)
    var keys = known
    var new: [StoredPicture] = []
    for picture in pictures where keys[picture.hash] == nil {
      keys[picture.hash] = 0
      new.append(picture)
    }
    let leased = new.filter(\.isOutside).map(\.hash)
    let leases = leased.isEmpty ? [] : [Self.endLeases(of: leased)]
    // Not by ON CONFLICT, which would use up a number each time.
    let statements = new.map(Self.insertion) + leases + others
    guard !statements.isEmpty else { return (hashes.map { keys[$0] ?? 0 }, []) }
    let answers = try connection.run(statements)
    guard leases.isEmpty || answers[new.count].count == leased.count else { throw .conflict }
    for (picture, rows) in zip(new, answers) {
      keys[picture.hash] = rows.first?.integer(0)
      if case .inside(let original, let thumbnail) = picture.files {
        try connection.post(
          "INSERT INTO picture_file (picture, thumbnail, original) VALUES ($1, $2, $3)",
          [.integer(keys[picture.hash]), .bytes(thumbnail), .bytes(original)])
      }
    }
    return (hashes.map { keys[$0] ?? 0 }, answers.suffix(others.count))
  }

  private static func insertion(of picture: StoredPicture) -> PostgresStatement {
    var thumbnailHash: [UInt8]?
    if case .outside(let hash) = picture.files { thumbnailHash = hash }
    return PostgresStatement(
      "INSERT INTO picture (hash, outside) VALUES ($1, $2) RETURNING id",
      [.bytes(picture.hash), .bytes(thumbnailHash)])
  }

  private static func endLeases(of hashes: [[UInt8]]) -> PostgresStatement {
    PostgresStatement(
      "DELETE FROM picture_lease WHERE hash = ANY ($1) AND swept IS NULL RETURNING hash",
      [.blobs(hashes)])
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

  /// Counts one use less, and deletes those that no product has any more; files outside are leased
  /// from now on.
  func release(_ pictures: [Int64]) throws(PostgresError) {
    try count(pictures, by: -1)
    try connection.post(
      """
      INSERT INTO picture_lease (hash, at) SELECT hash, \(Self.clock) FROM picture
      WHERE id = ANY ($1) AND uses = 0 AND outside IS NOT NULL
      ON CONFLICT (hash) DO UPDATE SET at = excluded.at
      """, [.integers(pictures)])
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

// MARK: Files outside

extension Pictures: PictureTable {
  package func lease(_ hashes: [[UInt8]]) throws(PostgresError) -> [[UInt8]: [UInt8]]? {
    // Two statements for one answer to wait for: the second one sees what the first has waited for.
    let answers = try connection.run([
      PostgresStatement(
        """
        INSERT INTO picture_lease (hash, at) SELECT hash, \(Self.clock)
        FROM unnest($1) AS listed (hash)
        ON CONFLICT (hash) DO UPDATE SET at = excluded.at WHERE picture_lease.swept IS NULL
        RETURNING hash
        """, [.blobs(hashes)]),
      PostgresStatement(
        "SELECT hash, outside FROM picture WHERE hash = ANY ($1) AND outside IS NOT NULL",
        [.blobs(hashes)]),
    ])
    guard answers[0].count == hashes.count else { return nil }
    return Dictionary(answers[1].map { ($0.bytes(0), $0.bytes(1)) }) { first, _ in first }
  }

  package func beginSweep(_ sweep: PictureGarbageCollection) throws(PostgresError)
    -> PictureGarbageCollection.Turn
  {
    let isCollectible = """
      at <= \(Self.clock) - $1 AND (swept IS NULL OR swept <= \(Self.clock) - $2)
      """
    // The condition stands twice: it is looked at again once a row is locked.
    let marked = try connection.run(
      """
      UPDATE picture_lease SET swept = \(Self.clock) WHERE hash IN (
        SELECT hash FROM picture_lease WHERE \(isCollectible) ORDER BY at LIMIT $3)
      AND \(isCollectible) RETURNING hash
      """,
      [
        .integer(sweep.restSeconds), .integer(sweep.turnSeconds), .integer(Int64(sweep.size)),
      ]
    ).map { $0.bytes(0) }
    let used = try connection.run(
      "SELECT hash FROM picture WHERE hash = ANY ($1) AND outside IS NOT NULL", [.blobs(marked)]
    ).map { $0.bytes(0) }
    if !used.isEmpty { try endSweep(used) }
    return PictureGarbageCollection.Turn(
      hashes: Array(Set(marked).subtracting(used)), isLast: marked.count < sweep.size)
  }

  package func endSweep(_ hashes: [[UInt8]]) throws(PostgresError) {
    try connection.run(
      "DELETE FROM picture_lease WHERE hash = ANY ($1) AND swept IS NOT NULL", [.blobs(hashes)])
  }

  package func pictures(
    after key: Int64, areOutside: Bool, atMost limit: Int
  ) throws(PostgresError) -> [PictureKey] {
    try connection.run(
      """
      SELECT id, hash FROM picture WHERE id > $1 AND (outside IS NOT NULL) = ($2 = 1)
      ORDER BY id LIMIT $3
      """, [.integer(key), .integer(areOutside ? 1 : 0), .integer(Int64(limit))]
    ).map { PictureKey(number: $0.integer(0), hash: $0.bytes(1)) }
  }

  package func moveOut(
    _ hash: [UInt8], thumbnailHash: [UInt8]
  ) throws(PostgresError) -> Bool {
    let moved = try connection.run(
      "UPDATE picture SET outside = $1 WHERE hash = $2 AND outside IS NULL RETURNING id",
      [.bytes(thumbnailHash), .bytes(hash)])
    guard let key = moved.first?.integer(0) else { return false }
    guard try connection.run(Self.endLeases(of: [hash])).first != nil else { throw .conflict }
    try connection.post("DELETE FROM picture_file WHERE picture = $1", [.integer(key)])
    return true
  }

  package func moveIn(
    _ hash: [UInt8], original: [UInt8], thumbnail: [UInt8]
  ) throws(PostgresError) -> Bool {
    let moved = try connection.run(
      "UPDATE picture SET outside = NULL WHERE hash = $1 AND outside IS NOT NULL RETURNING id",
      [.bytes(hash)])
    guard let key = moved.first?.integer(0) else { return false }
    try connection.post(
      "INSERT INTO picture_file (picture, thumbnail, original) VALUES ($1, $2, $3)",
      [.integer(key), .bytes(thumbnail), .bytes(original)])
    return try lease([hash]) != nil
  }
}
