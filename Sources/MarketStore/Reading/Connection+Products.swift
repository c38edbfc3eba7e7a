import MarketModel
import SQLiteKit
import StoreCore

extension Connection {
  /// A product as lists show it; nil where there is none.
  func product(_ id: Product.ID) throws(DatabaseError) -> Product? {
    try first(
      """
      SELECT product.id, product.seller, seller.name, product.name, currency, price, discount,
        stock, created, changed, picture.id, picture.hash
      FROM product JOIN seller ON seller.id = product.seller
      LEFT JOIN picture ON picture.id = product.thumbnail
      WHERE product.id = ?
      """, [.integer(id.rawValue)]
    ) { row throws(DatabaseError) in try row.product().orDamaged() }
  }

  /// Whoever writes has the file for itself.
  package func heldDetail(of id: Product.ID) throws(DatabaseError) -> ProductDetail? {
    try detail(of: id)
  }

  package func detail(of id: Product.ID) throws(DatabaseError) -> ProductDetail? {
    guard let product = try product(id) else { return nil }
    let rest = try first(
      """
      SELECT description, version FROM product
      JOIN product_text ON product_text.product = product.id WHERE product.id = ?
      """, [.integer(id.rawValue)]
    ) { row in (description: row.text(0, .description), version: row.count(1)) }
    let pictures = try all(
      """
      SELECT picture.id, picture.hash FROM product_picture
      JOIN picture ON picture.id = product_picture.picture
      WHERE product = ? ORDER BY place
      """, [.integer(id.rawValue)]
    ) { row in row.picture(id: 0, hash: 1) }.compactMap(\.self)
    return ProductDetail(
      product: product, description: rest?.description ?? "", pictures: pictures,
      version: ProductVersion(rawValue: String(rest?.version ?? 0)))
  }

  /// The bytes of a picture; nil where there is none of this hash.
  func file(ofPicture hash: [UInt8], _ rendition: PictureRendition) throws(DatabaseError)
    -> [UInt8]?
  {
    let column = rendition == .thumbnail ? "thumbnail" : "original"
    return try first(
      """
      SELECT \(column) FROM picture_file
      JOIN picture ON picture.id = picture_file.picture WHERE hash = ?
      """, [.blob(hash)]
    ) { row in row.bytes(0, atMost: StorageRules.keptPictureBytes) } ?? nil
  }
}
