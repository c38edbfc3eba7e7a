import MarketModel
import SQLiteKit

/// Reader of single products.
///
/// - Throws: every call throws the `StoreError` of its statement.
package struct ProductQueries {
  /// The joins that the listed columns need.
  package static let joins = """
    JOIN seller ON seller.id = product.seller LEFT JOIN picture ON picture.id = product.thumbnail
    """
  private static let listed = some(ProductColumns.listed.selection, joins)
  private static let brief = some(ProductColumns.brief.selection, "")
  private static let state = some(RowState.columns, RowState.join)
  private static let row = some(
    """
    \(ProductColumns.listed.selection), product.version,
      substr(product_text.description, 1, \(ListedRow.characters))
    """, joins + " LEFT JOIN product_text ON product_text.product = product.id")
  private static let detailColumns = ProductColumns.listed + ProductColumns.detailed
  private static let detail = SQL(
    once: """
      SELECT \(detailColumns.selection) FROM product \(joins)
      LEFT JOIN product_text ON product_text.product = product.id WHERE product.id = $1
      """)

  /// SELECT of products by their ids.
  private static func some(_ columns: String, _ joins: String) -> DialectSQL {
    DialectSQL { sql in
      "SELECT \(columns) FROM \(sql.rows(of: "product", withIDs: "$1", joins))"
    }
  }

  let database: any MarketDatabase

  /// Products as lists show them, in the order of their ids, without missing ones.
  /// - Throws: `.damaged` where a row has an invalid id.
  package func listed(
    _ ids: [Product.ID], isBrief: Bool = false
  ) throws(StoreError) -> [Product] {
    guard !ids.isEmpty else { return [] }
    let columns = isBrief ? ProductColumns.brief : .listed
    let sql = (isBrief ? Self.brief : Self.listed)[database.dialect]
    var products: [Product.ID: Product] = [:]
    try database.forEach(sql, [.integers(ids.map(\.rawValue))]) { row throws(StoreError) in
      let product = try columns.product(in: row).listed.orDamaged()
      products[product.id] = product
      return true
    }
    return ids.compactMap { products[$0] }
  }

  /// What the rows of products in lists depend on, in the order of their ids, without missing ones.
  /// - Throws: `.damaged` where a row has an invalid id.
  package func states(of ids: [Product.ID]) throws(StoreError) -> [RowState] {
    guard !ids.isEmpty else { return [] }
    var states: [Product.ID: RowState] = [:]
    try database.forEach(Self.state[database.dialect], [.integers(ids.map(\.rawValue))]) {
      row throws(StoreError) in
      let state = try RowState(in: row).orDamaged()
      states[state.id] = state
      return true
    }
    return ids.compactMap { states[$0] }
  }

  /// Rows of lists in any order, without missing ones; `.damaged` where a row has an invalid id.
  func rows(_ ids: [Product.ID]) -> Reading<[ListedRow]> {
    var rows: [ListedRow] = []
    let sql = Self.row[database.dialect]
    let query = Query(sql, [.integers(ids.map(\.rawValue))]) { row throws(StoreError) in
      let columns = ProductColumns.listed
      let place = Int32(columns.all.count)
      rows.append(
        ListedRow(
          try columns.product(in: row).listed.orDamaged(),
          description: row.text(place + 1, TextLimit(0...ListedRow.characters)),
          version: row.count(place)))
    }
    return Reading([query]) { rows }
  }

  /// A product with all fields of its detail; nil where there is none, `.damaged` where its row has an
  /// invalid id.
  package func detail(of id: Product.ID) -> Reading<ProductDetail?> {
    var stored: StoredProduct?
    var pictures: [Picture] = []
    var (questions, unanswered) = (0, 0)
    let key = [SQLValue.integer(id.rawValue)]
    return Reading([
      Query(Self.detail, key) { stored = Self.detailColumns.product(in: $0) },
      Query(PictureTable.ofProduct, key) { row in
        if let picture = row.picture(id: 0, hash: 1) { pictures.append(picture) }
      },
      Query(QuestionTable.counts, key) { row in
        (questions, unanswered) = (Int(clamping: row.count(0)), Int(clamping: row.count(1)))
      },
    ]) { () throws(StoreError) in
      try stored.map { stored throws(StoreError) in
        var detail = try stored.detail(with: pictures).orDamaged()
        (detail.questionCount, detail.unansweredCount) = (questions, unanswered)
        return detail
      }
    }
  }

  /// A product, locked until the transaction ends; nil where there is none.
  /// - Throws: `.damaged` where its row has an invalid id.
  func lockedDetail(of id: Product.ID) throws(StoreError) -> ProductDetail? {
    // Locked before it is read: joined rows would otherwise be those from before the wait.
    try database.lock("SELECT 1 FROM product WHERE id = $1 FOR UPDATE", [.integer(id.rawValue)])
    return try database.read(detail(of: id))
  }

  /// The lock of a product against an author; nil where there is no such product.
  func lock(of id: Product.ID, for author: Author) -> Reading<ProductLock?> {
    Reading(first: Self.locking, [.integer(id.rawValue), .blob(author.sellerKey?.hash)]) {
      ProductLock(in: $0)
    }
  }

  private static let locking: SQL = """
    SELECT seller.identifier, password.hash, seller.blocked
      + (SELECT count(*) FROM seller WHERE identifier = $2 AND blocked <> 0)
    FROM product
    JOIN seller ON seller.id = product.seller
    JOIN password ON password.id = product.password
    WHERE product.id = $1
    """

  /// The beginnings of products' descriptions, in the order of `ids`; empty where there is no such
  /// product.
  func descriptions(
    of ids: [Product.ID], atMost characters: Int
  ) throws(StoreError) -> [String] {
    var texts: [Int64: String] = [:]
    let read = try database.all(
      Self.beginnings[database.dialect],
      [.integer(Int64(characters)), .integers(ids.map(\.rawValue))]
    ) { row in (row.integer(0), row.text(1, TextLimit(0...characters))) }
    for (product, text) in read { texts[product] = text }
    return ids.map { texts[$0.rawValue] ?? "" }
  }

  private static let beginnings = DialectSQL { sql in
    """
    SELECT product, substr(description, 1, CAST($1 AS int)) FROM product_text
    WHERE \(sql.isAny("product", of: "$2"))
    """
  }
}

