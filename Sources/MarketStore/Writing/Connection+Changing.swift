import MarketModel
import SQLiteKit

extension Connection {
  package func apply(
    _ patch: ProductPatch, to old: ProductDetail, files: [PreparedPicture], now: Int64,
    words grams: ProductGrams
  ) throws(DatabaseError) {
    let id = old.id.rawValue
    var new = old
    new.change(by: patch)
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
    let tokens = (old: grams.tokens(of: old), new: grams.tokens(of: new))
    if tokens.old != tokens.new {
      try unindex(id, tokens.old)
      try index(id, tokens.new)
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
    try unindex(id, grams.tokens(of: detail))
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

extension ProductGrams {
  /// The tokens that a stored product is indexed by.
  func tokens(of detail: ProductDetail) -> String {
    let seller = detail.product.seller
    return tokens(
      name: detail.product.name, description: detail.description,
      seller: (seller.id.rawValue, seller.name))
  }
}
