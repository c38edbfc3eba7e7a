import MarketModel
import SQLiteKit

/// Table of pictures, each file stored once for all products, and of the leases of external files.
///
/// A picture exists while a product references it. Writers that reference it take a shared lock; one that
/// removes a reference, and finds no other, waits for them and checks again.
///
/// An external file is written under a lease, which a product turns into a reference, and is deleted only
/// by a garbage collection that has marked the lease: a marked lease can be neither renewed nor
/// referenced. So a referenced picture has its files even if a write fails in between. All times are those of
/// the database's clock.
/// - Throws: every call throws the `StoreError` of its statement.
package struct PictureTable {
  let database: any MarketDatabase

  /// SQL for the ids and hashes of a product's pictures, in order.
  static let ofProduct: SQL = """
    SELECT picture.id, picture.hash FROM product_picture
    JOIN picture ON picture.id = product_picture.picture WHERE product = $1 ORDER BY position
    """

  private static let ofProducts = DialectSQL { sql in
    """
    SELECT product, picture.id, picture.hash FROM product_picture
    JOIN picture ON picture.id = product_picture.picture
    WHERE \(sql.isAny("product", of: "$1")) ORDER BY product, position
    """
  }

  /// The names of the pictures of some products, in order.
  func names(ofProducts ids: [Int64]) throws(StoreError) -> [Int64: [String]] {
    var names: [Int64: [String]] = [:]
    guard !ids.isEmpty else { return names }
    try database.forEach(Self.ofProducts[database.dialect], [.integers(ids)]) { row in
      if let picture = row.picture(id: 1, hash: 2) {
        names[row.integer(0), default: []].append(picture.original)
      }
      return true
    }
    return names
  }

  private static let original: SQL = """
    SELECT original, outside FROM picture
    LEFT JOIN picture_file ON picture_file.picture = picture.id WHERE hash = $1
    """
  private static let thumbnail: SQL = """
    SELECT thumbnail, outside FROM picture
    LEFT JOIN picture_file ON picture_file.picture = picture.id WHERE hash = $1
    """

  /// One file of a picture; nil where there is no picture of this hash.
  package func file(
    of hash: [UInt8], _ rendition: PictureRendition
  ) throws(StoreError) -> StoredPictureFile? {
    try database.first(
      rendition == .thumbnail ? Self.thumbnail : Self.original, [.blob(hash)]
    ) { row in row.pictureFile(0, thumbnailHash: 1) } ?? nil
  }

  private static let locking = DialectSQL { sql in
    """
    SELECT id, hash FROM picture WHERE \(sql.isAny("hash", ofBlobs: "$1"))
    ORDER BY id\(sql.locking("FOR KEY SHARE"))
    """
  }

  /// Ids of the existing pictures among some hashes, by hash; keeps them from being deleted until the end of
  /// the transaction.
  package func lockedKeys(of hashes: [[UInt8]]) -> Reading<[[UInt8]: Int64]> {
    var keys: [[UInt8]: Int64] = [:]
    guard !hashes.isEmpty else { return Reading(keys) }
    let query = Query(Self.locking[database.dialect], [.blobs(hashes)]) { row in
      keys[row.blob(1)] = row.integer(0)
    }
    return Reading([query]) { keys }
  }

  /// Inserts pictures that are not stored yet.
  ///
  /// Returns the ids of all; equal pictures have the same one. External pictures must be leased.
  ///
  /// - Throws: `.conflict` where a lease has ended, since another transaction may have turned it into a
  ///   reference.
  package func insert(_ pictures: [StoredPicture]) throws(StoreError) -> [Int64] {
    let known = try database.read(lockedKeys(of: pictures.map(\.hash)))
    let keys = try database.read(inserting(pictures, knowing: known))
    try insertFiles(of: pictures, keys: keys, knowing: known)
    return keys
  }

  /// The ids of pictures, of which those that are not known are inserted without their files.
  ///
  /// `.conflict` where a lease has ended.
  func inserting(
    _ pictures: [StoredPicture], knowing known: [[UInt8]: Int64]
  ) -> Reading<[Int64]> {
    var keys = known
    var new: [StoredPicture] = []
    for picture in pictures where keys[picture.hash] == nil {
      keys[picture.hash] = 0
      new.append(picture)
    }
    // Not by ON CONFLICT, which would use up an id each time.
    var queries = new.map { picture in
      Query(
        "INSERT INTO picture (hash, outside) VALUES ($1, $2) RETURNING id",
        [.blob(picture.hash), .blob(picture.thumbnailHash)]
      ) { keys[picture.hash] = $0.integer(0) }
    }
    let leased = new.filter(\.isOutside).map(\.hash)
    var endedCount = 0
    if !leased.isEmpty {
      queries.append(
        Query(Self.endLeases[database.dialect], [.blobs(leased)]) { _ in endedCount += 1 })
    }
    return Reading(queries) { () throws(StoreError) in
      guard endedCount == leased.count else { throw .conflict }
      return pictures.map { keys[$0.hash] ?? 0 }
    }
  }

  /// Inserts the files of pictures that `inserting(_:knowing:)` has inserted.
  func insertFiles(
    of pictures: [StoredPicture], keys: [Int64], knowing known: [[UInt8]: Int64]
  ) throws(StoreError) {
    var inserted: Set<Int64> = []
    for (picture, key) in zip(pictures, keys) where known[picture.hash] == nil {
      guard case .inside(let original, let thumbnail) = picture.files else { continue }
      guard inserted.insert(key).inserted else { continue }
      try insertFiles(of: key, original: original, thumbnail: thumbnail)
    }
  }

  private func insertFiles(
    of key: Int64, original: [UInt8], thumbnail: [UInt8]
  ) throws(StoreError) {
    try database.post(
      "INSERT INTO picture_file (picture, thumbnail, original) VALUES ($1, $2, $3)",
      .integer(key), .blob(thumbnail), .blob(original))
  }

  private static let attaching = DialectSQL { sql in
    "INSERT INTO product_picture (product, position, picture) \(sql.values(3))"
  }

  /// Assigns pictures, in order, to products that have none.
  package func attach(_ pictures: [(product: Int64, keys: [Int64])]) throws(StoreError) {
    try database.post(
      Self.attaching[database.dialect],
      rows: pictures.flatMap { product, keys in
        keys.enumerated().map { position, key in
          [.integer(product), .integer(Int64(position)), .integer(key)]
        }
      })
  }

  /// Removes all pictures from a product; the caller releases them by `release(_:)`.
  func detach(from product: Int64) throws(StoreError) {
    try database.post("DELETE FROM product_picture WHERE product = $1", .integer(product))
  }

  /// Deletes those of some pictures that no product references any more; external ones are leased from then on.
  func release(_ pictures: [Int64]) throws(StoreError) {
    guard !pictures.isEmpty else { return }
    // Writers that remove a reference wait for each other, or each would see the other's product.
    try database.lock(
      "SELECT id FROM picture WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE",
      [.integers(pictures)])
    // Only then writers that add a reference are waited for: there may be more and more of them.
    try database.lock(Self.lockingUnused[.postgres], [.integers(pictures)])
    try database.post(Self.leasingUnused[database.dialect], .integers(pictures))
    try database.post(Self.deletingUnused[database.dialect], .integers(pictures))
  }

  private static func unused(_ sql: SQLDialect) -> String {
    """
    \(sql.isAny("picture.id", of: "$1"))
      AND NOT EXISTS (SELECT 1 FROM product_picture WHERE product_picture.picture = picture.id)
    """
  }
  private static let lockingUnused = DialectSQL { sql in
    "SELECT id FROM picture WHERE \(unused(sql)) ORDER BY id FOR UPDATE"
  }
  private static let leasingUnused = DialectSQL { sql in
    """
    INSERT INTO picture_lease (hash, at) SELECT hash, \(sql.now) FROM picture
    WHERE outside IS NOT NULL AND \(unused(sql))
    ON CONFLICT (hash) DO UPDATE SET at = excluded.at
    """
  }
  private static let deletingUnused = DialectSQL { sql in
    "DELETE FROM picture WHERE \(unused(sql))"
  }

  // MARK: Files outside

  private static let endLeases = DialectSQL { sql in
    "DELETE FROM picture_lease WHERE \(sql.isAny("hash", ofBlobs: "$1")) AND swept IS NULL RETURNING hash"
  }
  private static let leasing = DialectSQL { sql in
    """
    INSERT INTO picture_lease (hash, at) VALUES ($1, \(sql.now))
    ON CONFLICT (hash) DO UPDATE SET at = excluded.at WHERE picture_lease.swept IS NULL
    RETURNING hash
    """
  }
  private static let outside = DialectSQL { sql in
    """
    SELECT hash, outside FROM picture
    WHERE \(sql.isAny("hash", ofBlobs: "$1")) AND outside IS NOT NULL
    """
  }
  /// The condition stands twice: PostgreSQL evaluates the outer one again once it has locked a row.
  private static let marking = DialectSQL { sql in
    let isOld = "at <= \(sql.now) - $1 AND (swept IS NULL OR swept <= \(sql.now) - $2)"
    return """
      UPDATE picture_lease SET swept = \(sql.now) WHERE hash IN (
        SELECT hash FROM picture_lease WHERE \(isOld) ORDER BY at LIMIT $3)
      AND \(isOld) RETURNING hash
      """
  }
  private static let endingSweep = DialectSQL { sql in
    "DELETE FROM picture_lease WHERE \(sql.isAny("hash", ofBlobs: "$1")) AND swept IS NOT NULL"
  }

  /// Leases pictures whose files are to be written.
  ///
  /// Returns the hashes of the thumbnails of those that are already external, by the hashes of the
  /// pictures; nil where a garbage collection is about to delete one of them.
  func lease(_ hashes: [[UInt8]]) throws(StoreError) -> [[UInt8]: [UInt8]]? {
    var leasedCount = 0
    var thumbnails: [[UInt8]: [UInt8]] = [:]
    let leases = hashes.map { hash in
      Query(Self.leasing[database.dialect], [.blob(hash)]) { _ in leasedCount += 1 }
    }
    // After the leases, so that it sees what they have waited for.
    let outside = Query(Self.outside[database.dialect], [.blobs(hashes)]) {
      thumbnails[$0.blob(0)] = $0.blob(1)
    }
    try database.run(leases + [outside])
    return leasedCount == hashes.count ? thumbnails : nil
  }

  /// Deletes all leases, for a copy of the market that has no external files.
  package func deleteLeases() throws(StoreError) { try database.post("DELETE FROM picture_lease") }

  /// Marks leases older than `unusedSeconds`, and returns the hashes of unreferenced pictures and whether
  /// these were the last; marks that are older than a turn are taken over, since their server is presumed
  /// dead.
  func beginSweep(
    _ sweep: PictureGarbageCollection
  ) throws(StoreError) -> (hashes: [[UInt8]], isLast: Bool) {
    let marked = try database.all(
      Self.marking[database.dialect],
      [.integer(sweep.unusedSeconds), .integer(sweep.turnSeconds), .integer(Int64(sweep.size))]
    ) { $0.blob(0) }
    let used = try database.all(Self.outside[database.dialect], [.blobs(marked)]) { $0.blob(0) }
    if !used.isEmpty { try endSweep(used) }
    return (hashes: Array(Set(marked).subtracting(used)), isLast: marked.count < sweep.size)
  }

  /// Ends the leases of pictures whose files were deleted.
  func endSweep(_ hashes: [[UInt8]]) throws(StoreError) {
    _ = try database.count(Self.endingSweep[database.dialect], [.blobs(hashes)])
  }

  /// The next pictures after an id whose files are in the database, or external.
  package func pictures(
    after key: Int64, areOutside: Bool, atMost limit: Int
  ) throws(StoreError) -> [(number: Int64, hash: [UInt8])] {
    try database.all(
      """
      SELECT id, hash FROM picture WHERE id > $1 AND (outside IS NOT NULL) = ($2 = 1)
      ORDER BY id LIMIT $3
      """, [.integer(key), .integer(areOutside ? 1 : 0), .integer(Int64(limit))]
    ) { (number: $0.integer(0), hash: $0.blob(1)) }
  }

  /// Marks a picture as external, and deletes its files from the database; false where it was deleted or
  /// already moved.
  /// - Throws: `.conflict` where its lease has ended.
  func moveOut(_ hash: [UInt8], thumbnailHash: [UInt8]) throws(StoreError) -> Bool {
    let key = try database.integer(
      "UPDATE picture SET outside = $1 WHERE hash = $2 AND outside IS NULL RETURNING id",
      .blob(thumbnailHash), .blob(hash))
    guard let key else { return false }
    guard try database.count(Self.endLeases[database.dialect], [.blobs([hash])]) > 0 else {
      throw .conflict
    }
    try database.post("DELETE FROM picture_file WHERE picture = $1", .integer(key))
    return true
  }

  /// Inserts the files of an external picture into the database; false where it was deleted, already
  /// moved, or is being deleted.
  ///
  /// The external files are leased from then on, for readers that still use them.
  package func moveIn(
    _ hash: [UInt8], original: [UInt8], thumbnail: [UInt8]
  ) throws(StoreError) -> Bool {
    let key = try database.integer(
      "UPDATE picture SET outside = NULL WHERE hash = $1 AND outside IS NOT NULL RETURNING id",
      .blob(hash))
    guard let key else { return false }
    try insertFiles(of: key, original: original, thumbnail: thumbnail)
    return try lease([hash]) != nil
  }
}

/// Picture that products may reference: its files are inserted into the database with it, or are already
/// in the external storage.
package struct StoredPicture: Hashable, Sendable {
  package enum Files: Hashable, Sendable {
    case inside(original: [UInt8], thumbnail: [UInt8])
    /// In the external storage, with the hash by which the thumbnail is checked.
    case outside(thumbnailHash: [UInt8])
  }

  /// Hash of the original.
  package let hash: [UInt8]
  package let files: Files

  /// The picture with its files in the database.
  package static func inside(_ picture: PreparedPicture) -> StoredPicture {
    StoredPicture(
      hash: ContentHash.of(picture.bytes),
      files: .inside(original: picture.bytes, thumbnail: picture.thumbnail))
  }

  package var isOutside: Bool { thumbnailHash != nil }

  /// Hash of the thumbnail of an external picture; nil for one in the database.
  package var thumbnailHash: [UInt8]? {
    if case .outside(let hash) = files { hash } else { nil }
  }
}

/// One file of a picture as the database stores it.
package enum StoredPictureFile: Hashable, Sendable {
  case inside([UInt8])
  /// In the external storage, with the hash by which the thumbnail is checked.
  case outside(thumbnailHash: [UInt8])
}
