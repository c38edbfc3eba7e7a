import MarketModel
import SQLiteKit
import StoreCore

/// The table of pictures, each file once however many products show it.
package struct Pictures {
  private let connection: SQLiteConnection

  init(_ connection: SQLiteConnection) {
    self.connection = connection
  }

  /// The pictures of a product, in order.
  func pictures(of product: Int64) throws(DatabaseError) -> [Picture] {
    try connection.all(
      """
      SELECT picture.id, picture.hash FROM product_picture
      JOIN picture ON picture.id = product_picture.picture WHERE product = ? ORDER BY place
      """, [.integer(product)]
    ) { row in row.picture(id: 0, hash: 1) }.compactMap(\.self)
  }

  /// One file of a picture; nil where there is none of this hash.
  func file(
    of hash: [UInt8], _ rendition: PictureRendition
  ) throws(DatabaseError) -> StoredPictureFile? {
    let column = rendition == .thumbnail ? "thumbnail" : "original"
    return try connection.first(
      """
      SELECT \(column), outside FROM picture
      LEFT JOIN picture_file ON picture_file.picture = picture.id WHERE hash = ?
      """, [.blob(hash)]
    ) { row in row.pictureFile(0, thumbnailHash: 1) } ?? nil
  }

  /// The key of a picture; nil where there is none of this hash.
  func key(of hash: [UInt8]) throws(DatabaseError) -> Int64? {
    try connection.integer("SELECT id FROM picture WHERE hash = ?", .blob(hash))
  }

  /// Keeps a picture's file unless it is there already, and gives its key.
  ///
  /// One that is outside is leased; `.busy` is thrown where it is not any more.
  func keep(_ picture: StoredPicture) throws(DatabaseError) -> Int64 {
    if let known = try key(of: picture.hash) { return known }
    switch picture.files {
    case .inside(let original, let thumbnail):
      try connection.run("INSERT INTO picture (hash) VALUES (?)", .blob(picture.hash))
      let key = connection.lastInsertedKey
      try insertFiles(of: key, original: original, thumbnail: thumbnail)
      return key
    case .outside(let thumbnailHash):
      try endLease(of: picture.hash)
      try connection.run(
        "INSERT INTO picture (hash, outside) VALUES (?, ?)",
        .blob(picture.hash), .blob(thumbnailHash))
      return connection.lastInsertedKey
    }
  }

  private func insertFiles(
    of key: Int64, original: [UInt8], thumbnail: [UInt8]
  ) throws(DatabaseError) {
    try connection.run(
      "INSERT INTO picture_file (picture, thumbnail, original) VALUES (?, ?, ?)",
      .integer(key), .blob(thumbnail), .blob(original))
  }

  /// Makes pictures those of a product, which has none; their uses are still to be counted.
  func place(_ pictures: [Int64], in product: Int64) throws(DatabaseError) {
    for (position, picture) in pictures.enumerated() {
      try connection.run(
        "INSERT INTO product_picture (product, place, picture) VALUES (?, ?, ?)",
        .integer(product), .integer(Int64(position)), .integer(picture))
    }
  }

  /// Counts uses of a picture in (`+1`) or out (`-1`).
  func use(_ picture: Int64, by change: Int64) throws(DatabaseError) {
    try connection.run(
      "UPDATE picture SET uses = uses + ? WHERE id = ?", .integer(change), .integer(picture))
  }

  /// Takes its pictures from a product.
  func detach(from product: Int64) throws(DatabaseError) {
    let keys = try connection.all(
      "SELECT picture FROM product_picture WHERE product = ?", [.integer(product)]
    ) { row in row.integer(0) }
    for key in keys { try use(key, by: -1) }
    try connection.run("DELETE FROM product_picture WHERE product = ?", .integer(product))
  }

  /// Deletes those of some pictures that no product has any more; files outside are leased from now
  /// on.
  func deleteUnused(among pictures: [Picture]) throws(DatabaseError) {
    for number in pictures.compactMap(\.number) {
      try connection.run(
        """
        INSERT INTO picture_lease (hash, at) SELECT hash, unixepoch() FROM picture
        WHERE id = ? AND uses = 0 AND outside IS NOT NULL
        ON CONFLICT (hash) DO UPDATE SET at = excluded.at
        """, .integer(number))
      try connection.run("DELETE FROM picture WHERE id = ? AND uses = 0", .integer(number))
    }
  }
}

