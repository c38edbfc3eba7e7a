import MarketModel
import StoreCore

/// Reader of single products and pictures.
package struct ProductQueries: ProductReading {
  private static let joins = """
    JOIN seller ON seller.id = product.seller LEFT JOIN picture ON picture.id = product.thumbnail
    """
  private static let detailed = ProductColumn.listed + ProductColumn.detailed
  private static let detail = """
    SELECT \(detailed.selection) FROM product \(joins)
    JOIN product_text ON product_text.product = product.id WHERE product.id = $1
    """
  private static let hold = "SELECT 1 FROM product WHERE id = $1 FOR UPDATE"

  private let connection: PostgresConnection

  init(_ connection: PostgresConnection) {
    self.connection = connection
  }

  /// The statement for the products that a query of ids and order columns finds, in its order.
  ///
  /// `products(in:)` reads its rows.
  static func listing(
    _ sql: String, in order: StoredOrder, _ parameters: StatementParameters,
    isPlannedAnew: Bool = true
  ) -> PostgresStatement {
    PostgresStatement(
      """
      SELECT \(ProductColumn.listed.selection) FROM (\(sql)) AS found
      JOIN product ON product.id = found.id \(joins)
      ORDER BY \(order.terms(of: "found").joined(separator: ", "))
      """, parameters.values, isPlannedAnew: isPlannedAnew)
  }

  /// Products by the columns that lists read.
  static func products(in rows: PostgresRows) throws(PostgresError) -> [Product] {
    try rows.map { row throws(PostgresError) in
      try ProductColumn.listed.product(in: row).listed.orDamaged()
    }
  }

  package func listed(_ ids: [Product.ID]) throws(PostgresError) -> [Product] {
    try listed(ids, in: StoredOrder(.newest))
  }

  /// The products of some ids, in an order.
  func listed(_ ids: [Product.ID], in order: StoredOrder) throws(PostgresError) -> [Product] {
    guard !ids.isEmpty else { return [] }
    let columns = (["id"] + order.placeColumns).joined(separator: ", ")
    var parameters = StatementParameters()
    let list = parameters.add(.integers(ids.map(\.rawValue)))
    let sql = "SELECT \(columns) FROM product WHERE id = ANY (\(list))"
    return try Self.products(
      in: try connection.run(Self.listing(sql, in: order, parameters, isPlannedAnew: false)))
  }

  package func detail(of id: Product.ID) throws(PostgresError) -> ProductDetail? {
    try detail(of: id, Self.detail)
  }

  /// Held before it is read, or what is joined would be as it was before the wait.
  package func heldDetail(of id: Product.ID) throws(PostgresError) -> ProductDetail? {
    try connection.post(Self.hold, [.integer(id.rawValue)])
    return try detail(of: id, Self.detail)
  }

  /// A product's detail, with which the transaction ends; nil where there is none.
  func lastDetail(of id: Product.ID) throws(PostgresError) -> ProductDetail? {
    try detail(of: id, Self.detail, then: [.commit])
  }

  /// A product's detail as what was posted leaves it, with which a transaction that writes is
  /// committed.
  func committedDetail(of id: Product.ID) throws(PostgresError) -> ProductDetail? {
    try Self.detail(in: try connection.commit(with: Self.statements(of: id, Self.detail))[...])
  }

  package func guardedDetail(
    of id: Product.ID, for author: Author
  ) throws(PostgresError) -> GuardedDetail? {
    let answers = try connection.run(
      [Self.lock(of: id, for: author)] + Self.statements(of: id, Self.detail) + [.commit])
    guard let lock = Self.lock(in: answers[0]), let detail = try Self.detail(in: answers[1...])
    else { return nil }
    return GuardedDetail(detail: detail, lock: lock)
  }

  private func detail(
    of id: Product.ID, _ sql: String, then end: [PostgresStatement] = []
  ) throws(PostgresError) -> ProductDetail? {
    try Self.detail(in: try connection.run(Self.statements(of: id, sql) + end)[...])
  }

  /// The statements for a product and its pictures, whose rows `detail(in:)` reads.
  private static func statements(of id: Product.ID, _ sql: String) -> [PostgresStatement] {
    [PostgresStatement(sql, [.integer(id.rawValue)]), Pictures.ofProduct(id)]
  }

  private static func detail(
    in answers: ArraySlice<PostgresRows>
  ) throws(PostgresError) -> ProductDetail? {
    let answers = Array(answers)
    guard let row = answers[0].first else { return nil }
    let pictures = answers[1].map { $0.picture(id: 0, hash: 1) }.compactMap(\.self)
    return try detailed.product(in: row).detail(with: pictures).orDamaged()
  }

  package func descriptions(
    of ids: [Product.ID], atMost characters: Int
  ) throws(PostgresError) -> [String] {
    var texts: [Int64: String] = [:]
    let rows = try connection.run(
      """
      SELECT product, substr(description, 1, $1::int) FROM product_text WHERE product = ANY ($2)
      """, [.integer(Int64(characters)), .integers(ids.map(\.rawValue))])
    for (product, text) in rows.map({ ($0.integer(0), $0.text(1)) }) { texts[product] = text }
    return ids.map { texts[$0.rawValue] ?? "" }
  }

  package func lock(
    of id: Product.ID, for author: Author
  ) throws(PostgresError) -> ProductLock? {
    Self.lock(in: try connection.run(Self.lock(of: id, for: author)))
  }

  private static func lock(of id: Product.ID, for author: Author) -> PostgresStatement {
    PostgresStatement(
      """
      SELECT seller.identifier, password.hash, seller.blocked
        + (SELECT count(*) FROM seller WHERE identifier = $2 AND blocked <> 0)
      FROM product
      JOIN seller ON seller.id = product.seller
      JOIN password ON password.id = product.password
      WHERE product.id = $1
      """, [.integer(id.rawValue), .bytes(author.sellerKey?.hash)])
  }

  private static func lock(in rows: PostgresRows) -> ProductLock? {
    rows.first.map { row in
      ProductLock(
        identifierHash: row.bytes(0),
        passwordHash: row.text(1, atMost: PasswordHasher.maxHashLength),
        isBlocked: row.integer(2) != 0)
    }
  }
}