extension ProductLock {
  fileprivate init(in row: StoredRow) {
    // A truncated hash matches no password.
    self.init(
      identifierHash: row.blob(0),
      passwordHash: row.text(1, atMost: StorageRules.passwordHashBytes),
      isBlocked: row.integer(2) != 0)
  }
}

/// Reader of whole products, with all fields that a market stores.
package struct ArchiveReader {
  private static let next = SQL(
    once: ProductColumns.archive + " WHERE product.id > $1 ORDER BY product.id LIMIT $2")
  private static let some = DialectSQL { sql in
    ProductColumns.archive + " WHERE " + sql.isAny("product.id", of: "$1")
  }

  let database: any MarketDatabase

  /// The products with ids above `id`, in order, with their questions.
  /// - Throws: `.damaged` where a row has an invalid id or price.
  package func products(
    after id: Int64, atMost limit: Int
  ) throws(StoreError) -> [ArchivedProduct] {
    var products = try products(Self.next, [.integer(id), .integer(Int64(limit))])
    guard let last = products.last?.id else { return [] }
    let questions = Dictionary(
      grouping: try database.questions.archived(ofProductsAbove: id, upTo: last.rawValue),
      by: \.question.product)
    for index in products.indices {
      products[index].questions = products[index].id.flatMap { questions[$0] } ?? []
    }
    return products
  }

  /// Existing products of some ids, without questions.
  /// - Throws: `.damaged` where a row has an invalid id or price.
  package func products(_ ids: [Int64]) throws(StoreError) -> [ArchivedProduct] {
    ids.isEmpty ? [] : try products(Self.some[database.dialect], [.integers(ids)])
  }

  private static let arrived = DialectSQL { sql in
    "SELECT key FROM imported_row WHERE " + sql.isAny("key", ofBlobs: "$1")
  }

  /// Existing rows that decide on the import of some products, in their order.
  func matches(of products: [IncomingProduct]) throws(StoreError) -> [ImportMatch] {
    var matches: [ImportMatch] = []
    for start in stride(from: 0, to: products.count, by: 1_000) {
      let some = products[start...].prefix(1_000)
      let keys = Set(
        try database.all(Self.arrived[database.dialect], [.blobs(some.flatMap(\.recordedKeys))]) {
          $0.blob(0)
        })
      var own: [Product.ID: ArchivedProduct] = [:]
      let new = some.filter { !keys.contains($0.importKey) }
      for product in try self.products(new.compactMap { $0.product.id?.rawValue }) {
        if let id = product.id { own[id] = product }
      }
      matches += some.map { incoming in
        ImportMatch(of: incoming, keys: keys, own: incoming.product.id.flatMap { own[$0] })
      }
    }
    return matches
  }

  private func products(
    _ sql: SQL, _ values: [SQLValue]
  ) throws(StoreError) -> [ArchivedProduct] {
    let stored = try database.all(sql, values) { ProductColumns.archived.product(in: $0) }
    let illustrated = stored.filter { $0.thumbnail != 0 }.compactMap(\.id)
    let pictures = try database.pictures.names(ofProducts: illustrated)
    return try stored.map { stored throws(StoreError) in
      var product = try stored.archived.orDamaged()
      product.pictures = stored.id.flatMap { pictures[$0] } ?? []
      return product
    }
  }
}
