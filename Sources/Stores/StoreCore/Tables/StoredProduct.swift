import MarketModel
import SQLiteKit

/// Product as the tables of a market store it: the fields of an archive, with the keys of the rows it
/// references.
package struct StoredProduct: Sendable {
  /// Nil for a new product, which gets the next id.
  package var id: Int64?
  /// Key of its seller.
  package var seller: Int64 = 0
  /// The fields of an archive, except the price, which stands in the amounts below.
  package var product: ArchivedProduct
  package var currency = Currency.krw
  package var full: Int64 = 0
  package var discount: Int64 = 0
  /// Key of its password's hash.
  package var password: Int64 = 0
  /// Keys of its pictures, in order.
  package var pictures: [Int64] = []
  /// Key of the first picture; 0 where there is none.
  package var thumbnail: Int64 = 0
  package var thumbnailHash: [UInt8]?

  /// A product to be inserted; the rows it references exist.
  package init(
    _ product: ArchivedProduct, id: Int64? = nil, seller: Int64, password: Int64 = 0,
    pictures: [Int64] = []
  ) {
    self.id = id
    self.seller = seller
    self.product = product
    (currency, full) = (product.price.currency, product.price.full.hundredths)
    discount = product.price.discountHundredths
    self.password = password
    self.pictures = pictures
    thumbnail = pictures.first ?? 0
  }

  /// A product after an edit, except its price where that is unreadable.
  package init(_ detail: ProductDetail, changed: Int64) {
    let product = detail.product
    var archived = ArchivedProduct(
      name: product.name, description: detail.description,
      price: product.pricing.price ?? Self.nothing, stock: product.stock,
      created: product.created.seconds, changed: changed)
    (archived.category, archived.condition) = (product.category, product.condition)
    (archived.place, archived.isReserved) = (product.place, product.isReserved)
    archived.areQuestionsClosed = detail.areQuestionsClosed
    self.init(archived, id: product.id.rawValue, seller: product.seller.id.rawValue)
  }

  /// An empty product, to be filled from the columns of a row.
  init() {
    product = ArchivedProduct(
      seller: ArchivedSeller(id: nil, name: ""), name: "", price: Self.nothing, stock: 0,
      created: 0, changed: 0, version: 0)
  }

  private static let nothing: Price = {
    guard let price = Price(full: Money(hundredths: 0, currency: .krw)) else {
      preconditionFailure("nothing is a price")
    }
    return price
  }()

  /// Nil for amounts that make no valid price.
  private var price: Price? {
    Price(full: Money(hundredths: full, currency: currency), discountHundredths: discount)
  }

  private var productID: Product.ID? {
    guard let id, StoredNumbers.productIDs.contains(id) else { return nil }
    return Product.ID(rawValue: id)
  }

  private var sellerID: Seller.ID? {
    StoredNumbers.sellerIDs.contains(seller) ? Seller.ID(rawValue: seller) : nil
  }

  package var state: Int { ProductState.of(stock: product.stock, isReduced: discount > 0) }

  /// False without stock.
  package var isReserved: Bool { product.isReserved && product.stock > 0 }

  /// The product as lists show it; nil where it has an invalid id.
  package var listed: Product? {
    guard let id = productID, let seller = sellerID else { return nil }
    var listed = Product(
      id: id, seller: Seller(id: seller, name: product.seller.name), name: product.name,
      pricing: price.map { .readable($0) } ?? .unreadable, stock: product.stock,
      created: Timestamp(seconds: product.created), changed: Timestamp(seconds: product.changed),
      thumbnail: thumbnailHash.flatMap { Picture(number: thumbnail, storedHash: $0) })
    (listed.category, listed.condition) = (product.category, product.condition)
    (listed.place, listed.isReserved) = (product.place, isReserved)
    return listed
  }

  /// The product as its detail shows it; nil where it has an invalid id.
  package func detail(with pictures: [Picture]) -> ProductDetail? {
    guard var listed else { return nil }
    listed.seller.contact = product.seller.contact
    var detail = ProductDetail(
      product: listed, description: product.description, pictures: pictures,
      version: ProductVersion(rawValue: String(product.version)))
    detail.areQuestionsClosed = product.areQuestionsClosed
    return detail
  }

  /// The product without its pictures as archives have it; nil where it has an invalid id or price.
  package var archived: ArchivedProduct? {
    guard let id = productID, let seller = sellerID, let price else { return nil }
    var archived = product
    (archived.id, archived.seller.id, archived.price) = (id, seller, price)
    archived.isReserved = isReserved
    archived.version = max(StorageRules.versions.lowerBound, product.version)
    return archived
  }
}

