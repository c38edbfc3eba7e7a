import MarketModel
import SQLiteKit

/// Writer of products: inserts, changes and deletes them with their dependent rows.
///
/// - Throws: every call throws the `StoreError` of its statement.
package struct ProductChanges {
  /// Columns of a new product that are known before its id and that of its first picture.
  private static let plain = ProductColumns.inserted.without([.id, .thumbnail])
  private static let insertion = SQL(
    once: """
      INSERT INTO product (\(plain.names), thumbnail)
      VALUES (\(plain.parameters(from: 1)), (SELECT id FROM picture WHERE hash = $\(plain.all.count + 1)))
      RETURNING id
      """)
  private static let insertionOfTexts = DialectSQL { sql in
    let columns = ProductColumns.insertedTexts
    return """
      INSERT INTO product_text (product, \(columns.names)) \(sql.values(columns.all.count + 1))
      """
  }
  private static let changeOfTexts = SQL(
    once: """
      UPDATE product_text SET \(ProductColumns.changedTexts.assignments(from: 2))
      WHERE product = $1
      """)
  private static let insertionOfPlaces = DialectSQL { sql in
    "INSERT INTO place_word (word, place) \(sql.values(2)) ON CONFLICT DO NOTHING"
  }
  private static let insertionOfPassword: SQL =
    "INSERT INTO password (hash, uses) VALUES ($1, 1) RETURNING id"

  let database: any MarketDatabase

  /// The id of a product that is inserted; `complete(_:_:_:)` adds the rest.
  ///
  /// `thumbnail` is the hash of the first picture, which must be stored; nil for none.
  func inserting(_ product: StoredProduct, thumbnail: [UInt8]?) -> Reading<Product.ID> {
    Reading(first: Self.insertion, Self.plain.values(of: product) + [.blob(thumbnail)]) {
      $0.integer(0)
    }.map { Product.ID(rawValue: $0 ?? 0) }
  }

  /// The key of a password hash that is inserted for one product.
  func insertingPassword(hash: String) -> Reading<Int64> {
    Reading(first: Self.insertionOfPassword, [.text(hash)]) { $0.integer(0) }
      .map { $0 ?? 0 }
  }

  /// Adds the dependent rows of a new product.
  func complete(
    _ id: Product.ID, _ product: StoredProduct, _ text: IndexText
  ) throws(StoreError) {
    try insertTexts([(id.rawValue, product)])
    try insertPlaces([product.product.place])
    try database.pictures.attach([(id.rawValue, product.pictures)])
    try database.addToIndex(id, text, of: Seller.ID(rawValue: product.seller))
    try database.countProduct(id, from: nil, to: product.state)
  }

  /// Inserts the words of new places, by which products are searched; nil and known places are ignored.
  ///
  /// A transaction inserts all its places at once, in order, so that no two wait for one another.
  package func insertPlaces(_ places: some Sequence<String?>) throws(StoreError) {
    let rows = Set(places).compactMap(\.self).flatMap { place in
      Set(PlaceKey.all(in: place)).map { ($0.text, place) }
    }
    guard !rows.isEmpty else { return }
    try database.post(
      Self.insertionOfPlaces[database.dialect],
      rows: rows.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map { [.text($0.0), .text($0.1)] })
  }

  /// Inserts the texts of new products.
  func insertTexts(_ products: [(id: Int64, product: StoredProduct)]) throws(StoreError) {
    try database.post(
      Self.insertionOfTexts[database.dialect],
      rows: products.map {
        [.integer($0.id)] + ProductColumns.insertedTexts.values(of: $0.product)
      })
  }

  /// Writes the changes of a valid patch to a locked product, and logs them.
  ///
  /// `files` are the new pictures of the patch, processed, in its order.
  /// - Throws: `.conflict` where a picture's lease has ended; the statements' other errors.
  package func apply(
    _ patch: ProductPatch, to old: ProductDetail, files: [StoredPicture], now: Int64,
    _ tokenizer: SearchTokenizer
  ) throws(StoreError) {
    var new = old
    new.change(by: patch)
    let oldTexts = try database.productTexts(of: old)
    try update(old, to: new, now: now)
    if new.product.place != old.product.place { try insertPlaces([new.product.place]) }
    if let change = patch.pictures { try replacePictures(of: old, by: change, files: files) }
    var newTexts = oldTexts
    (newTexts.name, newTexts.description) = (new.product.name, new.description)
    if newTexts != oldTexts {
      try database.changeIndex(of: old.id, from: oldTexts, to: newTexts, tokenizer)
    } else if new.product.pricing != old.product.pricing {
      try database.changePriceInIndex(of: old.id)
    }
    try database.countProduct(old.id, from: old.product.state, to: new.product.state)
    // The UPDATE increments the version.
    let version = old.version.flatMap { Int64($0.rawValue) } ?? 0
    let next = StoredNumbers.count(version + (new.product.pricing.price == nil ? 0 : 1))
    try database.log(.changed, old.id, version: next, of: old.product.seller.id)
  }

  private func update(
    _ old: ProductDetail, to new: ProductDetail, now: Int64
  ) throws(StoreError) {
    let id = SQLValue.integer(old.id.rawValue)
    let (before, after) = (StoredProduct(old, changed: now), StoredProduct(new, changed: now))
    if new.product.pricing.price != nil {
      let columns = ProductColumns.changed.written(from: before, to: after)
      try database.post(
        SQL(
          """
          UPDATE product SET \(columns.assignments(from: 2)), version = version + 1 WHERE id = $1
          """), [id] + columns.values(of: after))
    }
    let texts = ProductColumns.changedTexts.values(of: after)
    if texts != ProductColumns.changedTexts.values(of: before) {
      try database.post(Self.changeOfTexts, [id] + texts)
    }
  }

  private func replacePictures(
    of old: ProductDetail, by change: ProductPatch.Pictures, files: [StoredPicture]
  ) throws(StoreError) {
    let (pictures, id) = (database.pictures, old.id.rawValue)
    var new = try pictures.insert(files)[...]
    let keys = change.keys(over: old.pictures, files: files) { _ in new.popFirst() ?? 0 }
    try pictures.detach(from: id)
    try pictures.attach([(id, keys)])
    try database.post(
      "UPDATE product SET thumbnail = $1 WHERE id = $2", .integer(keys.first), .integer(id))
    try pictures.release(old.pictures.compactMap(\.number).filter { !keys.contains($0) })
  }

  /// Replaces the password of a locked product.
  func setPassword(of id: Product.ID, toHash hash: String) throws(StoreError) {
    let old = try database.integer(
      "SELECT password FROM product WHERE id = $1", .integer(id.rawValue))
    try database.post(
      "UPDATE product SET password = $1 WHERE id = $2",
      .integer(try database.read(insertingPassword(hash: hash))), .integer(id.rawValue))
    try releasePassword(old ?? 0)
  }

  /// Decrements the use count of a password hash, and deletes it without uses.
  func releasePassword(_ password: Int64) throws(StoreError) {
    try database.post("UPDATE password SET uses = uses - 1 WHERE id = $1", .integer(password))
    try database.post("DELETE FROM password WHERE id = $1 AND uses = 0", .integer(password))
  }

  /// Deletes a locked product with its dependent rows, and logs that.
  package func delete(_ detail: ProductDetail, _ tokenizer: SearchTokenizer) throws(StoreError) {
    let texts = try database.productTexts(of: detail)
    let password = try database.integer(
      "DELETE FROM product WHERE id = $1 RETURNING password", .integer(detail.id.rawValue))
    try releasePassword(password ?? 0)
    try database.pictures.release(detail.pictures.compactMap(\.number))
    try database.countProduct(detail.id, from: detail.product.state, to: nil)
    try database.changeIndex(of: detail.id, from: texts, to: nil, tokenizer)
    try database.log(.deleted, detail)
  }
}
