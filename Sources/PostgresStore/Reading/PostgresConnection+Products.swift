import MarketModel
import StoreCore

extension PostgresConnection {
  private static let productColumns = """
    product.id, product.seller, seller.name, product.name, product.currency, price, discount,
    stock, created, changed, picture.id, picture.hash
    """
  private static let productJoins = """
    JOIN seller ON seller.id = product.seller LEFT JOIN picture ON picture.id = product.thumbnail
    """

  /// The statement for the products that a query of ids and order columns finds, in its order.
  ///
  /// - Parameters:
  ///   - sql: the query, ordered.
  ///   - order: what it is ordered by.
  ///   - parameters: its values.
  /// - Returns: the statement; `StoredRow.product()` reads its rows.
  static func listing(
    _ sql: String, in order: ProductOrder, _ parameters: StatementParameters
  ) -> PostgresStatement {
    let columns = order.columns.map { "found." + $0 }.joined(separator: ", ")
    return PostgresStatement(
      """
      SELECT \(productColumns) FROM (\(sql)) AS found JOIN product ON product.id = found.id
      \(productJoins) ORDER BY \(columns)
      """, parameters.values, isPlannedAnew: true)
  }

  package func detail(of id: Product.ID) throws(PostgresError) -> ProductDetail? {
    try detail(of: id, lock: .none)
  }

  package func heldDetail(of id: Product.ID) throws(PostgresError) -> ProductDetail? {
    try detail(of: id, lock: .forChanging)
  }

  /// A product with everything its detail shows; nil where there is none.
  ///
  /// - Parameters:
  ///   - id: the product.
  ///   - lock: what keeps others from changing it until the transaction ends.
  ///   - end: `.commit` where the transaction ends with it.
  /// - Returns: the product.
  /// - Throws: what the database answered.
  func detail(
    of id: Product.ID, lock: RowLock, then end: [PostgresStatement] = []
  ) throws(PostgresError) -> ProductDetail? {
    let product = PostgresStatement(
      """
      SELECT \(Self.productColumns), version, description FROM product \(Self.productJoins)
      JOIN product_text ON product_text.product = product.id WHERE product.id = $1\(lock.rawValue)
      """, [.integer(id.rawValue)])
    let pictures = PostgresStatement(
      """
      SELECT picture.id, picture.hash FROM product_picture
      JOIN picture ON picture.id = product_picture.picture WHERE product = $1 ORDER BY place
      """, [.integer(id.rawValue)])
    let answers = try run([product, pictures] + end)
    guard let row = answers[0].first else { return nil }
    return ProductDetail(
      product: try row.product().orDamaged(), description: row.text(13, .description),
      pictures: answers[1].map { $0.picture(id: 0, hash: 1) }.compactMap(\.self),
      version: ProductVersion(rawValue: String(row.count(12))))
  }

  enum RowLock: String {
    case none = ""
    case forChanging = " FOR UPDATE OF product"
  }

  /// The bytes of a picture; nil where there is none of this hash.
  func file(
    ofPicture hash: [UInt8], _ rendition: PictureRendition
  ) throws(PostgresError) -> [UInt8]? {
    let column = rendition == .thumbnail ? "thumbnail" : "original"
    return try run(
      """
      SELECT \(column) FROM picture_file
      JOIN picture ON picture.id = picture_file.picture WHERE hash = $1
      """, [.bytes(hash)]
    ).first?.bytes(0)
  }
}

extension PostgresRows {
  /// Products by the columns that lists read.
  func products() throws(PostgresError) -> [Product] {
    try map { row throws(PostgresError) in try row.product().orDamaged() }
  }
}
