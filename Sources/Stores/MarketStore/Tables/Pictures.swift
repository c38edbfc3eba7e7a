import MarketModel
import SQLiteKit
import StoreCore

/// The table of pictures, each file once however many products show it.
struct Pictures {
  private let connection: Connection

  init(_ connection: Connection) {
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

  /// The bytes of a picture; nil where there is none of this hash.
  func file(
    of hash: [UInt8], _ rendition: PictureRendition
  ) throws(DatabaseError) -> [UInt8]? {
    let column = rendition == .thumbnail ? "thumbnail" : "original"
    return try connection.first(
      """
      SELECT \(column) FROM picture_file
      JOIN picture ON picture.id = picture_file.picture WHERE hash = ?
      """, [.blob(hash)]
    ) { row in row.bytes(0, atMost: StorageRules.keptPictureBytes) } ?? nil
  }

  /// The key of a picture; nil where there is none of this hash.
  func key(of hash: [UInt8]) throws(DatabaseError) -> Int64? {
    try connection.integer("SELECT id FROM picture WHERE hash = ?", .blob(hash))
  }

  /// Keeps a picture's file unless it is there already, and gives its key.
  func keep(_ picture: PreparedPicture) throws(DatabaseError) -> Int64 {
    let hash = ContentHash.of(picture.bytes)
    if let known = try key(of: hash) { return known }
    try connection.run("INSERT INTO picture (hash) VALUES (?)", .blob(hash))
    let key = connection.lastInsertedKey
    try connection.run(
      "INSERT INTO picture_file (picture, thumbnail, original) VALUES (?, ?, ?)",
      .integer(key), .blob(picture.thumbnail), .blob(picture.bytes))
    return key
  }

  /// Makes pictures those of a product, which has none; their uses are still to be counted.
  func place(_ pictures: [Int64], in product: Int64) throws(DatabaseError) {
    for (place, picture) in pictures.enumerated() {
      try connection.run(
        "INSERT INTO product_picture (product, place, picture) VALUES (?, ?, ?)",
        .integer(product), .integer(Int64(place)), .integer(picture))
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

  /// Deletes those of some pictures that no product has any more.
  func deleteUnused(among pictures: [Picture]) throws(DatabaseError) {
    for number in pictures.compactMap(\.number) {
      try connection.run("DELETE FROM picture WHERE id = ? AND uses = 0", .integer(number))
    }
  }
}