// MARK: Files outside

extension Pictures: PictureTable {
  package func lease(_ hashes: [[UInt8]]) throws(DatabaseError) -> [[UInt8]: [UInt8]]? {
    var thumbnails: [[UInt8]: [UInt8]] = [:]
    for hash in hashes {
      let count = try connection.run(
        """
        INSERT INTO picture_lease (hash, at) VALUES (?, unixepoch())
        ON CONFLICT (hash) DO UPDATE SET at = excluded.at WHERE swept IS NULL
        """, .blob(hash))
      guard count > 0 else { return nil }
      thumbnails[hash] = try connection.first(
        "SELECT outside FROM picture WHERE hash = ? AND outside IS NOT NULL", [.blob(hash)]
      ) { row in row.blob(0) }
    }
    return thumbnails
  }

  private func endLease(of hash: [UInt8]) throws(DatabaseError) {
    let count = try connection.run(
      "DELETE FROM picture_lease WHERE hash = ? AND swept IS NULL", .blob(hash))
    guard count > 0 else { throw .busy }
  }

  /// Forgets all that was outside.
  func endLeases() throws(DatabaseError) { try connection.run("DELETE FROM picture_lease") }

  package func beginSweep(_ sweep: PictureGarbageCollection) throws(DatabaseError)
    -> PictureGarbageCollection.Turn
  {
    let marked = try connection.all(
      """
      UPDATE picture_lease SET swept = unixepoch() WHERE hash IN (
        SELECT hash FROM picture_lease
        WHERE at <= unixepoch() - ? AND (swept IS NULL OR swept <= unixepoch() - ?)
        ORDER BY at LIMIT ?)
      RETURNING hash
      """,
      [.integer(sweep.restSeconds), .integer(sweep.turnSeconds), .integer(Int64(sweep.size))]
    ) { row in row.blob(0) }
    var turn = PictureGarbageCollection.Turn(hashes: [], isLast: marked.count < sweep.size)
    for hash in marked {
      let use = try connection.integer(
        "SELECT 1 FROM picture WHERE hash = ? AND outside IS NOT NULL", .blob(hash))
      if use == nil { turn.hashes.append(hash) } else { try endSweep([hash]) }
    }
    return turn
  }

  package func endSweep(_ hashes: [[UInt8]]) throws(DatabaseError) {
    for hash in hashes {
      try connection.run(
        "DELETE FROM picture_lease WHERE hash = ? AND swept IS NOT NULL", .blob(hash))
    }
  }

  package func pictures(
    after key: Int64, areOutside: Bool, atMost limit: Int
  ) throws(DatabaseError) -> [PictureKey] {
    try connection.all(
      """
      SELECT id, hash FROM picture WHERE id > ? AND (outside IS NOT NULL) = ?
      ORDER BY id LIMIT ?
      """, [.integer(key), .integer(areOutside ? 1 : 0), .integer(Int64(limit))]
    ) { row in PictureKey(number: row.integer(0), hash: row.blob(1)) }
  }

  package func moveOut(
    _ hash: [UInt8], thumbnailHash: [UInt8]
  ) throws(DatabaseError) -> Bool {
    let count = try connection.run(
      "UPDATE picture SET outside = ? WHERE hash = ? AND outside IS NULL",
      .blob(thumbnailHash), .blob(hash))
    guard count > 0 else { return false }
    try endLease(of: hash)
    try connection.run(
      "DELETE FROM picture_file WHERE picture = (SELECT id FROM picture WHERE hash = ?)",
      .blob(hash))
    return true
  }

  package func moveIn(
    _ hash: [UInt8], original: [UInt8], thumbnail: [UInt8]
  ) throws(DatabaseError) -> Bool {
    let count = try connection.run(
      "UPDATE picture SET outside = NULL WHERE hash = ? AND outside IS NOT NULL", .blob(hash))
    guard count > 0, let key = try key(of: hash) else { return false }
    try insertFiles(of: key, original: original, thumbnail: thumbnail)
    return try lease([hash]) != nil
  }
}