/// Column of a product in the tables.
///
/// INSERT, UPDATE and SELECT of both databases are built from these. A new column is a case here, in the
/// three switches that the compiler then names, and in the scripts that add it to the tables.
package enum ProductColumn: CaseIterable, Sendable {
  case id, seller, sellerName, sellerIdentifier, sellerContact
  case name, description, currency, price, discount, percent, stock, category, condition
  case place, reserved, questionsClosed
  case created, changed, version, thumbnail, password, passwordHash, pictureID, pictureHash

  package enum Table: String, Sendable {
    case product
    /// Separate from the rows that lists read.
    case text = "product_text"
    case seller
    case password
    /// The product's first picture.
    case picture
  }

  /// Statements that include a column.
  package struct Use: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Inserted with a new product.
    static let inserted = Use(rawValue: 1)
    /// Written when a product is edited.
    static let changed = Use(rawValue: 2)
    /// Written by an edit only where it changes: a newer version may have stored a value that this one
    /// cannot read.
    static let ifChanged = Use(rawValue: 32)
    /// Read for a row of a list.
    static let listed = Use(rawValue: 4)
    /// Read for a row of a brief list (`PageRequest.isBrief`).
    static let brief = Use(rawValue: 64)
    /// Read for a product's detail, in addition to the listed columns.
    static let detailed = Use(rawValue: 8)
    /// Read for an archive.
    static let archived = Use(rawValue: 16)
  }

  private var definition: (table: Table, name: String, use: Use) {
    switch self {
    case .id: (.product, "id", [.inserted, .brief, .listed, .archived])
    case .seller: (.product, "seller", [.inserted, .brief, .listed, .archived])
    case .sellerName: (.seller, "name", [.listed, .archived])
    case .sellerIdentifier: (.seller, "identifier", [.archived])
    case .sellerContact: (.seller, "contact", [.detailed, .archived])
    case .name: (.product, "name", [.inserted, .changed, .brief, .listed, .archived])
    case .description: (.text, "description", [.inserted, .changed, .detailed, .archived])
    case .currency: (.product, "currency", [.inserted, .changed, .brief, .listed, .archived])
    case .price: (.product, "price", [.inserted, .changed, .brief, .listed, .archived])
    case .discount: (.product, "discount", [.inserted, .changed, .brief, .listed, .archived])
    // Derived from the two before; an index needs it.
    case .percent: (.product, "percent", [.inserted, .changed])
    case .stock: (.product, "stock", [.inserted, .changed, .brief, .listed, .archived])
    case .category:
      (.product, "category", [.inserted, .changed, .ifChanged, .listed, .archived])
    case .condition:
      (.product, "condition", [.inserted, .changed, .ifChanged, .listed, .archived])
    case .place: (.product, "place", [.inserted, .changed, .ifChanged, .listed, .archived])
    case .reserved:
      (.product, "reserved", [.inserted, .changed, .ifChanged, .brief, .listed, .archived])
    case .questionsClosed:
      (
        .product, "questions_closed",
        [.inserted, .changed, .ifChanged, .detailed, .archived]
      )
    case .created: (.product, "created", [.inserted, .brief, .listed, .archived])
    case .changed: (.product, "changed", [.inserted, .changed, .listed, .archived])
    // Incremented by each edit.
    case .version: (.product, "version", [.inserted, .detailed, .archived])
    case .thumbnail: (.product, "thumbnail", [.inserted, .archived])
    case .password: (.product, "password", [.inserted])
    case .passwordHash: (.password, "hash", [.archived])
    case .pictureID: (.picture, "id", [.listed])
    case .pictureHash: (.picture, "hash", [.listed])
    }
  }

  package var table: Table { definition.table }
  package var name: String { definition.name }
  fileprivate var use: Use { definition.use }

  /// The column's value for a product.
  package func value(of stored: StoredProduct) -> SQLValue {
    let product = stored.product
    return switch self {
    case .id: .integer(stored.id)
    case .seller: .integer(stored.seller)
    case .sellerName: .text(product.seller.name)
    case .sellerIdentifier: .blob(product.seller.identifierHash)
    case .sellerContact: .text(product.seller.contact?.text ?? "")
    case .name: .text(product.name)
    case .description: .text(product.description)
    case .currency: .text(stored.currency.rawValue)
    case .price: .integer(stored.full)
    case .discount: .integer(stored.discount)
    case .percent: .integer(Int64(product.price.discountPercent))
    case .stock: .integer(product.stock)
    case .category: .text(product.category?.rawValue)
    case .condition: .text(product.condition?.rawValue)
    case .place: .text(product.place)
    // Null stands for false, so that the index of reserved products stays small.
    case .reserved: .integer(stored.isReserved ? 1 : nil)
    case .questionsClosed: .integer(product.areQuestionsClosed ? 1 : nil)
    case .created: .integer(product.created)
    case .changed: .integer(product.changed)
    case .version: .integer(product.version)
    case .thumbnail: .integer(stored.pictures.first)
    case .password: .integer(stored.password)
    case .passwordHash: .text(product.passwordHash)
    case .pictureID: .integer(stored.thumbnail)
    case .pictureHash: .blob(stored.thumbnailHash)
    }
  }

  /// Reads the column, at an index of a row, into a product.
  fileprivate func read(_ row: StoredRow, _ index: Int32, into stored: inout StoredProduct) {
    switch self {
    case .id: stored.id = row.integer(index)
    case .seller: stored.seller = row.integer(index)
    case .sellerName: stored.product.seller.name = row.text(index, .sellerName)
    case .sellerIdentifier:
      stored.product.seller.identifierHash = row.hash(index)
    case .sellerContact:
      stored.product.seller.contact = SellerContact(row.text(index, .contact))
    case .name: stored.product.name = row.text(index, .productName)
    case .description: stored.product.description = row.text(index, .description)
    case .currency: stored.currency = Currency(rawValue: row.text(index, .currency))
    case .price: stored.full = row.integer(index)
    case .discount: stored.discount = row.integer(index)
    case .percent: break
    case .stock: stored.product.stock = row.count(index)
    case .category: stored.product.category = row.choice(index)
    case .condition: stored.product.condition = row.choice(index)
    case .place:
      let place = row.isNull(index) ? "" : row.text(index, .place)
      stored.product.place = place.isEmpty ? nil : place
    case .reserved: stored.product.isReserved = row.integer(index) == 1
    case .questionsClosed: stored.product.areQuestionsClosed = row.integer(index) == 1
    case .created: stored.product.created = row.timestamp(index).seconds
    case .changed: stored.product.changed = row.timestamp(index).seconds
    case .version: stored.product.version = row.count(index)
    case .thumbnail, .pictureID: stored.thumbnail = row.integer(index)
    case .password: stored.password = row.integer(index)
    case .passwordHash:
      stored.product.passwordHash = row.text(index, atMost: StorageRules.passwordHashBytes)
    case .pictureHash: stored.thumbnailHash = row.hash(index)
    }
  }
}

