import MarketModel
import SQLiteKit
import StoreCore

/// Previous names of sellers by which some of their products are still indexed.
///
/// - Throws: every call throws the `StoreError` of its statement.
extension SQLiteDatabase {
  /// SQL expression of the name by which a row of `product` is indexed, for a seller without another row.
  static let indexedSellerName = """
    coalesce((SELECT previous_seller_name.name FROM previous_seller_name
      WHERE previous_seller_name.seller = product.seller AND last >= product.id
      ORDER BY last LIMIT 1), seller.name)
    """

  package func setName(of seller: Seller, to name: String) throws(StoreError) {
    // As it is stored, uncut.
    let previous = try self.name(of: seller.id) ?? seller.name
    try post(
      "INSERT OR IGNORE INTO previous_seller_name (seller, last, name) VALUES ($1, $2, $3)",
      .integer(seller.id.rawValue), .integer(.max), .text(previous))
    try sellers.setName(of: seller, to: name)
  }

  private func name(of seller: Seller.ID) throws(StoreError) -> String? {
    try first("SELECT name FROM seller WHERE id = $1", [.integer(seller.rawValue)]) { row in
      row.text(0, atMost: ProductTexts.bytes)
    }
  }

  /// Rows that only a forged file can contain are skipped, since they could not be deleted.
  package func nextRenamed() throws(StoreError) -> (seller: Seller.ID, last: Int64)? {
    try first(
      """
      SELECT seller, last FROM previous_seller_name WHERE typeof(seller) = 'integer'
      ORDER BY seller DESC, last DESC LIMIT 1
      """
    ) { row in (seller: Seller.ID(rawValue: row.integer(0)), last: row.integer(1)) }
  }

  package func hasPreviousNames() throws(StoreError) -> Bool {
    try integer(
      "SELECT 1 FROM previous_seller_name WHERE typeof(seller) = 'integer' LIMIT 1") != nil
  }

  package func indexName(
    of seller: Seller.ID, in products: [Product.ID], _ tokenizer: SearchTokenizer
  ) throws(StoreError) {
    guard let name = try name(of: seller) else { return }
    for product in products {
      guard let old = try indexedTexts(of: product), old.sellerName != name else { continue }
      var new = old
      new.sellerName = name
      try changeIndex(of: product, from: old, to: new, tokenizer)
    }
  }

  package func recordPreviousNames(of seller: Seller.ID, upTo last: Int64?) throws(StoreError) {
    let (seller, last) = (SQLValue.integer(seller.rawValue), SQLValue.integer(last))
    if last != .null {
      // Those up to it have the name that they had; only a forged file holds none.
      try post(
        """
        INSERT OR IGNORE INTO previous_seller_name (seller, last, name) SELECT $1, $2, coalesce(
          (SELECT name FROM previous_seller_name WHERE seller = $1 AND last >= $2
            ORDER BY last LIMIT 1), '')
        """, seller, last)
    }
    try post(
      "DELETE FROM previous_seller_name WHERE seller = $1 AND ($2 IS NULL OR last > $2)", seller,
      last)
  }
}
