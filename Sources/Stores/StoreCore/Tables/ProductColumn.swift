import MarketModel

/// One column of what the tables hold of a product.
///
/// INSERT, UPDATE and SELECT of both databases are made of the list of columns below.
package struct ProductColumn: Sendable {
  package enum Table: String, Sendable {
    case product
    /// Apart from the rows that lists read.
    case text = "product_text"
    case seller
    case password
    /// The picture that is the thumbnail.
    case picture
  }

  /// Which statements have a column.
  package struct Use: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Written with a new product.
    static let inserted = Use(rawValue: 1)
    /// Written anew when a product is edited.
    static let changed = Use(rawValue: 2)
    /// Read for a row of a list.
    static let listed = Use(rawValue: 4)
    /// Read for a product's detail beside what lists show.
    static let detailed = Use(rawValue: 8)
    /// Read for an archive.
    static let archived = Use(rawValue: 16)
  }

  /// What a column holds, and how it comes out of a stored product and goes into one.
  package enum Content: Sendable {
    package typealias Getter<Value> = @Sendable (StoredProduct) -> Value
    package typealias Setter<Value> = @Sendable (inout StoredProduct, Value) -> Void

    case integer(Getter<Int64?>, Setter<Int64>)
    case text(TextBound, Getter<String>, Setter<String>)
    /// Nil where there are none, or more than so many.
    case bytes(atMost: Int, Getter<[UInt8]?>, Setter<[UInt8]?>)
  }

  /// How much of a stored text is read.
  package enum TextBound: Sendable {
    case limit(TextLimit)
    case bytes(Int)
  }

  package let table: Table
  package let name: String
  package let use: Use
  package let content: Content

  /// Adding a column is one line here, beside the scripts that add it to the tables.
  private static let all: [ProductColumn] = [
    integer(.product, "id", [.inserted, .listed, .archived], { $0.id }, { $0.id = $1 }),
    integer(
      .product, "seller", [.inserted, .listed, .archived], { $0.seller }, { $0.seller = $1 }),
    text(
      .seller, "name", [.listed, .archived], .limit(.sellerName),
      { $0.product.seller.name }, { $0.product.seller.name = $1 }),
    bytes(
      .seller, "identifier", [.archived], atMost: ContentHash.byteCount,
      { $0.product.seller.identifierHash }, { $0.product.seller.identifierHash = $1 }),
    text(
      .seller, "contact", [.detailed, .archived], .limit(.contact),
      { $0.product.seller.contact?.text ?? "" },
      { $0.product.seller.contact = SellerContact($1) }),
    text(
      .product, "name", [.inserted, .changed, .listed, .archived], .limit(.productName),
      { $0.product.name }, { $0.product.name = $1 }),
    text(
      .text, "description", [.inserted, .changed, .detailed, .archived], .limit(.description),
      { $0.product.description }, { $0.product.description = $1 }),
    text(
      .product, "currency", [.inserted, .changed, .listed, .archived], .limit(.currency),
      { $0.currency.rawValue }, { $0.currency = Currency(rawValue: $1) }),
    integer(
      .product, "price", [.inserted, .changed, .listed, .archived],
      { $0.full }, { $0.full = $1 }),
    integer(
      .product, "discount", [.inserted, .changed, .listed, .archived],
      { $0.discount }, { $0.discount = $1 }),
    // Follows from the two before; an index needs it.
    integer(
      .product, "percent", [.inserted, .changed],
      { Int64($0.product.price.discountPercent) }, { _, _ in }),
    integer(
      .product, "stock", [.inserted, .changed, .listed, .archived],
      { $0.product.stock }, { $0.product.stock = StoredNumbers.count($1) }),
    integer(
      .product, "created", [.inserted, .listed, .archived],
      { $0.product.created }, { $0.product.created = Timestamp(seconds: $1).seconds }),
    integer(
      .product, "changed", [.inserted, .changed, .listed, .archived],
      { $0.product.changed }, { $0.product.changed = Timestamp(seconds: $1).seconds }),
    // Each edit counts it up.
    integer(
      .product, "version", [.inserted, .detailed, .archived],
      { $0.product.version }, { $0.product.version = StoredNumbers.count($1) }),
    integer(
      .product, "thumbnail", [.inserted, .archived],
      { $0.pictures.first }, { $0.thumbnail = $1 }),
    integer(.product, "password", [.inserted], { $0.password }, { $0.password = $1 }),
    text(
      .password, "hash", [.archived], .bytes(PasswordHasher.maxHashLength),
      { $0.product.passwordHash }, { $0.product.passwordHash = $1 }),
    integer(.picture, "id", [.listed], { $0.thumbnail }, { $0.thumbnail = $1 }),
    bytes(
      .picture, "hash", [.listed], atMost: ContentHash.byteCount,
      { $0.thumbnailHash }, { $0.thumbnailHash = $1 }),
  ]

  /// The columns that some statements have, of one table or of all.
  private static func columns(_ use: Use, of table: Table? = nil) -> ProductColumns {
    ProductColumns(
      all.filter { $0.use.contains(use) && (table == nil || $0.table == table) })
  }

  package static let inserted = columns(.inserted, of: .product)
  package static let insertedTexts = columns(.inserted, of: .text)
  package static let changed = columns(.changed, of: .product)
  package static let changedTexts = columns(.changed, of: .text)
  package static let listed = columns(.listed)
  package static let detailed = columns(.detailed)
  package static let archived = columns(.archived)

  private static func integer(
    _ table: Table, _ name: String, _ use: Use, _ get: @escaping Content.Getter<Int64?>,
    _ set: @escaping Content.Setter<Int64>
  ) -> ProductColumn {
    ProductColumn(table: table, name: name, use: use, content: .integer(get, set))
  }

  private static func text(
    _ table: Table, _ name: String, _ use: Use, _ bound: TextBound,
    _ get: @escaping Content.Getter<String>, _ set: @escaping Content.Setter<String>
  ) -> ProductColumn {
    ProductColumn(table: table, name: name, use: use, content: .text(bound, get, set))
  }

  private static func bytes(
    _ table: Table, _ name: String, _ use: Use, atMost count: Int,
    _ get: @escaping Content.Getter<[UInt8]?>, _ set: @escaping Content.Setter<[UInt8]?>
  ) -> ProductColumn {
    ProductColumn(table: table, name: name, use: use, content: .bytes(atMost: count, get, set))
  }

  /// Whether two products have the same in this column.
  fileprivate func isSame(_ one: StoredProduct, _ other: StoredProduct) -> Bool {
    switch content {
    case .integer(let get, _): get(one) == get(other)
    case .text(_, let get, _): get(one) == get(other)
    case .bytes(_, let get, _): get(one) == get(other)
    }
  }
}