/// The columns of one statement, in its order.
package struct ProductColumns: Sendable {
  package let all: [ProductColumn]

  private init(_ columns: [ProductColumn]) {
    all = columns
  }

  /// The columns with some uses, of one table or of all.
  private static func columns(
    _ use: ProductColumn.Use, of table: ProductColumn.Table? = nil
  ) -> ProductColumns {
    ProductColumns(
      ProductColumn.allCases.filter {
        $0.use.contains(use) && (table == nil || $0.table == table)
      })
  }

  package static let inserted = columns(.inserted, of: .product)
  package static let insertedTexts = columns(.inserted, of: .text)
  package static let changed = columns(.changed, of: .product)
  package static let changedTexts = columns(.changed, of: .text)
  package static let listed = columns(.listed)
  static let brief = columns(.brief)
  package static let detailed = columns(.detailed)
  package static let archived = columns(.archived)

  /// SELECT of whole products, to which conditions are appended.
  package static let archive = """
    SELECT \(archived.selection)
    FROM product JOIN seller ON seller.id = product.seller
    LEFT JOIN product_text ON product_text.product = product.id
    LEFT JOIN password ON password.id = product.password
    """

  /// Their names, for INSERT.
  package var names: String { all.map(\.name).joined(separator: ", ") }

  /// Their names with their tables, for SELECT.
  package var selection: String {
    all.map { "\($0.table.rawValue).\($0.name)" }.joined(separator: ", ")
  }

  /// The parameters of their values: `$1`, `$2` and so on.
  package func parameters(from first: Int) -> String {
    all.indices.map { "$\($0 + first)" }.joined(separator: ", ")
  }

  /// Names and parameters, for UPDATE.
  func assignments(from first: Int) -> String {
    all.enumerated().map { "\($1.name) = $\($0 + first)" }.joined(separator: ", ")
  }

  package static func + (left: ProductColumns, right: ProductColumns) -> ProductColumns {
    ProductColumns(left.all + right.all)
  }

  /// The columns except some.
  func without(_ columns: Set<ProductColumn>) -> ProductColumns {
    ProductColumns(all.filter { !columns.contains($0) })
  }

  /// The columns except the `ifChanged` ones that an edit does not change.
  func written(from old: StoredProduct, to new: StoredProduct) -> ProductColumns {
    ProductColumns(
      all.filter { column in
        !column.use.contains(.ifChanged) || column.value(of: old) != column.value(of: new)
      })
  }

  /// The columns' values for a product.
  package func values(of product: StoredProduct) -> [SQLValue] {
    all.map { $0.value(of: product) }
  }

  /// The product in a row of this selection.
  package func product(in row: StoredRow) -> StoredProduct {
    var product = StoredProduct()
    for (index, column) in all.enumerated() { column.read(row, Int32(index), into: &product) }
    return product
  }
}

extension StoredRow {
  /// Nil where the column is null, or holds a value that this program does not know.
  fileprivate func choice<Choice: RawRepresentable<String>>(_ column: Int32) -> Choice? {
    isNull(column) ? nil : Choice(rawValue: text(column, .choice))
  }

  /// Nil where the column is null, or longer than a hash.
  fileprivate func hash(_ column: Int32) -> [UInt8]? {
    isNull(column) ? nil : bytes(column, atMost: ContentHash.byteCount)
  }
}
