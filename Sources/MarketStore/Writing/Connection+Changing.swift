import MarketModel
import SQLiteKit
import StoreCore

extension Connection {
  package func apply(
    _ patch: ProductPatch, to old: ProductDetail, files: [PreparedPicture], now: Int64,
    words grams: ProductGrams
  ) throws(DatabaseError) {
    let id = old.id.rawValue
    var new = old
    new.change(by: patch)
    let oldTexts = try indexedTexts(of: old.id).orDamaged()
    try update(new.product, now: now)
    if new.description != old.description {
      try run(
        "UPDATE product_text SET description = ? WHERE product = ?",
        .text(new.description), .integer(id))
    }
    if new.product.state != old.product.state {
      try count(id, state: old.product.state, by: -1)
      try count(id, state: new.product.state, by: 1)
    }
    if let change = patch.pictures {
      try replacePictures(of: old, by: change, files: files)
    }
    var newTexts = oldTexts
    (newTexts.name, newTexts.description) = (new.product.name, new.description)
    if newTexts != oldTexts {
      try unindex(id, grams.tokens(of: oldTexts))
      try index(id, grams.tokens(of: newTexts))
    }
  }

  private func update(_ product: Product, now: Int64) throws(DatabaseError) {
    guard let price = product.pricing.price else { return }
    try run(
      """
      UPDATE product SET name = ?, currency = ?, price = ?, discount = ?, percent = ?, stock = ?,
        changed = ?, version = version + 1
      WHERE id = ?
      """,
      .text(product.name), .text(price.currency.rawValue), .integer(price.full.hundredths),
      .integer(price.discountHundredths), .integer(Int64(price.discountPercent)),
      .integer(product.stock), .integer(now), .integer(product.id.rawValue))
  }

  private func replacePictures(
    of old: ProductDetail, by change: ProductPatch.Pictures, files: [PreparedPicture]
  ) throws(DatabaseError) {
    let keys = try change.keys(over: old.pictures, files: files) { file throws(DatabaseError) in
      try keep(file)
    }
    try detachPictures(of: old.id.rawValue)
    try attach(keys, to: old.id.rawValue)
    try run(
      "UPDATE product SET thumbnail = ? WHERE id = ?",
      .integer(orNull: keys.first), .integer(old.id.rawValue))
    try deleteUnusedPictures(among: old.pictures)
  }

  package func delete(_ detail: ProductDetail, words grams: ProductGrams) throws(DatabaseError) {
    let id = detail.id.rawValue
    let texts = try indexedTexts(of: detail.id).orDamaged()
    try detachPictures(of: id)
    try run(
      "UPDATE password SET uses = uses - 1 WHERE id = (SELECT password FROM product WHERE id = ?)",
      .integer(id))
    try run(
      """
      DELETE FROM password WHERE uses = 0 AND id = (SELECT password FROM product WHERE id = ?)
      """, .integer(id))
    try run("DELETE FROM product WHERE id = ?", .integer(id))
    try count(id, state: detail.product.state, by: -1)
    try unindex(id, grams.tokens(of: texts))
    try deleteUnusedPictures(among: detail.pictures)
  }

  private func detachPictures(of product: Int64) throws(DatabaseError) {
    let keys = try all(
      "SELECT picture FROM product_picture WHERE product = ?", [.integer(product)]
    ) { row in row.integer(0) }
    for key in keys {
      try run("UPDATE picture SET uses = uses - 1 WHERE id = ?", .integer(key))
    }
    try run("DELETE FROM product_picture WHERE product = ?", .integer(product))
  }

  private func deleteUnusedPictures(among pictures: [Picture]) throws(DatabaseError) {
    for number in pictures.compactMap(\.number) {
      try run("DELETE FROM picture WHERE id = ? AND uses = 0", .integer(number))
    }
  }
}

/// What a product is found by, as it is stored, uncut: the index forgets only what it was told.
struct IndexedTexts: Hashable {
  var name: String
  var description: String
  var seller: Int64
  var sellerName: String
}

extension Connection {
  /// Nil where there is no such product.
  func indexedTexts(of id: Product.ID) throws(DatabaseError) -> IndexedTexts? {
    try first(
      """
      SELECT product.name, description, product.seller, seller.name FROM product
      JOIN seller ON seller.id = product.seller
      LEFT JOIN product_text ON product_text.product = product.id WHERE product.id = ?
      """, [.integer(id.rawValue)]
    ) { row in
      // No request was ever longer.
      let bytes = 4 << 20
      return IndexedTexts(
        name: row.text(0, atMost: bytes), description: row.text(1, atMost: bytes),
        seller: row.integer(2), sellerName: row.text(3, atMost: bytes))
    }
  }
}

extension ProductGrams {
  /// The tokens that a stored product is indexed by.
  func tokens(of texts: IndexedTexts) -> String {
    tokens(
      name: texts.name, description: texts.description,
      seller: (texts.seller, texts.sellerName))
  }
}
