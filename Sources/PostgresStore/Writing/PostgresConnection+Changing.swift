import MarketModel
import StoreCore

extension PostgresConnection {
  package func apply(
    _ patch: ProductPatch, to old: ProductDetail, files: [PreparedPicture], now: Int64,
    words: SearchWords
  ) throws(PostgresError) {
    var new = old
    new.change(by: patch)
    try update(new.product, now: now)
    if new.description != old.description {
      try post(
        "UPDATE product_text SET description = $1 WHERE product = $2",
        [.text(new.description), .integer(old.id.rawValue)])
    }
    if let change = patch.pictures {
      try replacePictures(of: old, by: change, files: files)
    }
    let text = SearchableText(new, words: words)
    if text != SearchableText(old, words: words) { try index(old.id, text) }
    try add(BlockChanges(of: old.id, [(old.product.state, -1), (new.product.state, 1)]))
  }

  private func update(_ product: Product, now: Int64) throws(PostgresError) {
    guard let price = product.pricing.price else { return }
    try post(
      """
      UPDATE product SET name = $1, currency = $2, price = $3, discount = $4, percent = $5,
        stock = $6, changed = $7, version = version + 1
      WHERE id = $8
      """,
      [
        .text(product.name), .text(price.currency.rawValue), .integer(price.full.hundredths),
        .integer(price.discountHundredths), .integer(Int64(price.discountPercent)),
        .integer(product.stock), .integer(now), .integer(product.id.rawValue),
      ])
  }

  private func replacePictures(
    of old: ProductDetail, by change: ProductPatch.Pictures, files: [PreparedPicture]
  ) throws(PostgresError) {
    var new = try keep(files)[...]
    let keys = change.keys(over: old.pictures, files: files) { _ in new.popFirst() ?? 0 }
    try post("DELETE FROM product_picture WHERE product = $1", [.integer(old.id.rawValue)])
    try attach(keys, to: old.id.rawValue)
    try post(
      "UPDATE product SET thumbnail = $1 WHERE id = $2",
      [.integer(keys.first), .integer(old.id.rawValue)])
    try use(keys)
    try release(old.pictures.compactMap(\.number))
  }

  package func delete(_ detail: ProductDetail, words: SearchWords) throws(PostgresError) {
    let id = detail.id.rawValue
    let password = try key("DELETE FROM product WHERE id = $1 RETURNING password", [.integer(id)])
    try post("UPDATE password SET uses = uses - 1 WHERE id = $1", [.integer(password)])
    try post("DELETE FROM password WHERE id = $1 AND uses = 0", [.integer(password)])
    try release(detail.pictures.compactMap(\.number))
    try add(BlockChanges(of: detail.id, [(detail.product.state, -1)]))
  }
}