/// The columns of one statement, in its order.
package struct ProductColumns: Sendable {
  package let all: [ProductColumn]
  /// Their names, as an insertion lists them.
  package let names: String
  /// Their names with those of their tables, as a query lists them.
  package let selection: String

  /// The query of whole products, which conditions follow.
  package static let archive = """
    SELECT \(ProductColumn.archived.selection)
    FROM product JOIN seller ON seller.id = product.seller
    LEFT JOIN product_text ON product_text.product = product.id
    LEFT JOIN password ON password.id = product.password
    """

  // By kinds, so that nothing of a column is copied while a row is read.
  private var integers: [(place: Int32, set: ProductColumn.Content.Setter<Int64>)] = []
  private var texts:
    [(place: Int32, bound: ProductColumn.TextBound, set: ProductColumn.Content.Setter<String>)] = []
  private var blobs: [(place: Int32, count: Int, set: ProductColumn.Content.Setter<[UInt8]?>)] = []

  fileprivate init(_ columns: [ProductColumn]) {
    all = columns
    for (place, column) in columns.enumerated() {
      let place = Int32(place)
      switch column.content {
      case .integer(_, let set): integers.append((place, set))
      case .text(let bound, _, let set): texts.append((place, bound, set))
      case .bytes(let count, _, let set): blobs.append((place, count, set))
      }
    }
    names = columns.map(\.name).joined(separator: ", ")
    selection = columns.map { "\($0.table.rawValue).\($0.name)" }.joined(separator: ", ")
  }

  package static func + (left: ProductColumns, right: ProductColumns) -> ProductColumns {
    ProductColumns(left.all + right.all)
  }

  /// The columns but one.
  package func without(_ name: String) -> ProductColumns {
    ProductColumns(all.filter { $0.name != name })
  }

  /// What a row of this selection holds.
  package func product(in row: borrowing some StoredRow & ~Copyable) -> StoredProduct {
    var product = StoredProduct()
    read(row, into: &product)
    return product
  }

  /// Adds what a row of this selection holds.
  package func read(
    _ row: borrowing some StoredRow & ~Copyable, into product: inout StoredProduct
  ) {
    for column in integers { column.set(&product, row.integer(column.place)) }
    for column in texts {
      switch column.bound {
      case .limit(let limit): column.set(&product, row.text(column.place, limit))
      case .bytes(let count): column.set(&product, row.text(column.place, atMost: count))
      }
    }
    for column in blobs {
      let isNull = row.isNull(column.place)
      column.set(&product, isNull ? nil : row.bytes(column.place, atMost: column.count))
    }
  }

  /// Whether two products have the same in all of these columns.
  package func areSame(_ one: StoredProduct, _ other: StoredProduct) -> Bool {
    all.allSatisfy { $0.isSame(one, other) }
  }
}
